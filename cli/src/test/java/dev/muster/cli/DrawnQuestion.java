// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelSize;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.ask.Parameter;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.catalogue.CloudProvider;
import dev.muster.plan.cost.MemoryBasis;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.rules.MemoryEstimate;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.SimulationRequest.Router;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/// A question that was drawn: its kind, the model (blank for all of the catalogue) and values of parameters.
record DrawnQuestion(QuestionKind kind, String model, ParameterValues values) {
    /// Returns the models of the question.
    List<ModelSummary> summaries() {
        List<String> names = new ArrayList<>(List.of(model));
        values.find(Parameters.OTHER_MODELS).ifPresent(names::addAll);
        return names.stream().map(DrawnQuestion::summary).toList();
    }

    private static ModelSummary summary(String name) {
        return ModelSize.isMeant(name)
                ? ModelSummary.ofSize(name, ModelSize.parse(name))
                : ModelCatalogue.builtIn().find(name).orElseThrow().toSummary();
    }

    /// Returns the words of the command.
    List<String> words(String hosts, String fleet) {
        String command = switch (kind) {
            case FLEET_PLAN -> "fleet plan";
            case PLAN_RULES -> "plan --rules";
            case TRAIN_RULES -> "train --rules";
            default -> kind.label();
        };
        List<String> words = new ArrayList<>(Arrays.asList(command.split(" ", -1)));
        values.find(Parameters.MACHINES).ifPresent(words::addAll);
        if (!model.isEmpty()) {
            words.add(model);
        }
        values.find(Parameters.OTHER_MODELS).ifPresent(words::addAll);
        words.addAll(values.toOptions());
        words.add("--json");
        switch (kind) {
            case FLEET_PLAN -> words.addAll(List.of("--source", fleet));
            case COST, COMPARE, TRAIN_RULES -> {} // they ask no machine
            default -> words.addAll(List.of("--synthetic", hosts));
        }
        return words;
    }

    /// Returns what a user writes into the form of the page: texts, and true for what is checked.
    Map<String, Object> texts() {
        Map<String, Object> texts = new LinkedHashMap<>();
        texts.put("model", model);
        values.toJson().members().forEach((key, value) -> texts.put(key, text(value)));
        return texts;
    }

    private static Object text(JsonValue value) {
        return switch (value) {
            case JsonBoolean(boolean isOn) -> isOn;
            case JsonString(String text) -> text;
            case JsonArray(List<JsonValue> items) ->
                items.stream().map(item -> String.valueOf(text(item))).collect(Collectors.joining(", "));
            default -> value.toText();
        };
    }

    /// Returns the members of the body, in the order of the description.
    JsonObject body(JsonValue described) {
        JsonObject known = values.toJson();
        JsonObject.ObjectBuilder body = JsonObject.builder();
        PageForm.of(described, kind).properties().members().keySet().forEach(key -> {
            if (key.equals("model") && !model.isEmpty()) {
                body.put(key, model);
            }
            known.find(key).ifPresent(value -> body.put(key, value));
        });
        return body.build();
    }

    @Override
    public String toString() {
        return String.join(" ", words("HOSTS", "FLEET"));
    }

    /// Draws questions; the same seed draws the same ones.
    static final class Source {
        private static final List<String> MODELS =
                List.of("llama-3.1-8b", "qwen3-32b", "llama-3.1-70b", "gpt-oss-20b", "70B");
        private static final List<String> MACHINES =
                List.of("h100-sxm:2", "[l40s:4,cpu:256GiB]", "rtx-4090:1", "[mi300x:8,xgmi]", "h100-sxm:8 nvswitch");

        private final Random random = new Random(Long.getLong("tests.seed", 20_261_119L));

        DrawnQuestion draw() {
            QuestionKind kind = random.nextInt(3) == 0 ? QuestionKind.PLAN : of(QuestionKind.values());
            boolean isAll = kind == QuestionKind.FIT && random.nextInt(4) == 0;
            return new DrawnQuestion(kind, isAll ? "" : of(MODELS.toArray(new String[0])), values(kind));
        }

        private ParameterValues values(QuestionKind kind) {
            ParameterValues values = ParameterValues.NONE;
            if (kind.parameters().contains(Parameters.MEMORY)) {
                values = maybe(values, Parameters.MEMORY, of(MemoryBasis.values()));
            }
            if (kind.parameters().contains(Parameters.DEVICES)) {
                values = maybe(values, Parameters.DEVICES, of("all", "free", "0", "cuda:7"));
            }
            return switch (kind) {
                case PLAN ->
                    switch (random.nextInt(10)) {
                        case 0 -> targets(load(values));
                        case 1 -> maybe(load(serving(values)), Parameters.TTFT, targets());
                        default -> emitting(serving(values));
                    };
                case SIMULATE -> simulated(values);
                case TRAIN -> training(values);
                case FIT ->
                    maybe(maybe(formats(values), Parameters.CONTEXT, of(1024, 8192)), Parameters.HOSTS, of(1, 2));
                case COST -> cost(values);
                case COMPARE ->
                    serving(values)
                            .with(
                                    Parameters.MACHINES,
                                    List.of(of(MACHINES.toArray(new String[0])), of(MACHINES.toArray(new String[0]))));
                case FLEET_PLAN -> fleet(values);
                case QUANTIZE -> maybe(maybe(values, Parameters.CONTEXT, of(1024, 8192)), Parameters.HOSTS, of(1, 2));
                case PLAN_RULES -> maybe(values, Parameters.LEVEL, of(QuantizationLevel.INT8, QuantizationLevel.INT4));
                case TRAIN_RULES ->
                    maybe(
                            maybe(values, Parameters.METHOD, TrainingMethod.parse("lora")),
                            Parameters.TARGET,
                            of(MemoryEstimate.Target.values()));
            };
        }

        private ParameterValues serving(ParameterValues values) {
            values = maybe(values, Parameters.CONTEXT, of(2, 1024, 8192, 40_000));
            values = maybe(values, Parameters.GENERATE, of(1, 200, 2000));
            values = maybe(values, Parameters.CONCURRENCY, of(1, 7, 64, 300));
            values = maybe(values, Parameters.GOAL, of(ServingGoal.values()));
            values = maybe(values, Parameters.MAX_TPOT, of(Duration.ofMillis(5), Duration.ofMillis(40)));
            values = maybe(values, Parameters.MAX_TTFT, of(Duration.ofMillis(1500), Duration.ofSeconds(20)));
            values = maybe(values, Parameters.BUDGET, of(2.5, 100.0));
            values = maybe(values, Parameters.ENGINE, of(ServingEngine.values()));
            return formats(values);
        }

        private ParameterValues formats(ParameterValues values) {
            return maybe(
                    values,
                    Parameters.FORMATS,
                    of(
                            List.of(WeightFormat.parse("fp8")),
                            List.of(WeightFormat.parse("q4_k_m")),
                            List.of(WeightFormat.parse("bf16"), WeightFormat.parse("int4"))));
        }

        private ParameterValues emitting(ParameterValues values) {
            values = random.nextInt(8) == 0 ? values.with(Parameters.OFFLOAD, true) : values;
            values = random.nextInt(8) == 0 ? values.with(Parameters.PARETO, true) : values;
            values = random.nextInt(8) == 0 ? values.with(Parameters.EXPLAIN, true) : values;
            return random.nextInt(3) > 0 ? values.with(Parameters.EMIT, of(LaunchTarget.values())) : values;
        }

        private ParameterValues load(ParameterValues values) {
            values = values.with(Parameters.REQUESTS, 20);
            values = random.nextInt(8) == 0 ? values : values.with(Parameters.USERS, of(2, 6));
            values = maybe(values, Parameters.RATE, of(0.5));
            values = values.with(Parameters.WARM_UP, of(0, 3));
            return maybe(values, Parameters.INPUT, of(100, 900));
        }

        private ParameterValues targets(ParameterValues values) {
            values = maybe(values, Parameters.TTFT, targets());
            values = maybe(values, Parameters.CONFIDENCE, of(0.9));
            return random.nextInt(3) == 0 ? values.with(Parameters.EMIT, of(LaunchTarget.values())) : values;
        }

        private List<Objective> targets() {
            return List.of(
                    Parameters.TTFT.parse("p99=2s").getFirst(),
                    Parameters.TTFT.parse("mean=700ms").getFirst());
        }

        private ParameterValues simulated(ParameterValues values) {
            values = load(values);
            values = maybe(values, Parameters.SLO, Parameters.SLO.parse("ttft=800ms,tpot=40ms"));
            values = maybe(values, Parameters.TP, of(1, 2, 3));
            values = maybe(values, Parameters.REPLICAS, of(1, 2));
            values = maybe(values, Parameters.ROUTER, of(Router.values()));
            values = maybe(values, Parameters.ENGINE, of(ServingEngine.values()));
            values =
                    maybe(values, Parameters.ENGINE_OPTIONS, of(Map.of("max-num-seqs", "4"), Map.of("unheard-of", "")));
            values = maybe(values, Parameters.SPECULATIVE, Parameters.SPECULATIVE.parse("3:0.7"));
            values = maybe(values, Parameters.LENGTHS, Parameters.LENGTHS.parse(of("equal", "0.5")));
            return maybe(values, Parameters.SEED, of(7));
        }

        private ParameterValues training(ParameterValues values) {
            values = maybe(
                    values, Parameters.METHOD, of(TrainingMethod.parse("lora"), TrainingMethod.parse("qlora-4bit")));
            values = maybe(values, Parameters.SEQUENCE, of(512, 8192));
            values = maybe(values, Parameters.BATCH, of(8, 64));
            values = maybe(values, Parameters.RANK, of(8));
            values = maybe(values, Parameters.TRAINING_GOAL, of(TrainingGoal.values()));
            values = maybe(values, Parameters.TRAINING_OFFLOAD, of(Offload.values()));
            values = maybe(values, Parameters.TOKENS, of(1e9, 3e11));
            values = maybe(values, Parameters.RISK, of(0.02, 0.5));
            values = maybe(values, Parameters.MTBF, of(500.0, 20_000.0));
            values = maybe(values, Parameters.RESTART, Duration.ofMinutes(30));
            values = maybe(values, Parameters.CHECKPOINT_BANDWIDTH, of(0.5, 100.0));
            values = maybe(values, Parameters.DEADLINE, of(Duration.ofDays(2)));
            return random.nextInt(4) == 0 ? values.with(Parameters.EMIT, of(LaunchTarget.values())) : values;
        }

        private ParameterValues cost(ParameterValues values) {
            values = maybe(values, Parameters.FORMATS, List.of(StandardFormat.FP8));
            values = maybe(
                    values, Parameters.PROVIDERS, List.of(CloudProvider.parse("aws"), CloudProvider.parse("gcp")));
            values = maybe(values, Parameters.SPOT, true);
            values = maybe(values, Parameters.STALE_PRICES, true);
            values = maybe(values, Parameters.OWN, of("rtx-4090:2", "no-such:1"));
            values = maybe(values, Parameters.PURCHASE_PRICE, 2400.0);
            values = maybe(values, Parameters.YEARS, 4.0);
            values = maybe(values, Parameters.KWH, 0.3);
            values = maybe(values, Parameters.PUE, 1.4);
            return maybe(values, Parameters.ALL, true);
        }

        private ParameterValues fleet(ParameterValues values) {
            values = serving(values);
            values = maybe(values, Parameters.FLEET_HOSTS, of(1, 2, 40));
            values = maybe(values, Parameters.TOLERATE, List.of("*"));
            values = random.nextInt(8) == 0 ? values.with(Parameters.PARTITION, "no-such") : values;
            values =
                    random.nextInt(5) == 0 ? values.with(Parameters.OTHER_MODELS, List.of("qwen3-32b", "70B")) : values;
            return random.nextInt(3) == 0 ? values.with(Parameters.EMIT, of(LaunchTarget.values())) : values;
        }

        private <T> ParameterValues maybe(ParameterValues values, Parameter<T> parameter, T value) {
            return random.nextInt(4) == 0 ? values.with(parameter, value) : values;
        }

        @SafeVarargs
        private <T> T of(T... values) {
            return values[random.nextInt(values.length)];
        }
    }
}
