// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import java.util.List;

/// One form of file.
interface ResultForm {
    /// Whether a text has this form, by its content.
    boolean recognises(ResultText text);

    /// The runs of a text of this form.
    ///
    /// @throws dev.muster.evidence.measured.ResultsException if nothing can be learned from it
    List<MeasuredRun> read(ResultText text);
}
