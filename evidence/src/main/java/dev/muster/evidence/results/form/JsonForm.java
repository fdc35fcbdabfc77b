// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import java.util.ArrayList;
import java.util.List;

/// A form whose JSON objects each contain some runs: a document, a list of them, or lines.
public abstract class JsonForm implements ResultForm {
    public abstract boolean recognises(JsonValue item);

    public abstract List<MeasuredRun> read(JsonValue item);

    @Override
    public final boolean recognises(ResultText text) {
        return text.items().stream().anyMatch(this::recognises);
    }

    @Override
    public final List<MeasuredRun> read(ResultText text) {
        List<MeasuredRun> runs = new ArrayList<>();
        ResultsException refusal = null;
        for (JsonValue item : text.items()) {
            if (recognises(item)) {
                try {
                    runs.addAll(read(item));
                } catch (ResultsException e) {
                    // One failed run does not invalidate the others.
                    refusal = e;
                }
            }
        }
        if (runs.isEmpty() && refusal != null) {
            throw refusal;
        }
        return runs;
    }
}
