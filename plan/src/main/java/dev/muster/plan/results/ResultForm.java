// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.results;

import dev.muster.plan.accuracy.MeasuredRun;
import java.util.List;

/// One form of file.
interface ResultForm {
    /// Whether a text has this form, by its content.
    boolean recognises(ResultText text);

    /// The runs of a text of this form.
    ///
    /// @throws dev.muster.plan.accuracy.ResultsException if nothing can be learned from it
    List<MeasuredRun> read(ResultText text);
}
