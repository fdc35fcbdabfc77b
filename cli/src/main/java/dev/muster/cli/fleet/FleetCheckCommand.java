// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.device.CheckCommand;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Report;
import dev.muster.cli.session.Session;
import dev.muster.core.Finding;
import dev.muster.core.Preflight;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetHost;
import dev.muster.report.host.FleetText;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `muster fleet check`: does every host have what a job needs?
final class FleetCheckCommand implements Command {
    private static final int MOST_NAMES = 200;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("fleet check", "check that every host meets a requirement");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(FleetOptions.ALL)
                .with(CheckCommand.CONDITIONS)
                .exiting("0  all hosts pass", "1  a host does not pass; the reasons are printed")
                .example(
                        "muster fleet check --count 8 --partition gpu",
                        "at least eight devices on each host of a partition?");
    }

    /// The result of one host.
    private record Result(FleetHost host, List<Finding> findings) {
        boolean passed() {
            return findings.stream().allMatch(Finding::isPassed);
        }

        String reasons() {
            return String.join(
                    "; ",
                    findings.stream()
                            .filter(finding -> !finding.isPassed())
                            .map(finding -> finding.id() + ": " + finding.message())
                            .toList());
        }
    }

    @Override
    public int run(Arguments arguments, Session session) {
        Preflight preflight = CheckCommand.preflight(arguments);
        Fleet fleet = FleetOptions.read(arguments, session);
        List<Result> results = new ArrayList<>();
        for (FleetHost host : FleetOptions.filter(arguments, fleet)) {
            results.add(new Result(host, preflight.examine(host.registry())));
        }
        boolean passed = !results.isEmpty() && results.stream().allMatch(Result::passed);
        Report.print(arguments, session, () -> json(results, passed), terminal -> text(results, terminal));
        if (results.isEmpty()) {
            session.note("muster: none of " + Count.of(fleet.hosts().size(), "host") + " matches");
        }
        return passed ? FleetOptions.exitCode(arguments, fleet) : ExitCode.NO;
    }

    /// Hosts that fail for the same reason share a line.
    private static String text(List<Result> results, Terminal terminal) {
        StringBuilder out = new StringBuilder();
        Map<String, List<FleetHost>> failed = new LinkedHashMap<>();
        List<FleetHost> passed = new ArrayList<>();
        for (Result result : results) {
            if (result.passed()) {
                passed.add(result.host);
            } else {
                failed.computeIfAbsent(result.reasons(), _ -> new ArrayList<>()).add(result.host);
            }
        }
        if (!passed.isEmpty()) {
            out.append(terminal.green("PASS") + "  " + Count.of(passed.size(), "host") + ": "
                    + FleetText.names(passed, MOST_NAMES) + "\n");
        }
        failed.forEach((reason, hosts) -> out.append(terminal.red("FAIL") + "  " + Count.of(hosts.size(), "host") + ": "
                + FleetText.names(hosts, MOST_NAMES) + ": " + Printable.of(reason) + "\n"));
        return out.toString();
    }

    private static JsonValue json(List<Result> results, boolean passed) {
        return JsonObject.document("fleet-check")
                .put("passed", passed)
                .put(
                        "hosts",
                        results,
                        result -> JsonObject.builder()
                                .put("host", result.host.name())
                                .put("passed", result.passed())
                                .put(
                                        "checks",
                                        result.findings,
                                        finding -> JsonObject.builder()
                                                .put("id", finding.id())
                                                .put("passed", finding.isPassed())
                                                .put("message", finding.message())
                                                .build())
                                .build())
                .build();
    }
}
