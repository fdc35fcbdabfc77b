// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.sentence;

import dev.muster.core.DeviceChoice;
import dev.muster.core.Reading;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.evidence.measured.AccuracyReport.Refusal;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.model.ModelKind;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Reasons, remedies and notes of answers as sentences, without a full stop. Immutable.
///
/// @since 0.3
public final class Sentences {
    private static final Sentences OPTIONS = new Sentences(Naming.OPTIONS);
    private static final Sentences KEYS = new Sentences(Naming.KEYS);
    private static final Map<Fact, String> OPTION_OF = Map.of(
            Fact.MODEL, "model",
            Fact.DEVICE, "device",
            Fact.DEVICES, "devices",
            Fact.ENGINE, "engine",
            Fact.TP, "tp",
            Fact.WEIGHT_FORMAT, "quant",
            Fact.CONCURRENCY, "concurrency",
            Fact.INPUT_TOKENS, "input",
            Fact.OUTPUT_TOKENS, "generate",
            Fact.SEQUENCE_LENGTH, "seq");
    private static final double MILLI = 1e3;
    private static final double PERCENT = 100;

    private final NamedText text;

    private Sentences(Naming naming) {
        this.text = new NamedText(naming);
    }

    /// Returns sentences that name parameters as an interface does.
    public static Sentences of(Naming naming) {
        return naming == Naming.OPTIONS ? OPTIONS : KEYS;
    }

    /// Returns a note.
    public String note(PlanNote note) {
        List<Object> values = note.values();
        return switch (note.topic()) {
            case EXCLUDED_DEVICE -> excluded((DeviceChoice.ExcludedDevice) values.getFirst());
            case UNPLANNED_DEVICES -> text.fill("{0} is left out: ", values) + reason((Shortfall) values.getLast());
            default -> new NoteText(text).of(note);
        };
    }

    private String excluded(DeviceChoice.ExcludedDevice device) {
        return device.sentence()
                + switch (device.reason()) {
                    case IN_USE, UNHEALTHY, HIDDEN ->
                        text.named("; it is left out (<devices> names devices that are used all the same)");
                    case UNAVAILABLE -> "; it is left out";
                    case PARTITIONED, NOT_NAMED, WARNING -> "";
                };
    }

    /// Returns the reason for a missing answer, and the remedies.
    public String complaint(Shortfall reason, List<Remedy> remedies) {
        String advice = remedies(reason, remedies);
        return Printable.withoutControls(reason(reason) + (advice.isEmpty() ? "" : "; " + advice));
    }

    private String remedies(Shortfall reason, List<Remedy> remedies) {
        if (remedies.isEmpty() && reason.cause() == Cause.UNKNOWN_ARCHITECTURE) {
            return String.valueOf(reason.values().getFirst());
        }
        StringBuilder all = new StringBuilder();
        for (Remedy remedy : remedies) {
            boolean isMore = !all.isEmpty();
            boolean isPrices = isMore && remedy == Remedy.Advice.PRICES;
            all.append(isPrices ? ", and " : isMore ? ", or " : "").append(isPrices ? prices() : remedy(remedy));
        }
        return all.toString();
    }

    private String prices() {
        return "prices of such devices" + text.option(" with --prices FILE", "");
    }

    /// Returns a remedy.
    public String remedy(Remedy remedy) {
        return switch (remedy) {
            case Remedy.Advice advice -> advice(advice);
            case Remedy.Change change -> ChangeText.of(change);
            case Remedy.MoreDevices more -> more.devices() + " devices of this kind instead of " + more.instead();
            case Remedy.OffloadedStates states -> ChangeText.of(states);
            case Remedy.RentedMachine machine -> ChangeText.of(machine.rental());
            case Remedy.Together together ->
                String.join(" and ", together.all().stream().map(this::remedy).toList());
        };
    }

    private String advice(Remedy.Advice advice) {
        return switch (advice) {
            case HYPOTHETICAL_DEVICES ->
                "plan for a hypothetical machine, such as " + text.option("with --synthetic ", "") + "h100-sxm:8";
            case TEXT_MODEL -> "give a model that generates text";
            case MODEL -> "give a model by name, file or folder";
            case MODEL_AND_FORMAT -> "give a model by name, file or folder, and a format as in bf16, fp8 or q4_k_m";
            case PRICES -> "give " + prices();
            case OTHER_GOAL -> text.named("choose another <goal>");
            case OTHER_FORMAT_ENGINE_OR_DEVICES -> text.named("choose another <formats>, <engine> or other devices");
            case FRAMEWORK -> text.named("choose one with <framework>");
            case FEWER_TOKENS_OR_OTHER_DEVICES -> "ask for fewer tokens or other devices";
            case SHORTER_PROMPTS -> "ask for shorter prompts, more tokens a step, or other devices";
            case FEWER_REPLICAS_OR_OTHER_DEVICES -> "ask for fewer, or for other devices";
            case DIVIDING_DEGREE -> "ask for a TP that does";
            case FEWER_HOSTS -> "ask for fewer hosts";
            case USABLE_HOSTS -> "see them with 'muster fleet list'";
        };
    }

    /// Returns the reason why a measured row is not used, with the options that state missing facts.
    public String refusal(Refusal refusal) {
        String options = String.join(
                ", ",
                refusal.missing().stream()
                        .filter(OPTION_OF::containsKey)
                        .map(fact -> "--" + OPTION_OF.get(fact))
                        .toList());
        return refusal.reason() + (options.isEmpty() ? "" : text.option(" (" + options + ")", ""));
    }

    /// Returns the assumptions about the place of offloaded states.
    public List<String> assumptions(TrainingCluster cluster) {
        return new StoreText(text).assumptions(cluster);
    }

    /// Returns the reason for a missing answer.
    public String reason(Shortfall shortfall) {
        List<Object> values = shortfall.values();
        return switch (shortfall.cause()) {
            case OTHER_KIND -> otherKind(values);
            case UNKNOWN_PARTS ->
                values.getFirst() + " is " + ((ModelKind) values.get(1)).title() + " whose parts are not known"
                        + (values.getLast().equals("") ? "" : ": " + values.getLast());
            case NO_DEVICE -> "no device was found";
            case NO_DEVICE_LEFT -> noneLeft((PlanNote) values.getFirst(), (int) values.getLast());
            case NO_ACCELERATOR -> "no accelerator was found, and training is not planned for a processor";
            case NO_FRAMEWORK -> "no framework was measured on these devices";
            case UNKNOWN_ARCHITECTURE -> "the architecture of the model is not known";
            case UNKNOWN_FACT -> unknown((Reading<?>) values.getFirst());
            case UNKNOWN_FIGURES ->
                text.fill("the bandwidth, the memory or the rate of 16-bit operations of {0} is unknown", values);
            case UNKNOWN_POWER -> text.fill("the power of {0} is unknown", values);
            case NOT_ON_DEVICE -> text.fill("{0} does not run on {1}", values);
            case FORMAT_NOT_READ -> text.fill("{0} reads no weights in {1}", values);
            case CACHE_FORMAT -> text.fill("{0} is planned with a KV cache of 16 bits alone", values);
            case RULE_BROKEN -> broken(values);
            case NO_UNITS ->
                values.getFirst() + " has no units for " + ((TrainingPrecision) values.getLast()).label()
                        + "; bf16 it has";
            case NO_MIXED_OFFER -> "no offer has such a mixture of devices";
            case NO_OFFLOAD -> text.fill("{0} leaves none of that on hosts; PyTorch and torchtitan can", values);
            case PYTORCH_DENSE_ONLY -> "PyTorch without a framework was measured on dense models alone";
            case PYTORCH_BF16_ONLY -> "PyTorch without a framework was measured in bf16 alone";
            case DOES_NOT_FIT ->
                text.fill("it does not fit on {0} x {1}: each device needs ", values) + size(values.get(2))
                        + " and has " + size(values.get(3));
            case LIMITS_EXCEEDED -> beyond(values);
            case TOO_SLOW ->
                text.fill("the best plan on {0} x {1} takes ", values) + seconds(values.get(2)) + ", more than "
                        + seconds(values.get(3));
            case NO_FREE_DEVICE -> "no device is free";
            case NO_REPLICA_FITS -> "no replica fits on the devices";
            case NO_LAYOUT_FITS -> "no layout that was asked for fits";
            case UNDIVIDED_HEADS -> text.fill("TP {0} does not divide the {1} attention heads", values);
            case NO_ROOM -> "the devices have no room for " + wanted((int) values.getFirst(), (int) values.getLast());
            case NO_HOST -> "the fleet has no host";
            case NO_USABLE_HOST -> "no host of the fleet can be used: " + unusable(values);
            case TOO_FEW_HOSTS -> text.fill("{0} hosts with {1} x {2} are requested, and {3} are free", values);
            case ALL_REJECTED ->
                text.fill(
                        "every request is rejected: a prompt has {0} tokens, a step of the engine {1}, and the KV cache"
                                + " of a replica {2}",
                        values);
            case CONTEXT_TOO_LONG ->
                text.fill("{0} is made for {1} tokens, and {2} refuses {3}; plan for a shorter context", values);
            case DISAGGREGATED ->
                text.fill(
                        "{0} replicas for prefill and {1} for decode share hosts in this deployment, which is written for"
                                + " one host alone; plan for whole hosts of either",
                        values);
            case TRAINS_ONLY -> text.fill("{0} trains models, and this plan serves one", values);
            case SERVES_ONLY -> text.fill("{0} serves models, and this plan trains one", values);
            case NO_TARGET ->
                "no launch target exists for "
                        + (values.getFirst().equals("") ? "this kind of plan" : values.getFirst())
                        + "; plan with an engine among " + String.join(", ", LaunchTarget.labels());
            case PART_OF_HOST ->
                text.fill(
                        "a replica of this plan takes {0} devices, which is not a whole number of hosts with {1} each;"
                                + " plan for the devices of one host, or of whole hosts",
                        values);
            case TARGET_LIMIT -> text.named(String.valueOf(values.getFirst()));
        };
    }

    private static String otherKind(List<Object> values) {
        return values.getFirst() + " is " + ((ModelKind) values.get(1)).title()
                + ((boolean) values.getLast()
                        ? ", and only 'plan' answers for those"
                        : ", whose training Muster does not plan");
    }

    private static String seconds(Object value) {
        double seconds = (double) value;
        return seconds < 1 ? FixedText.of(1e3 * seconds, 1) + " ms" : FixedText.of(seconds, 1) + " s";
    }

    private String noneLeft(PlanNote first, int others) {
        return "no device is left: " + note(first) + (others > 0 ? " (and " + others + " more)" : "");
    }

    private static String unknown(Reading<?> fact) {
        return switch (fact) {
            case Reading.Known<?> known -> String.valueOf(known.value());
            case Reading.Unknown<?> unknown ->
                unknown.detail().isEmpty() ? unknown.reason().text() : unknown.detail();
        };
    }

    private String broken(List<Object> values) {
        String rule = text.fill("{0} {1}: {2} ({3})", values);
        return values.getLast() instanceof ServingEngine engine
                ? rule + text.named("; plan with <engine> ") + engine.label() + " and other devices or formats"
                : rule;
    }

    private static String size(Object bytes) {
        return FixedText.of(Bytes.of(Math.round((double) bytes)));
    }

    private String beyond(List<Object> values) {
        List<String> beyond = new ArrayList<>();
        for (Object one : (List<?>) values.getLast()) {
            beyond.add(breach((ServingRequest.Breach) one));
        }
        return text.fill("it fits on {0} x {1}, but not within the limits: ", values) + String.join(", ", beyond);
    }

    private static String breach(ServingRequest.Breach breach) {
        double predicted = breach.predicted();
        return switch (breach.limit()) {
            case TTFT -> "TTFT is " + tooLong(breach);
            case TPOT -> "TPOT is " + tooLong(breach);
            case USD_PER_HOUR ->
                FixedText.of(predicted, 2) + " USD an hour, " + FixedText.of(predicted - breach.allowed(), 2)
                        + " too much";
        };
    }

    private static String tooLong(ServingRequest.Breach breach) {
        return FixedText.of(MILLI * breach.predicted(), 1) + " ms, " + FixedText.of(PERCENT * breach.excess(), 0)
                + " % too long";
    }

    private static String wanted(int replicas, int tensor) {
        String all = replicas > 0 ? replicas + " replicas" : "a replica";
        return tensor > 0 ? all + " of TP " + tensor : all;
    }

    private static String unusable(List<Object> reasons) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < reasons.size(); i += 2) {
            all.add(Count.of((int) reasons.get(i + 1), "host") + " (" + reasons.get(i) + ")");
        }
        return String.join(", ", all);
    }
}
