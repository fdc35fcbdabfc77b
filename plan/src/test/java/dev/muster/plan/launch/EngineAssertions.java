// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.LayerKind;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.engine.EngineRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An engine's assertions about its options, read from the emitted text and computed independently of the search and
/// its rules, except for the tables of facts from sources.
///
/// @param engine the label of the engine's table
/// @param text the emitted text
/// @param architecture the model
/// @param format its weights
/// @param capability compute capability of the devices; NaN if they have none
record EngineAssertions(String engine, String text, ModelArchitecture architecture, String format, double capability) {
    private static final Pattern RELEASE = Pattern.compile("The options are those of \\S+ (\\S+)\\.\n");
    private static final Pattern OPTION =
            Pattern.compile("(?m)(?<=^| )(--[a-zA-Z][\\w-]*)(?: ('[^']*'|\"[^\"]*\"|[^\\s\\\\-][^\\s\\\\]*))?");

    /// Returns the options of the commands, without the comments that explain them.
    Map<String, String> options() {
        StringBuilder commands = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            commands.append(line.strip().startsWith("#") ? "" : line).append('\n');
        }
        Map<String, String> options = new LinkedHashMap<>();
        Matcher matcher = OPTION.matcher(commands);
        while (matcher.find()) {
            options.put(matcher.group(1), matcher.group(2) == null ? "" : matcher.group(2));
        }
        return options;
    }

    String release() {
        Matcher matcher = RELEASE.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    /// Returns the rows of the table that are of this release, by kind.
    List<CsvRow> rows(String kind) {
        String release = release();
        return rowsOfAnyRelease(kind).stream()
                .filter(row -> List.of("", release).contains(row.orEmpty("release")))
                .toList();
    }

    List<CsvRow> rowsOfAnyRelease(String kind) {
        return CsvTable.parse(CsvTable.resource(EngineRules.class, engine + ".csv")).rows().stream()
                .filter(row -> row.require("rule").equals(kind))
                .toList();
    }

    static boolean names(CsvRow row, String word) {
        return List.of(row.orEmpty("on").split(" ", -1)).contains(word);
    }

    boolean allows(CsvRow row) {
        String[] ends = row.require("value").replace("+", "-999").split("-", -1);
        return Double.isNaN(capability)
                || (capability >= Double.parseDouble(ends[0]) && capability <= Double.parseDouble(ends[1]));
    }

    String family() {
        return architecture.family().find().orElse("");
    }

    long dimension(ModelDimension dimension) {
        return architecture.find(dimension).orElse(0);
    }

    /// Checks that the release supports the model, the devices and the format by its own tables.
    void assertKnown() {
        rows("device").forEach(row -> assertThat(allows(row)).as(shown(row)).isTrue());
        for (CsvRow row : rows("weights")) {
            assertThat(!names(row, format) || names(row, "!" + family()) || allows(row))
                    .as(shown(row))
                    .isTrue();
        }
        rows("unread")
                .forEach(row -> assertThat(names(row, format)).as(shown(row)).isFalse());
        for (CsvRow row : rows("model")) {
            assertThat(!names(row, family()) || isFrom(row.require("value"), release()))
                    .as(shown(row))
                    .isTrue();
        }
        for (CsvRow row : rows("not-fp16")) {
            assertThat(names(row, family()) && (format.equals("fp16") || capability < 8))
                    .as(shown(row))
                    .isFalse();
        }
    }

    private String shown(CsvRow row) {
        return engine + " " + row.orEmpty("release") + " " + row.require("rule") + " " + row.require("source") + " for "
                + family() + " in " + format + " on " + capability + ":\n" + text;
    }

    private static boolean isFrom(String first, String release) {
        String[] one = first.split("\\D+", -1);
        String[] other = release.split("\\D+", -1);
        for (int i = 0; i < one.length && i < other.length; i++) {
            long left = one[i].isEmpty() ? 0 : Long.parseLong(one[i]);
            long right = other[i].isEmpty() ? 0 : Long.parseLong(other[i]);
            if (left != right) {
                return left < right;
            }
        }
        return true;
    }

    /// Checks that TP divides the dimensions that it must.
    ///
    /// @param tensor devices that share a matrix of the attention
    /// @param cut devices that share an inner width; experts are whole with expert parallelism
    void assertDivides(long tensor, long cut, boolean isExpertParallel) {
        String as = text;
        assertThat(dimension(ModelDimension.HEADS) % tensor).as(as).isZero();
        long kv = architecture.find(ModelDimension.KV_HEADS).orElse(dimension(ModelDimension.HEADS));
        boolean wholeOnly = !rows("kv-heads-whole").isEmpty();
        if (!architecture.hasLatentAttention()) {
            assertThat(kv % tensor == 0 || (!wholeOnly && tensor % kv == 0))
                    .as(as)
                    .isTrue();
        }
        List<LayerKind> layers = LayerKinds.of(architecture).layers();
        boolean hasDense = layers.stream().anyMatch(layer -> layer.block() != LayerKind.Block.EXPERTS);
        boolean hasExperts = layers.stream().anyMatch(layer -> layer.block() == LayerKind.Block.EXPERTS);
        List<Long> widths = new ArrayList<>();
        if (hasDense) {
            widths.add(dimension(ModelDimension.FEED_FORWARD_SIZE));
        }
        if (hasExperts && !isExpertParallel) {
            widths.add(dimension(ModelDimension.EXPERT_FEED_FORWARD_SIZE));
        }
        for (long width : widths) {
            assertThat(rows("width").isEmpty() || width % cut == 0).as(as).isTrue();
            for (String kind : List.of("block", "group")) {
                for (CsvRow row : rows(kind)) {
                    assertThat(cut == 1
                                    || !names(row, format)
                                    || (width % cut == 0 && width / cut % row.requireCount("value", 1, 9999) == 0))
                            .as(shown(row))
                            .isTrue();
                }
            }
        }
        for (CsvRow row : rows("vocabulary")) {
            long multiple = row.requireCount("value", 1, 9999);
            long padded = Math.ceilDiv(dimension(ModelDimension.VOCABULARY), multiple) * multiple;
            assertThat(padded % cut).as(shown(row)).isZero();
        }
    }

    /// Checks that the KV cache has 8 bits only if the table allows it.
    void assertCache(boolean isEightBit) {
        rows("kv-cache")
                .forEach(row ->
                        assertThat(!isEightBit || allows(row)).as(shown(row)).isTrue());
    }

    /// Checks that attention is data parallel only in models that the table names, if it names any.
    void assertAttention(boolean isDataParallel) {
        rows("attention-dp")
                .forEach(row -> assertThat(!isDataParallel || names(row, family()))
                        .as(shown(row))
                        .isTrue());
    }

    /// Checks combinations of options as in the table: `--a>1 --b=c capability<10.0 !--d` with the required ones.
    void assertTogether() {
        Map<String, String> options = options();
        for (CsvRow row : rows("with")) {
            assertThat(!holds(row, options) || isGiven(row.require("value")))
                    .as(shown(row))
                    .isTrue();
        }
        for (CsvRow row : rows("without")) {
            assertThat(holds(row, options) && isGiven(row.require("value")))
                    .as(shown(row))
                    .isFalse();
        }
    }

    private boolean isGiven(String words) {
        StringBuilder commands = new StringBuilder();
        text.lines()
                .map(String::strip)
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> commands.append(line).append('\n'));
        return commands.indexOf(words) >= 0;
    }

    private boolean holds(CsvRow row, Map<String, String> options) {
        for (String term : row.require("on").split(" ", -1)) {
            String[] parts = term.split("[<>=]", -1);
            String option = parts[0].startsWith("!") ? parts[0].substring(1) : parts[0];
            String value = options.getOrDefault(option, "");
            boolean holds = option.equals("capability")
                    ? !(capability >= Double.parseDouble(parts[1])) && !Double.isNaN(capability)
                    : term.contains(">")
                            ? !value.isEmpty() && Long.parseLong(value) > Long.parseLong(parts[1])
                            : term.contains("=")
                                    ? value.equals(parts[1])
                                    : options.containsKey(option) != term.startsWith("!");
            if (!holds) {
                return false;
            }
        }
        return true;
    }

    /// Checks that servers for other hosts do not listen on a default of the local host.
    void assertListens(boolean isScheduled) {
        for (CsvRow row : rows("default")) {
            if (names(row, "--host")) {
                boolean isLocal = !row.require("value").equals("all");
                assertThat(options().getOrDefault("--host", ""))
                        .as(shown(row))
                        .isEqualTo(isScheduled && isLocal ? "0.0.0.0" : "");
            }
        }
    }
}
