// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.host;

import dev.muster.core.Finding;
import dev.muster.core.Finding.Status;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The report of a doctor: the outcome of each check, and what to do.
public record DoctorText(List<Finding> findings) implements Report {
    private static final int MARK = 6;

    /// Returns the severest outcome; checks that were skipped do not count.
    public Status worst() {
        if (count(Status.FAIL) > 0) {
            return Status.FAIL;
        }
        return count(Status.WARN) > 0 ? Status.WARN : Status.PASS;
    }

    private long count(Status status) {
        return findings.stream().filter(finding -> finding.status() == status).count();
    }

    @Override
    public String text(Terminal terminal) {
        StringBuilder out = new StringBuilder();
        for (Finding finding : findings) {
            StringBuilder lines = new StringBuilder();
            String message = finding.id() + ": " + Printable.withoutControls(finding.message());
            terminal.wrap(lines, finding.status() + "  ", MARK, terminal.plain(message));
            if (!finding.next().isEmpty()) {
                terminal.wrap(
                        lines,
                        " ".repeat(MARK) + terminal.arrow() + " ",
                        MARK + 3,
                        Printable.withoutControls(finding.next()));
            }
            String mark = finding.status().name();
            out.append(paint(finding.status(), terminal)).append(lines.substring(mark.length()));
        }
        return out + "\n" + count(Status.PASS) + " passed, "
                + Count.of(count(Status.WARN), "warning") + ", "
                + Count.of(count(Status.FAIL), "failure") + ", "
                + count(Status.SKIP) + " skipped.\n";
    }

    private static String paint(Status status, Terminal terminal) {
        return switch (status) {
            case PASS -> terminal.green(status.name());
            case WARN -> terminal.bold(status.name());
            case FAIL -> terminal.red(status.name());
            case SKIP -> terminal.dim(status.name());
        };
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("doctor")
                .put("status", word(worst()))
                .put("checks", findings, DoctorText::json)
                .build();
    }

    private static JsonValue json(Finding finding) {
        return JsonObject.builder()
                .put("id", finding.id())
                .put("status", word(finding.status()))
                .put("message", finding.message())
                .put("next", Optional.of(finding.next()).filter(next -> !next.isEmpty()), JsonString::new)
                .build();
    }

    private static String word(Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}
