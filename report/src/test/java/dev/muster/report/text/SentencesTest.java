// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.Thoroughness;
import dev.muster.model.ModelKind;
import dev.muster.model.memory.StandardFormat;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.answer.Remedy.Advice;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.Parameter;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.report.sentence.Sentences;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/// Tests that every reason, remedy and note has a sentence for every interface.
class SentencesTest {
    private static final Sentences OPTIONS = Sentences.of(Naming.OPTIONS);
    private static final Sentences KEYS = Sentences.of(Naming.KEYS);

    /// The values of causes that have some.
    private static final Map<Cause, List<Object>> REASONS = new EnumMap<>(Map.ofEntries(
            Map.entry(Cause.NO_DEVICE_LEFT, List.of(PlanNote.of(Topic.NO_FRAMEWORK, "H100"), 1)),
            Map.entry(Cause.OTHER_KIND, List.of("bge-m3", ModelKind.EMBEDDING, true)),
            Map.entry(Cause.UNKNOWN_PARTS, List.of("kokoro-82m", ModelKind.TEXT_TO_SPEECH, "")),
            Map.entry(Cause.TOO_SLOW, List.of(1, "H100", 2.0, 0.5)),
            Map.entry(Cause.UNKNOWN_ARCHITECTURE, List.of("its model_type is not known")),
            Map.entry(Cause.UNKNOWN_FACT, List.of(Reading.unknown(UnknownReason.NOT_STATED, "no price known"))),
            Map.entry(Cause.UNKNOWN_FIGURES, List.of("H100")),
            Map.entry(Cause.UNKNOWN_POWER, List.of("H100")),
            Map.entry(Cause.NOT_ON_DEVICE, List.of("vLLM", "H100")),
            Map.entry(Cause.FORMAT_NOT_READ, List.of("vLLM", StandardFormat.FP8)),
            Map.entry(Cause.RULE_BROKEN, List.of("vLLM", "0.11", "TP 3 is odd", "a.py:1", ServingEngine.VLLM)),
            Map.entry(Cause.NO_UNITS, List.of("H100", TrainingPrecision.NVFP4)),
            Map.entry(Cause.NO_OFFLOAD, List.of("Megatron-LM")),
            Map.entry(Cause.DOES_NOT_FIT, List.of(2, "H100", 9e10, 8e10)),
            Map.entry(
                    Cause.LIMITS_EXCEEDED,
                    List.of(
                            2,
                            "H100",
                            Arrays.stream(ServingRequest.Limit.values())
                                    .map(kind -> new ServingRequest.Breach(kind, 1, 2))
                                    .toList())),
            Map.entry(Cause.UNDIVIDED_HEADS, List.of(3, 32L)),
            Map.entry(Cause.NO_ROOM, List.of(2, 8)),
            Map.entry(Cause.NO_USABLE_HOST, List.of("drained", 2, "down", 1)),
            Map.entry(Cause.TOO_FEW_HOSTS, List.of(4, 8, "H100", 2)),
            Map.entry(Cause.CONTEXT_TOO_LONG, List.of("llama-3-8b", 8192L, ServingEngine.VLLM, 20_000)),
            Map.entry(Cause.ALL_REJECTED, List.of(9000, 2048, 8000L)),
            Map.entry(Cause.CACHE_FORMAT, List.of("llama.cpp")),
            Map.entry(Cause.DISAGGREGATED, List.of(1, 2)),
            Map.entry(Cause.TRAINS_ONLY, List.of("Megatron-LM")),
            Map.entry(Cause.SERVES_ONLY, List.of("vLLM")),
            Map.entry(Cause.NO_TARGET, List.of("")),
            Map.entry(Cause.PART_OF_HOST, List.of(12, 8)),
            Map.entry(Cause.TARGET_LIMIT, List.of("plan with <engine> vllm or less <than> that"))));

    private static final List<PlanNote> NOTES = List.of(
            PlanNote.of(Topic.INCOMPLETE_DEVICE, "cuda:0", "Mystery", List.of("memory", "rate of operations")),
            PlanNote.of(Topic.NO_FRAMEWORK, "H100"),
            PlanNote.of(Topic.FAILED_REQUESTS, 2),
            PlanNote.of(Topic.DERIVED_FIGURES, "H100"),
            PlanNote.of(Topic.RELATIVE_FIGURES, "cuda:0", "RTX 4090"),
            PlanNote.of(Topic.HOST_MEMORY_RATE, 43e9),
            PlanNote.of(Topic.HOST_MEMORY_RATE, 43e9, "cpu:0"),
            PlanNote.of(Topic.NETWORK, 3.125e9),
            PlanNote.of(Topic.UNMEASURED_ENGINE, "TPU v5e", ServingEngine.VLLM),
            PlanNote.of(Topic.LEAST_FORM, "h100", "H100 SXM5 80GB"),
            PlanNote.of(Topic.CLIENT_DELAY, 0.01, 0.0005),
            PlanNote.of(Topic.CACHED_PREFIXES),
            PlanNote.of(Topic.SPECULATION, 2.5),
            PlanNote.of(Topic.DECODE_FIRST_TOKEN),
            PlanNote.of(Topic.COARSE_TIMES, 3, 12),
            PlanNote.of(
                    Topic.BEST_FORMAT,
                    List.of(StandardFormat.BF16, StandardFormat.FP8),
                    StandardFormat.FP8,
                    ServingGoal.LATENCY),
            PlanNote.of(Topic.COMMON_FORMAT, StandardFormat.BF16, StandardFormat.AWQ_INT4),
            PlanNote.of(Topic.MOST_SEQUENCES, 232, 4096),
            PlanNote.of(Topic.NOT_DISAGGREGATED, "TensorRT-LLM"),
            PlanNote.of(Topic.LLAMA_CPP, ServingEngine.VLLM, "Tesla P40"),
            PlanNote.of(Topic.CONVERTED_FORMAT, StandardFormat.FP8, ServingEngine.VLLM, "A100", StandardFormat.BF16),
            PlanNote.of(Topic.FP16_FORMAT, "V100", ServingEngine.VLLM),
            PlanNote.of(Topic.WORSE_DEVICES, 1, "A100"),
            PlanNote.of(Topic.IDLE_DEVICES, 1, "A100"),
            PlanNote.of(Topic.FREE_MEMORY, 0.83, 0.1),
            PlanNote.of(Topic.NO_ROOM, 0.1, 0.34),
            PlanNote.of(Topic.FP16_TRAINING, "V100"),
            PlanNote.of(
                    Topic.MEASURED_COLLECTIVES,
                    new MeshCalibration(
                            "shm", 4, 1, Instant.parse("2026-11-01T00:00:00Z"), Thoroughness.FULL, List.of())),
            PlanNote.of(Topic.SCHEDULER, "vllm", "0.11", "mixed", true, 2048, 256, "arg_utils.py:1"),
            PlanNote.of(Topic.CORRECTED_LATENCY, 2, "a.json", "vllm", LocalDate.of(2026, 11, 1), false, 1.1, 0.9),
            PlanNote.of(Topic.CORRECTED_SPEED, 1, "a.json", "vllm", LocalDate.of(2026, 11, 1), true, 1.1),
            PlanNote.of(Topic.FINE_TUNE, "a/Qwen3-8B-Own", "qwen3-8b"),
            PlanNote.of(Topic.LONG_CONTEXT, "llama-3-8b", 8192L, 20_500),
            PlanNote.of(Topic.UNPLANNED_DEVICES, "A100", Shortfall.of(Cause.NO_FREE_DEVICE)),
            PlanNote.of(Topic.NO_OWN_MEMORY, "M4 Max"),
            PlanNote.of(Topic.UNKNOWN_HOST_MEMORY),
            PlanNote.of(Topic.UNEVEN_BATCH, 1, 8, 8, 8, 1, 0.25),
            PlanNote.of(Topic.SPREAD_REPLICA, 4, 2L));

    static final List<Remedy> CHANGES = List.of(
            new Remedy.Change("inputTokens", 100, 200),
            new Remedy.Change("sequenceTokens", 100, 200),
            new Remedy.Change("concurrency", 1, 64),
            new Remedy.Change("formats", StandardFormat.FP8, StandardFormat.BF16),
            new Remedy.Change("method", TrainingMethod.parse("lora"), TrainingMethod.parse("full")),
            new Remedy.Change("users", new ServingLoad.Users(1), new ServingLoad.Users(64)),
            new Remedy.Change("burst", new ServingLoad.Burst(1), new ServingLoad.Burst(64)),
            new Remedy.Change("requestsPerSecond", new ServingLoad.Rate(1), new ServingLoad.Rate(64)),
            objective(LatencyMetric.TTFT),
            objective(LatencyMetric.TPOT),
            objective(LatencyMetric.LATENCY),
            new Remedy.Change("maxTtftSeconds", 1.25, 0.5),
            new Remedy.Change("maxTpotSeconds", 0.0255, 0.02),
            new Remedy.Change("budgetUsdPerHour", 3.5, 2.0),
            new Remedy.Change("budgetUsd", 333.0, 100.0),
            new Remedy.Change("deadlineSeconds", 172_800.0, 3600.0),
            new Remedy.Change("tokens", 333.33e9, 1e12));

    private static Remedy objective(LatencyMetric metric) {
        return new Remedy.Change(
                metric.label(),
                Objective.of(metric, LatencyStatistic.P99, 0.8),
                Objective.of(metric, LatencyStatistic.P99, 0.5));
    }

    private static void check(String option, String key) {
        assertThat(option).isNotBlank().doesNotContain("{", "}");
        assertThat(key).isNotBlank().doesNotContain("{", "}");
        // A command of the shell keeps its options.
        assertThat(key.replaceAll("'muster [^']*'", "")).doesNotContain("--");
    }

    @ParameterizedTest
    @EnumSource
    void everyCauseHasASentence(Cause cause) {
        Shortfall shortfall = new Shortfall(cause, REASONS.getOrDefault(cause, List.of()));
        check(OPTIONS.reason(shortfall), KEYS.reason(shortfall));
    }

    @ParameterizedTest
    @FieldSource("NOTES")
    void everyNoteHasASentence(PlanNote note) {
        check(OPTIONS.note(note), KEYS.note(note));
    }

    @Test
    void everyTopicIsAmongTheNotes() {
        assertThat(Stream.concat(
                        Stream.of(Topic.EXCLUDED_DEVICE), NOTES.stream().map(PlanNote::topic)))
                .contains(Topic.values());
    }

    @ParameterizedTest
    @EnumSource
    void everyAdviceHasASentence(Advice advice) {
        check(OPTIONS.remedy(advice), KEYS.remedy(advice));
    }

    @ParameterizedTest
    @FieldSource("CHANGES")
    void everyChangeNamesAParameterAndHasASentence(Remedy.Change change) {
        check(OPTIONS.remedy(change), KEYS.remedy(change));
        assertThat(Arrays.stream(QuestionKind.values()).flatMap(kind -> kind.parameters().stream()))
                .extracting(Parameter::key)
                .contains(change.key());
    }

    @Test
    void parametersAreNamedAsTheInterfaceDoes() {
        List<Remedy> other = List.of(Advice.OTHER_FORMAT_ENGINE_OR_DEVICES);
        Shortfall reason = Shortfall.of(Cause.NOT_ON_DEVICE, "vLLM", "a TPU");
        assertThat(OPTIONS.complaint(reason, other))
                .isEqualTo("vLLM does not run on a TPU; choose another --quant, --engine or other devices");
        assertThat(KEYS.complaint(reason, other))
                .isEqualTo("vLLM does not run on a TPU; choose another 'formats', 'engine' or other devices");
    }

    @Test
    void aModelInDoubtHasItsDoubtForARemedy() {
        Shortfall reason = Shortfall.of(Cause.UNKNOWN_ARCHITECTURE, "its model_type is not known");
        assertThat(OPTIONS.complaint(reason, List.of()))
                .isEqualTo("the architecture of the model is not known; its model_type is not known");
    }

    @Test
    void severalRemediesAreJoined() {
        Shortfall reason = Shortfall.of(Cause.UNKNOWN_POWER, "H100");
        assertThat(OPTIONS.complaint(reason, List.of(Advice.MODEL, Advice.PRICES)))
                .endsWith("; give a model by name, file or folder, and prices of such devices with --prices FILE");
        assertThat(OPTIONS.complaint(reason, List.of(new Remedy.MoreDevices(2, 1), Advice.FEWER_HOSTS)))
                .endsWith("; 2 devices of this kind instead of 1, or ask for fewer hosts");
        assertThat(OPTIONS.remedy(new Remedy.Together(List.of(new Remedy.MoreDevices(2, 1), Advice.FEWER_HOSTS))))
                .isEqualTo("2 devices of this kind instead of 1 and ask for fewer hosts");
    }

    @Test
    void textOfTablesMayHaveAngleBrackets() {
        assertThat(OPTIONS.reason(Shortfall.of(Cause.TARGET_LIMIT, "plan with <engine> vllm or less <than> that")))
                .isEqualTo("plan with --engine vllm or less <than> that");
    }
}
