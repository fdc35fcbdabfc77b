// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Finding;
import dev.muster.core.Finding.Status;
import dev.muster.core.Gap;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.probe.PciInventory;
import dev.muster.detect.timed.TimedFiles;
import dev.muster.detect.timed.TimedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// One run of checks. It always ends in time: checks run on threads of their own, and a file that
/// does not answer is not touched again. Confined to one thread.
final class DoctorRun {
    static final String IN_TIME = "host.files.in-time";

    private static final double MILLIS = 1000.0;

    private final Host host;
    private final AcceleratorRegistry registry;
    private final Duration limit;
    private final Deadline end;
    private final TimedFiles files;

    DoctorRun(Host host, AcceleratorRegistry registry, Duration limit) {
        this.files = new TimedFiles(host.files());
        this.host = new Host(
                host.system(),
                host.architecture(),
                files,
                host.commands(),
                host.libraries(),
                host.variables(),
                host.clock());
        this.registry = registry;
        this.limit = limit;
        this.end = Deadline.in(limit);
        for (Gap gap : registry.gaps()) {
            if (gap instanceof Gap.Timeout late && isFile(late)) {
                files.giveUp(late);
            }
        }
    }

    /// Reports whether a gap is a file that did not answer, not a tool.
    static boolean isLateFile(Gap gap) {
        return gap instanceof Gap.Timeout late && isFile(late);
    }

    private static boolean isFile(Gap.Timeout late) {
        return late.tool().startsWith("/");
    }

    /// @param ofHost checks that look at the host
    /// @param ofRegistry checks that look at the registry alone
    List<Finding> findings(List<Check> ofHost, List<Check> ofRegistry) {
        PciInventory pci = ask("bus", () -> PciInventory.scan(files))
                .orElseGet(() -> PciInventory.scan(new HostBuilder().build().files()));
        CheckContext context = new CheckContext(host, pci, registry, files);
        List<Finding> findings = new ArrayList<>();
        for (Check check : ofHost) {
            findings.add(ask(check.id(), () -> check.examine(context))
                    .orElseGet(() -> new Finding(check.id(), Status.SKIP, "no time was left for this check", "")));
        }
        findings.add(inTime());
        for (Check check : ofRegistry) {
            findings.add(check.examine(context));
        }
        return findings;
    }

    private <T> Optional<T> ask(String name, Supplier<T> work) {
        TimedTask<T> task = TimedTask.start(name, files, work);
        TimedTask.await(List.of(task), files, limit, () -> end.remaining().toNanos());
        return task.finish(limit);
    }

    private Finding inTime() {
        List<String> late = files.late().stream()
                .map(gap -> gap.tool() + " did not answer within " + Math.round(gap.limitSeconds() * MILLIS) + " ms")
                .toList();
        return late.isEmpty()
                ? new Finding(IN_TIME, Status.PASS, "every file that was read answered in time", "")
                : new Finding(
                        IN_TIME,
                        Status.WARN,
                        RegistryChecks.named(late),
                        "check in the kernel log (dmesg) whether its driver or file system hangs; if it is only slow,"
                                + " give detection more time");
    }
}
