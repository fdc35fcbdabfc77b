// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import dev.muster.evidence.measured.MeasuredRun;
import java.util.List;

/// A form of result files.
public interface ResultForm {
    /// Reports whether a text has this form, by its content.
    boolean recognises(ResultText text);

    /// Returns the runs of a text of this form.
    ///
    /// @throws ResultsException if nothing can be learned from it
    List<MeasuredRun> read(ResultText text);
}
