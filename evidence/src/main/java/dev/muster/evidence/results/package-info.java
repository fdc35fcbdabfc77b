// SPDX-License-Identifier: Apache-2.0
/// Readers of the files that benchmark tools and trainings write, one class for each form, each recognised by its
/// content. Pure: from text to [dev.muster.evidence.measured.MeasuredRun], or a
/// [dev.muster.evidence.results.form.ResultsException] with the reason why nothing can be learned from it.
@NullMarked
package dev.muster.evidence.results;

import org.jspecify.annotations.NullMarked;
