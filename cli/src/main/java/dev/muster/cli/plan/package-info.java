// SPDX-License-Identifier: Apache-2.0
/// Commands about models: `plan`, `fit`, `simulate`, `train`, `cost` and others.
@NullMarked
package dev.muster.cli.plan;

import org.jspecify.annotations.NullMarked;
