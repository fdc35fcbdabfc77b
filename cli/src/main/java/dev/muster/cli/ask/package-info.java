// SPDX-License-Identifier: Apache-2.0
/// Options that several commands share: the model, the question, the planner, emitted files and pictures.
@NullMarked
package dev.muster.cli.ask;

import org.jspecify.annotations.NullMarked;
