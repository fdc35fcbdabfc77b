// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.engine;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// One row of an engine's table.
///
/// @param release the release whose source was read; blank if the value is one
/// @param kind kind of the rule
/// @param on the formats or families that it concerns, with blanks around each; one blank if it concerns all
/// @param value a number, a range of compute capabilities such as `8.9+` or `8.0-9.0`, or a release
/// @param source file and line
record EngineRule(String release, RuleKind kind, String on, String value, String source) {
    private static final Map<String, List<EngineRule>> READ = new ConcurrentHashMap<>();

    /// Returns the table of an engine; empty if it has none.
    static List<EngineRule> listAll(String engine) {
        return READ.computeIfAbsent(
                engine,
                name -> CsvTable.findResource(EngineRule.class, name + ".csv")
                        .map(EngineRule::parse)
                        .orElse(List.of()));
    }

    private static List<EngineRule> parse(String table) {
        List<EngineRule> rules = new ArrayList<>();
        for (CsvRow row : CsvTable.parse(table).rows()) {
            rules.add(new EngineRule(
                    row.orEmpty("release"),
                    row.requireNamed("rule", RuleKind.values(), RuleKind::text),
                    " " + row.orEmpty("on") + " ",
                    row.orEmpty("value"),
                    row.require("source")));
        }
        return List.copyOf(rules);
    }

    /// Returns the releases of a table, in its order: the one to take first.
    static List<String> releases(List<EngineRule> rules) {
        List<String> releases = new ArrayList<>();
        for (EngineRule rule : rules) {
            if (!rule.release.isEmpty() && !releases.contains(rule.release)) {
                releases.add(rule.release);
            }
        }
        return releases;
    }

    /// Returns the rules of one release, and those that name releases.
    static List<EngineRule> of(List<EngineRule> rules, String release) {
        List<EngineRule> own = new ArrayList<>();
        for (EngineRule rule : rules) {
            if (rule.release.equals(release) || rule.release.isEmpty()) {
                own.add(rule);
            }
        }
        return own;
    }

    boolean names(String formatOrFamily) {
        return !formatOrFamily.isEmpty() && on.contains(" " + formatOrFamily + " ");
    }

    long number() {
        return Long.parseLong(value);
    }

    /// Reports whether a compute capability is in the range; one that is not known is.
    boolean allows(double capability) {
        if (Double.isNaN(capability)) {
            return true;
        }
        int dash = value.indexOf('-');
        return value.endsWith("+")
                ? capability >= Double.parseDouble(value.substring(0, value.length() - 1))
                : capability >= Double.parseDouble(value.substring(0, dash))
                        && capability <= Double.parseDouble(value.substring(dash + 1));
    }

    /// Compares releases number by number; letters between count as dots, so that `b6327` is before `b7000`.
    static int compareReleases(String one, String other) {
        int i = 0;
        int j = 0;
        while (i < one.length() || j < other.length()) {
            long left = 0;
            while (i < one.length() && Character.isDigit(one.charAt(i))) {
                left = 10 * left + one.charAt(i++) - '0';
            }
            long right = 0;
            while (j < other.length() && Character.isDigit(other.charAt(j))) {
                right = 10 * right + other.charAt(j++) - '0';
            }
            if (left != right) {
                return Long.compare(left, right);
            }
            i++;
            j++;
        }
        return 0;
    }
}
