package dev.muster.plan.search;

import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.memory.StandardFormat;
import dev.muster.plan.memory.WeightFormat;
import dev.muster.plan.serving.ServingSoftware;
import dev.muster.plan.table.CsvRow;
import dev.muster.plan.table.CsvTable;
import dev.muster.plan.time.ModelShape;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What engines assert of a layout when they start, with the place in their source that says so: a plan that
/// breaks a rule would end there. The rules are data, by engine and release.
final class EngineRules {
    /// One assertion.
    ///
    /// @param release the release whose source was read
    /// @param kind what has to hold
    /// @param value the number that it is about; 1 where it has none
    /// @param source file and line
    record Rule(String release, Kind kind, long value, String source) {}

    /// What has to hold where a group of devices is tensor parallel.
    enum Kind {
        /// TP divides the query heads.
        HEADS,
        /// TP divides the KV heads, or they divide it.
        KV_HEADS,
        /// TP divides the inner widths of blocks and experts.
        WIDTH,
        /// TP divides the vocabulary, filled up to a multiple.
        VOCABULARY,
        /// Each device's part of an inner width has whole blocks, in formats that scale blocks.
        BLOCK,
        /// Each device's part of an inner width has whole groups, in formats that scale groups of inputs.
        GROUP;

        static Optional<Kind> find(String text) {
            for (Kind kind : values()) {
                if (kind.text().equals(text)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }

        private String text() {
            return switch (this) {
                case HEADS -> "heads";
                case KV_HEADS -> "kv-heads";
                case WIDTH -> "width";
                case VOCABULARY -> "vocabulary";
                case BLOCK -> "block";
                case GROUP -> "group";
            };
        }
    }

    private EngineRules() {}

    /// The first rule of an engine that a layout breaks; empty where it starts, as far as rules are known.
    static Optional<Rule> findBroken(
            ServingSoftware software, ModelShape shape, WeightFormat format, StepLayout layout) {
        if (layout.tensor() > 1) {
            for (Rule rule : Table.RULES.getOrDefault(software, List.of())) {
                if (!holds(rule, shape, format, layout)) {
                    return Optional.of(rule);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean holds(Rule rule, ModelShape shape, WeightFormat format, StepLayout layout) {
        double tensor = layout.tensor();
        // Experts of an expert parallel group are not cut.
        double expert = shape.expertLayers() > 0 && layout.expert() == 1 ? shape.expertSize() : 0;
        double dense = shape.layers() > shape.expertLayers() ? shape.feedForward() : 0;
        return switch (rule.kind) {
            case HEADS -> shape.heads() % tensor == 0;
            case KV_HEADS -> shape.kvHeads() % tensor == 0 || tensor % shape.kvHeads() == 0;
            case WIDTH -> dense % tensor == 0 && expert % tensor == 0;
            case VOCABULARY -> Math.ceil(shape.vocabulary() / rule.value) * rule.value % tensor == 0;
            case BLOCK ->
                !(format == StandardFormat.FP8_BLOCK)
                        || (dense / tensor % rule.value == 0 && expert / tensor % rule.value == 0);
            case GROUP ->
                !(format == StandardFormat.AWQ_INT4 || format == StandardFormat.GPTQ_INT4)
                        || (dense / tensor % rule.value == 0 && expert / tensor % rule.value == 0);
        };
    }

    /// Read when a layout is tensor parallel for the first time.
    private static final class Table {
        static final Map<ServingSoftware, List<Rule>> RULES = read();

        private static Map<ServingSoftware, List<Rule>> read() {
            Map<ServingSoftware, List<Rule>> rules = new EnumMap<>(ServingSoftware.class);
            String text = CsvTable.resource(EngineRules.class, "engine-rules.csv");
            for (CsvRow row : CsvTable.parse(text).rows()) {
                rules.computeIfAbsent(
                                ServingSoftware.find(row.require("engine")).orElseThrow(), _ -> new ArrayList<>())
                        .add(new Rule(
                                row.require("release"),
                                Kind.find(row.require("rule")).orElseThrow(),
                                row.findCount("value", 1, Long.MAX_VALUE).orElse(1L),
                                row.require("source")));
            }
            return rules;
        }
    }
}
