// SPDX-License-Identifier: Apache-2.0
/// Reads the files that benchmark tools and trainings write, one class for each form, each recognised by its content.
/// Pure: from text to [dev.muster.plan.accuracy.MeasuredRun], or a
/// [dev.muster.plan.accuracy.ResultsException] with the reason why nothing can be learned from it.
@NullMarked
package dev.muster.plan.results;

import org.jspecify.annotations.NullMarked;
