// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import java.util.List;
import java.util.Optional;

/// The facts that an SGLang server states in results of `sglang.bench_serving`.
public final class ServerFacts {
    private ServerFacts() {}

    public static void add(RunBuilder run, JsonValue item) {
        Optional<JsonValue> info = item.find("server_info");
        if (info.isEmpty()) {
            return;
        }
        List<JsonValue> prefill = JsonFields.items(info.get(), "prefill");
        List<JsonValue> decode = JsonFields.items(info.get(), "decode");
        if (!prefill.isEmpty() || !decode.isEmpty()) {
            run.say(Fact.DISAGGREGATED, "disaggregated prefill and decode");
        }
        JsonValue server = prefill.isEmpty() ? info.get() : prefill.getFirst();
        run.say(Fact.ENGINE, "sglang");
        run.say(Fact.RELEASE, JsonFields.text(server, "version"));
        run.say(Fact.MODEL, JsonFields.firstText(server, "model_path", "served_model_name"));
        run.say(Fact.TP, JsonFields.number(server, "tp_size"));
        run.say(Fact.PP, JsonFields.number(server, "pp_size"));
        run.say(Fact.EP, JsonFields.number(server, "ep_size"));
        run.say(Fact.WEIGHT_FORMAT, JsonFields.text(server, "quantization"));
        run.say(Fact.KV_FORMAT, kvFormat(JsonFields.text(server, "kv_cache_dtype")));
        if (prefill.isEmpty() && decode.isEmpty()) {
            double tensor = JsonFields.number(server, "tp_size").orElse(0);
            double stages = Math.max(1, JsonFields.number(server, "pp_size").orElse(1));
            run.say(Fact.DEVICES, tensor * stages);
        }
    }

    /// Returns the format of a KV cache; empty if it follows the model.
    public static Optional<String> kvFormat(Optional<String> text) {
        return text.filter(known -> !known.equals("auto"))
                .map(known -> known.startsWith("fp8") ? "fp8" : known.equals("bfloat16") ? "bf16" : known);
    }
}
