// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.JsonForm;
import java.util.List;
import java.util.Optional;

/// `llama-bench -o json` and `-o jsonl`.
final class LlamaBenchForm extends JsonForm {
    @Override
    public boolean recognises(JsonValue item) {
        return JsonFields.has(item, "avg_ts", "n_prompt", "n_gen");
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        return List.of(LlamaRecord.read(name -> column(item, name)));
    }

    private static Optional<String> column(JsonValue item, String name) {
        Optional<JsonValue> found = item.find(name);
        return found.isPresent() && found.get() instanceof JsonNumber(String text)
                ? Optional.of(text)
                : JsonFields.text(item, name);
    }
}
