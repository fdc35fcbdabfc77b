// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.JsonForm;
import dev.muster.evidence.results.form.KeyedLines;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import dev.muster.evidence.results.form.ServerFacts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Files beside results that describe the setup: they have no figures, but facts that results lack.
final class DescriptionForms {
    private DescriptionForms() {}

    static List<ResultForm> all() {
        return List.of(new MlPerfSystem(), new VllmMeta(), new SimulatorCluster(), new PerfConfig(), new Manifest());
    }

    /// `systems/*.json` of MLPerf.
    private static final class MlPerfSystem extends JsonForm {
        @Override
        public boolean recognises(JsonValue item) {
            return JsonFields.has(item, "accelerator_model_name", "accelerators_per_node");
        }

        @Override
        public List<MeasuredRun> read(JsonValue item) {
            RunBuilder run = RunBuilder.of("MLPerf system description");
            run.say(Fact.DEVICE, JsonFields.text(item, "accelerator_model_name"));
            double hosts =
                    Math.max(1, JsonFields.number(item, "number_of_nodes").orElse(1));
            run.say(
                    Fact.DEVICES,
                    JsonFields.number(item, "accelerators_per_node").orElse(0) * hosts);
            addEngine(run, JsonFields.text(item, "framework").orElse(""));
            return List.of(run.build());
        }

        private static void addEngine(RunBuilder run, String framework) {
            String first = framework.split(",", 2)[0].strip();
            String plain = first.toLowerCase(Locale.ROOT);
            int blank = first.lastIndexOf(' ');
            if (plain.startsWith("vllm") || plain.startsWith("sglang")) {
                run.say(Fact.ENGINE, plain.startsWith("vllm") ? "vllm" : "sglang");
                run.say(Fact.RELEASE, blank < 0 ? "" : first.substring(blank + 1));
            } else if (plain.startsWith("tensorrt")) {
                // The release is that of TensorRT, not of TensorRT-LLM.
                run.say(Fact.ENGINE, "tensorrt-llm");
            }
        }
    }

    /// The `meta.json` beside the request times that LLMServingSim records from vLLM.
    private static final class VllmMeta extends JsonForm {
        @Override
        public boolean recognises(JsonValue item) {
            return JsonFields.has(item, "engine_kwargs", "vllm_version");
        }

        @Override
        public List<MeasuredRun> read(JsonValue item) {
            RunBuilder run = RunBuilder.of("vLLM settings").say(Fact.ENGINE, "vllm");
            JsonValue settings = JsonFields.at(item, "engine_kwargs").orElse(item);
            double tensor = JsonFields.number(settings, "tensor_parallel_size").orElse(0);
            double replicas = Math.max(
                    1, JsonFields.number(settings, "data_parallel_size").orElse(1));
            run.say(Fact.RELEASE, JsonFields.text(item, "vllm_version"));
            run.say(Fact.MODEL, JsonFields.text(item, "model"));
            run.say(Fact.TP, tensor).say(Fact.REPLICAS, replicas).say(Fact.DEVICES, tensor * replicas);
            run.say(
                    Fact.WEIGHT_FORMAT,
                    JsonFields.firstText(settings, "quantization", "dtype")
                            .filter(format -> !format.equals("auto"))
                            .map(format -> format.equals("bfloat16") ? "bf16" : format));
            run.say(Fact.KV_FORMAT, ServerFacts.kvFormat(JsonFields.text(settings, "kv_cache_dtype")));
            run.say(Fact.DEVICE, JsonFields.text(item, "hardware", "device_name"));
            run.say(Fact.REQUESTS, JsonFields.number(item, "num_requests"));
            run.say(Fact.DATE, JsonFields.text(item, "started_at"));
            return List.of(run.build());
        }
    }

    /// The cluster of a simulation by LLMServingSim.
    private static final class SimulatorCluster extends JsonForm {
        @Override
        public boolean recognises(JsonValue item) {
            List<JsonValue> hosts = JsonFields.items(item, "nodes");
            return !hosts.isEmpty()
                    && !JsonFields.items(hosts.getFirst(), "instances").isEmpty();
        }

        @Override
        public List<MeasuredRun> read(JsonValue item) {
            JsonValue host = JsonFields.items(item, "nodes").getFirst();
            List<JsonValue> instances = JsonFields.items(host, "instances");
            JsonValue first = instances.isEmpty() ? JsonObject.builder().build() : instances.getFirst();
            RunBuilder run = RunBuilder.of("LLMServingSim cluster");
            run.say(Fact.MODEL, JsonFields.text(first, "model_name"));
            run.say(Fact.DEVICE, JsonFields.text(first, "hardware"));
            run.say(Fact.TP, JsonFields.number(first, "tp_size"));
            run.say(Fact.DEVICES, JsonFields.number(first, "num_npus").orElse(0) * instances.size());
            return List.of(run.build());
        }
    }

    /// `config.yaml` of inference-perf.
    private static final class PerfConfig implements ResultForm {
        @Override
        public boolean recognises(ResultText text) {
            return text.lines().contains("load:") && text.lines().contains("server:");
        }

        @Override
        public List<MeasuredRun> read(ResultText text) {
            KeyedLines lines = KeyedLines.of(text.lines());
            RunBuilder run = RunBuilder.of("inference-perf settings");
            run.say(Fact.MODEL, lines.text("model_name"));
            if (text.holds("  type: vllm")) {
                run.say(Fact.ENGINE, "vllm");
            } else if (text.holds("  type: sglang")) {
                run.say(Fact.ENGINE, "sglang");
            }
            return List.of(run.build());
        }
    }

    /// A manifest of Kubernetes that starts a server.
    private static final class Manifest implements ResultForm {
        private static final Pattern IMAGE =
                Pattern.compile("\\s*(?:- )?image:\\s*\\S*?(vllm|sglang)\\S*?:v?(\\S+)\\s*");
        private static final Pattern GPUS = Pattern.compile("\\s*(?:nvidia|amd|intel)\\.com/gpu:\\s*\"?(\\d+)\"?\\s*");
        private static final Pattern DEVICE = Pattern.compile(
                "\\s*(?:cloud\\.google\\.com/gke-accelerator|nvidia\\.com/gpu\\.product):\\s*(\\S+)\\s*");
        private static final Pattern TENSOR = Pattern.compile(".*--(?:tensor[-_]parallel[-_]size|tp)[= ]\"?(\\d+).*");
        private static final Pattern MODEL = Pattern.compile(".*--model(?:-path)?[= ]([\\w./-]+).*");
        private static final Pattern VARIABLE = Pattern.compile("\\s*- name: MODEL\\w*\\s*");
        private static final Pattern VALUE = Pattern.compile("\\s*value:\\s*\"?([^\"]+?)\"?\\s*");

        @Override
        public boolean recognises(ResultText text) {
            return text.holds("apiVersion:") && text.holds("kind:");
        }

        @Override
        public List<MeasuredRun> read(ResultText text) {
            RunBuilder run = RunBuilder.of("Kubernetes manifest");
            boolean isModel = false;
            for (String line : text.lines()) {
                Matcher image = IMAGE.matcher(line);
                if (image.matches()) {
                    run.say(Fact.ENGINE, image.group(1)).say(Fact.RELEASE, image.group(2));
                }
                find(GPUS, line).ifPresent(count -> run.say(Fact.DEVICES, number(count)));
                find(DEVICE, line).ifPresent(name -> run.say(Fact.DEVICE, name));
                find(TENSOR, line).ifPresent(degree -> run.say(Fact.TP, number(degree)));
                find(MODEL, line).ifPresent(name -> run.say(Fact.MODEL, name));
                if (isModel) {
                    find(VALUE, line).ifPresent(name -> run.say(Fact.MODEL, name));
                }
                isModel = VARIABLE.matcher(line).matches();
            }
            if (run.find(Fact.MODEL).isEmpty() && run.find(Fact.ENGINE).isEmpty()) {
                throw ResultsException.of("a Kubernetes manifest that starts no model server");
            }
            return List.of(run.build());
        }

        private static OptionalDouble number(String text) {
            return Numbers.find(text);
        }

        private static Optional<String> find(Pattern pattern, String line) {
            Matcher matcher = pattern.matcher(line);
            return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
        }
    }
}
