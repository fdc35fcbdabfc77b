// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.engine;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.TrainingFramework;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The rules of the release of an engine that a plan is for: the first of its table that knows the model and runs its
/// weights on the devices, else the first of all. Rules are data, with the place in the engine's source that says so; a
/// plan that breaks one would end there. Immutable and safe to share between threads.
public final class EngineRules {
    private static final int HALF_BYTES = 2;

    private final String engine;
    private final String release;
    private final List<EngineRule> rules;
    private final String family;
    private final String format;
    private final double capability;
    /// True if devices have no compute in fp16 for any weights.
    private final boolean hasBf16;
    private final String device;

    private EngineRules(
            String engine, String release, List<EngineRule> rules, String family, String format, DeviceFigures device) {
        this.engine = engine;
        this.release = release;
        this.rules = rules;
        this.family = family;
        this.format = format;
        this.capability = device.computeCapability().find().orElse(Double.NaN);
        this.hasBf16 = device.hasBf16();
        this.device = device.id();
    }

    /// A rule that something breaks.
    ///
    /// @param engine the engine, for people
    /// @param release the release whose source was read
    /// @param sentence condition and violation
    /// @param source file and line
    public record Broken(String engine, String release, String sentence, String source) {
        /// Returns the reason for refusing a plan that breaks the rule.
        public Shortfall shortfall() {
            return Shortfall.of(Shortfall.Cause.RULE_BROKEN, engine, release, sentence, source);
        }
    }

    public static EngineRules of(
            ServingEngine software, ModelArchitecture architecture, WeightFormat format, DeviceFigures device) {
        return choose(software.label(), software.display(), architecture, format.label(), device);
    }

    public static EngineRules of(TrainingFramework software, ModelArchitecture architecture, DeviceFigures device) {
        return choose(software.label(), software.display(), architecture, "", device);
    }

    private static EngineRules choose(
            String label, String engine, ModelArchitecture architecture, String format, DeviceFigures device) {
        String family = architecture.family().find().orElse("").toLowerCase(Locale.ROOT);
        List<EngineRule> rules = EngineRule.listAll(label);
        EngineRules first = null;
        for (String release : EngineRule.releases(rules)) {
            EngineRules one = new EngineRules(engine, release, EngineRule.of(rules, release), family, format, device);
            if (one.findRefusal().isEmpty()) {
                return one;
            }
            first = first == null ? one : first;
        }
        return first == null ? new EngineRules(engine, "", List.of(), family, format, device) : first;
    }

    public static boolean runsOn(ServingEngine software, DeviceFigures device) {
        double capability = device.computeCapability().find().orElse(Double.NaN);
        boolean runs = true;
        for (EngineRule rule : EngineRule.listAll(software.label())) {
            if (rule.kind() == RuleKind.DEVICE) {
                if (rule.allows(capability)) {
                    return true;
                }
                runs = false;
            }
        }
        return runs;
    }

    /// Compares two releases by age, as [java.util.Comparator] does.
    public static int compareReleases(String one, String other) {
        return EngineRule.compareReleases(one, other);
    }

    /// Returns the release, such as `0.27.1`; blank for an engine without rules.
    public String release() {
        return release;
    }

    /// Returns the reason why the release does not run the model, the format or the devices in any layout; empty if
    /// it does.
    public Optional<Broken> findRefusal() {
        for (EngineRule rule : rules) {
            Optional<String> problem = switch (rule.kind()) {
                case DEVICE -> outside(rule, "it");
                case WEIGHTS ->
                    rule.names(format) && !rule.names("!" + family) ? outside(rule, format) : Optional.<String>empty();
                case UNREAD ->
                    rule.names(format) ? Optional.of("it reads no weights in " + format) : Optional.<String>empty();
                case NOT_FP16 ->
                    rule.names(family) && (format.equals("fp16") || !hasBf16)
                            ? Optional.of(family + " does not run in fp16")
                            : Optional.<String>empty();
                case MODEL ->
                    rule.names(family) && EngineRule.compareReleases(release, rule.value()) < 0
                            ? Optional.of("it knows " + family + " from " + rule.value() + " on")
                            : Optional.<String>empty();
                case HEADS, KV_HEADS, KV_HEADS_WHOLE, WIDTH, VOCABULARY, BLOCK, GROUP, EXPERTS, ATTENTION_DP -> none();
                case ATTENTION_DP_STAGES -> none();
                case SEQUENCE, SEQUENCE_TP, KV_CACHE, NARROW_CACHE, LOADS_FIRST, MADE -> none();
                case WITH, WITHOUT, DEFAULT, NO_PRECISION -> none();
            };
            if (problem.isPresent()) {
                return problem.map(sentence -> broken(rule, sentence));
            }
        }
        return Optional.empty();
    }

    /// Returns the reason why the release does not serve a request in any layout; empty if it does.
    public Optional<Broken> findRefusal(ServingRequest request) {
        return findRefusal().or(() -> request.kvBits() == Byte.SIZE ? findEightBitCacheProblem() : Optional.empty());
    }

    private static Optional<String> none() {
        return Optional.empty();
    }

    private Optional<String> outside(EngineRule rule, String what) {
        return rule.allows(capability)
                ? Optional.empty()
                : Optional.of(what + " needs compute capability " + rule.value().replace("+", " or more") + ", and "
                        + device + " has " + capability);
    }

    /// Returns the first rule that a layout of serving breaks; empty if it starts, as far as rules are known.
    public Optional<Broken> findBroken(ModelShape shape, Parallelism layout) {
        return findBroken(shape, layout, 0, 1);
    }

    /// Returns the first rule that a layout of training breaks.
    ///
    /// @param sequence tokens of a sequence
    /// @param context degree of CP
    public Optional<Broken> findBroken(ModelShape shape, Parallelism layout, int sequence, int context) {
        for (EngineRule rule : rules) {
            if (rule.kind().isOfLayout() && !holds(rule, shape, layout, sequence, context)) {
                return Optional.of(broken(rule, sentence(rule, shape, layout)));
            }
        }
        return Optional.empty();
    }

    private Broken broken(EngineRule rule, String sentence) {
        return new Broken(engine, release, sentence, rule.source());
    }

    private boolean holds(EngineRule rule, ModelShape shape, Parallelism layout, int sequence, int context) {
        double tensor = layout.tp();
        return switch (rule.kind()) {
            case HEADS -> shape.heads() % tensor == 0;
            case KV_HEADS -> shape.kvHeads() % tensor == 0 || tensor % shape.kvHeads() == 0;
            case KV_HEADS_WHOLE -> shape.kvHeads() % tensor == 0;
            case WIDTH -> divides(shape, layout, 1);
            case VOCABULARY -> Math.ceil(shape.vocabulary() / rule.number()) * rule.number() % tensor == 0;
            case BLOCK, GROUP -> layout.tp() == 1 || !rule.names(format) || divides(shape, layout, rule.number());
            case EXPERTS -> layout.ep() == 1 || shape.experts() % layout.ep() == 0;
            case ATTENTION_DP -> layout.attentionDp() == 1 || rule.names(family);
            case ATTENTION_DP_STAGES -> layout.attentionDp() == 1 || layout.pp() == 1;
            case SEQUENCE -> context == 1 || sequence % (rule.number() * context) == 0;
            case SEQUENCE_TP -> sequence % (context * tensor) == 0;
            case DEVICE, WEIGHTS, KV_CACHE, NARROW_CACHE, NOT_FP16, UNREAD, LOADS_FIRST, MADE, MODEL -> true;
            case WITH, WITHOUT, DEFAULT, NO_PRECISION -> true;
        };
    }

    /// Reports whether each device gets whole pieces of all widths. Without streams: every start of a plan calls
    /// this. No streams: every start of a plan comes by here.
    private static boolean divides(ModelShape shape, Parallelism layout, long piece) {
        for (double width : widths(shape, layout)) {
            if (width % (layout.tp() * piece) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Returns the widths that TP cuts. Experts of an expert parallel group are not cut.
    private static List<Double> widths(ModelShape shape, Parallelism layout) {
        List<Double> widths = new ArrayList<>();
        if (shape.layers() > shape.expertLayers()) {
            widths.add(shape.feedForward());
        }
        if (shape.expertLayers() > 0 && layout.ep() == 1) {
            widths.add(shape.expertSize());
        }
        return widths;
    }

    private String sentence(EngineRule rule, ModelShape shape, Parallelism layout) {
        return switch (rule.kind()) {
            case HEADS -> "TP divides the query heads, and there are " + (long) shape.heads();
            case KV_HEADS ->
                "TP divides the KV heads or is a multiple of them, and there are " + (long) shape.kvHeads();
            case KV_HEADS_WHOLE -> "TP divides the KV heads, and there are " + (long) shape.kvHeads();
            case WIDTH -> "TP divides the inner widths " + whole(widths(shape, layout));
            case VOCABULARY ->
                "TP divides the vocabulary of " + (long) shape.vocabulary() + ", filled up to a multiple of "
                        + rule.value();
            case BLOCK, GROUP ->
                "TP leaves each device whole " + (rule.kind() == RuleKind.BLOCK ? "blocks" : "groups") + " of "
                        + rule.value() + " of the inner widths " + whole(widths(shape, layout)) + " in " + format;
            case EXPERTS -> "EP divides the experts, and there are " + (long) shape.experts();
            case ATTENTION_DP ->
                "attention is not data parallel for " + (family.isEmpty() ? "models of no known family" : family);
            case ATTENTION_DP_STAGES ->
                "data-parallel attention with pipeline stages puts the stages of a rank on one host, and its experts on all";
            case SEQUENCE -> "a sequence has " + rule.value() + " pieces of one length for each CP rank";
            case SEQUENCE_TP -> "TP divides the part of a sequence that each CP rank has";
            case DEVICE,
                    WEIGHTS,
                    KV_CACHE,
                    NARROW_CACHE,
                    NOT_FP16,
                    UNREAD,
                    LOADS_FIRST,
                    MADE,
                    MODEL,
                    WITH,
                    WITHOUT,
                    DEFAULT,
                    NO_PRECISION -> throw new IllegalStateException("no layout breaks " + rule.kind());
        };
    }

    private static String whole(List<Double> widths) {
        StringBuilder text = new StringBuilder();
        for (double width : widths) {
            text.append(text.isEmpty() ? "" : " and ").append((long) width);
        }
        return text.toString();
    }

    /// Returns the bytes of a number of the KV cache: the requested ones, or else those of the engine: 2, except for
    /// families that it keeps in 8 bits alone.
    public int kvBytes(ServingRequest request) {
        return request.kvBits() == Byte.SIZE || (request.kvBits() == 0 && isCacheNarrow()) ? 1 : HALF_BYTES;
    }

    /// Reports whether the engine keeps the family's KV cache in 8 bits by itself.
    public boolean isCacheNarrow() {
        return rules.stream()
                .anyMatch(
                        rule -> rule.kind() == RuleKind.NARROW_CACHE && rule.names(family) && rule.allows(capability));
    }

    /// Returns the reason why the KV cache cannot have 8 bits on the devices; empty if it can.
    public Optional<Broken> findEightBitCacheProblem() {
        for (EngineRule rule : rules) {
            if (rule.kind() == RuleKind.KV_CACHE && !rule.allows(capability)) {
                return outside(rule, "a KV cache of 8 bits").map(sentence -> broken(rule, sentence));
            }
        }
        return Optional.empty();
    }

    /// Reports whether weights of the format are made of 16-bit ones while a model loads.
    public boolean makes() {
        return rules.stream().anyMatch(rule -> rule.kind() == RuleKind.MADE && rule.names(format));
    }

    /// Reports whether weights of the format are made of 16-bit ones that all lie on the devices first.
    public boolean loadsFirst() {
        return rules.stream().anyMatch(rule -> rule.kind() == RuleKind.LOADS_FIRST && rule.names(format));
    }
}
