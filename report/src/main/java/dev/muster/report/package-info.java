// SPDX-License-Identifier: Apache-2.0
/// Reports of the planner's answers.
@NullMarked
package dev.muster.report;

import org.jspecify.annotations.NullMarked;
