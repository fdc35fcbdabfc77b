// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.JsonForm;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.PerfMetrics;
import dev.muster.evidence.results.form.Plausibility;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// The aggregate that AIPerf and GenAI-Perf export as JSON: an object with unit and statistics for each metric.
final class AiPerfForm extends JsonForm {
    @Override
    public boolean recognises(JsonValue item) {
        return JsonFields.has(JsonFields.at(item, "time_to_first_token").orElse(item), "unit")
                || JsonFields.has(JsonFields.at(item, "request_throughput").orElse(item), "unit");
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        double answered = JsonFields.number(item, "request_count", "avg").orElse(1);
        double failed = JsonFields.number(item, "error_request_count", "avg").orElse(0);
        if (answered <= 0 || failed > answered) {
            throw ResultsException.of("the requests failed (" + Numbers.text(answered) + " answered, "
                    + Numbers.text(failed) + " failed)");
        }
        if (JsonFields.isTrue(item, "was_cancelled")) {
            throw ResultsException.of("the run was cancelled before its end");
        }
        boolean isNew = JsonFields.has(item, "aiperf_version")
                || JsonFields.at(item, "input_config", "loadgen").isPresent();
        RunBuilder run = RunBuilder.of(isNew ? "AIPerf" : "GenAI-Perf");
        for (Map.Entry<String, JsonValue> member : JsonFields.members(item).entrySet()) {
            String unit = JsonFields.text(member.getValue(), "unit").orElse("");
            PerfMetrics.Name name = PerfMetrics.Name.of(member.getKey() + " (" + unit + ")");
            for (String key : JsonFields.members(member.getValue()).keySet()) {
                Optional<Statistic> statistic = PerfMetrics.statistic(key);
                if (statistic.isPresent()) {
                    PerfMetrics.add(run, name, statistic.get(), JsonFields.number(member.getValue(), key));
                }
            }
        }
        addConfig(run, item);
        addDevices(run, item);
        run.say(Fact.DATE, JsonFields.text(item, "start_time"));
        Plausibility.check(
                run,
                JsonFields.number(item, "benchmark_duration", "avg"),
                JsonFields.number(item, "request_count", "avg"));
        return List.of(run.build());
    }

    private static void addConfig(RunBuilder run, JsonValue item) {
        JsonValue config = JsonFields.at(item, "input_config").orElse(item);
        List<JsonValue> names = JsonFields.items(config, "endpoint", "model_names");
        if (!names.isEmpty() && names.getFirst() instanceof JsonValue.JsonString(String name)) {
            run.say(Fact.MODEL, name);
        }
        run.say(Fact.MODEL, JsonFields.firstText(config, "model", "model_name"));
        OptionalDouble concurrency = first(
                JsonFields.number(config, "loadgen", "concurrency"),
                JsonFields.number(config, "perf_analyzer", "stimulus", "concurrency"),
                JsonFields.number(config, "concurrency"));
        OptionalDouble rate = first(
                JsonFields.number(config, "loadgen", "request_rate"),
                JsonFields.number(config, "perf_analyzer", "stimulus", "request_rate"),
                JsonFields.number(config, "request_rate"));
        if (concurrency.isPresent() || rate.isPresent()) {
            run.load(concurrency, rate);
        }
        String backend = JsonFields.firstText(config, "backend").orElse("");
        run.say(Fact.ENGINE, ServeForm.engineOf(backend));
    }

    private static OptionalDouble first(OptionalDouble... values) {
        for (OptionalDouble value : values) {
            if (value.isPresent()) {
                return value;
            }
        }
        return OptionalDouble.empty();
    }

    /// Adds the devices of the telemetry, which names each once for each address that it is scraped from: addresses
    /// may be of one host.
    private static void addDevices(RunBuilder run, JsonValue item) {
        List<String> names = new ArrayList<>();
        for (JsonValue endpoint :
                JsonFields.members(item, "telemetry_data", "endpoints").values()) {
            for (JsonValue gpu : JsonFields.members(endpoint, "gpus").values()) {
                JsonFields.text(gpu, "gpu_name").ifPresent(names::add);
            }
        }
        boolean isOneKind = names.stream().distinct().count() == 1;
        if (isOneKind) {
            run.say(Fact.DEVICE, names.getFirst());
        }
    }
}
