// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.host;

import dev.muster.core.Finding;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import java.util.List;

/// The conditions of a preflight, each with the reason if it does not hold.
public record CheckText(List<Finding> findings) implements Report {
    /// Reports whether all conditions hold.
    public boolean passed() {
        return findings.stream().allMatch(Finding::isPassed);
    }

    @Override
    public String text(Terminal terminal) {
        StringBuilder out = new StringBuilder();
        for (Finding finding : findings) {
            out.append(mark(finding.isPassed(), terminal) + "  " + finding.id() + ": " + finding.message() + "\n");
        }
        return out.toString();
    }

    static String mark(boolean passed, Terminal terminal) {
        return passed ? terminal.green("PASS") : terminal.red("FAIL");
    }

    @Override
    public JsonValue json() {
        return addTo(JsonObject.document("check")).build();
    }

    JsonObject.ObjectBuilder addTo(JsonObject.ObjectBuilder document) {
        return document.put("passed", passed())
                .put(
                        "checks",
                        findings,
                        finding -> JsonObject.builder()
                                .put("id", finding.id())
                                .put("passed", finding.isPassed())
                                .put("message", finding.message())
                                .build());
    }
}
