// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.doctor.Check.Verdict;
import dev.muster.detect.host.HostAnswer;
import java.util.List;
import java.util.Optional;

/// Checks of the host itself.
final class HostChecks {
    private static final String NOT_LINUX = "only on Linux";
    private static final List<String> FILES = List.of("/proc/meminfo", "/proc/cpuinfo");
    private static final String PCI = "/sys/bus/pci/devices";
    private static final int MAX_BYTES = 4 << 20;
    private static final double MIB_PER_GIB = 1024;

    private HostChecks() {}

    static Verdict filesReadable(CheckContext context) {
        if (!context.isLinux()) {
            return Verdict.skip(NOT_LINUX);
        }
        for (String path : FILES) {
            HostAnswer<String> outcome = context.host().files().read(path, MAX_BYTES);
            if (!(outcome instanceof HostAnswer.Found<String>)
                    && !context.files().isLate(path)) {
                return Verdict.fail(
                        path + " " + problem(outcome),
                        "mount /proc into the container, or run as a user who may read it");
            }
        }
        return FILES.stream().anyMatch(context.files()::isLate)
                ? Verdict.skip("see " + DoctorRun.IN_TIME)
                : Verdict.pass(String.join(" and ", FILES) + " can be read");
    }

    private static String problem(HostAnswer<String> outcome) {
        return switch (outcome) {
            case HostAnswer.Found<String> _ -> "can be read";
            case HostAnswer.Missing<String> _ -> "does not exist";
            case HostAnswer.NotPermitted<String> _ -> "is not readable: permission denied";
            case HostAnswer.Unreadable(String message) -> "cannot be read: " + message;
        };
    }

    static Verdict pciReadable(CheckContext context) {
        if (!context.isLinux()) {
            return Verdict.skip(NOT_LINUX);
        }
        return switch (context.host().files().list(PCI)) {
            case HostAnswer.Found(List<String> names) ->
                Verdict.pass(Check.count(names.size(), "device") + " on the PCI bus");
            case HostAnswer.Missing<List<String>> _ -> Verdict.skip("this machine shows no PCI bus");
            case HostAnswer.NotPermitted(String reason) ->
                Verdict.warn(PCI + " cannot be listed: " + reason, "mount /sys into the container");
            case HostAnswer.Unreadable(String message) ->
                Verdict.warn(PCI + " cannot be listed: " + message, "mount /sys into the container");
        };
    }

    /// A limit is not a fault; but plans that count on all of the memory would be wrong.
    static Verdict memoryLimit(CheckContext context) {
        if (!context.isLinux()) {
            return Verdict.skip(NOT_LINUX);
        }
        Optional<Bytes> limit = context.registry()
                .systemIo()
                .environment()
                .find()
                .flatMap(environment -> environment.memoryLimit().find());
        Optional<Bytes> memory = context.registry().profiles().stream()
                .filter(profile -> profile.accelerator().family() == AcceleratorFamily.CPU)
                .flatMap(profile -> profile.memory().find().stream())
                .findFirst();
        boolean binds = limit.isPresent() && (memory.isEmpty() || limit.get().compareTo(memory.get()) < 0);
        return Verdict.pass(
                binds
                        ? "this process may use " + text(limit.get())
                                + memory.map(all -> " of " + text(all)).orElse("")
                        : "this process may use all of the memory");
    }

    private static String text(Bytes memory) {
        return memory.toGib() < 1
                ? FixedText.of(memory.toGib() * MIB_PER_GIB, 1) + " MiB"
                : FixedText.of(memory.toGib(), 1) + " GiB";
    }
}
