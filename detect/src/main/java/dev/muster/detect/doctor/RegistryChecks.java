// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Finding.Status;
import dev.muster.core.Gap;
import dev.muster.core.Link;
import dev.muster.core.StorageDevice;
import dev.muster.detect.doctor.Check.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Checks of what detection found.
final class RegistryChecks {
    private static final int MOST_NAMED = 4;

    private RegistryChecks() {}

    static Verdict complete(CheckContext context) {
        List<String> gaps = gaps(context, false);
        return gaps.isEmpty()
                ? Verdict.pass("every queried source answered")
                : Verdict.warn(named(gaps), "the queries of a detection are in its debug log");
    }

    static Verdict consistent(CheckContext context) {
        List<String> conflicts = gaps(context, true);
        return conflicts.isEmpty()
                ? Verdict.pass("no two sources contradict each other")
                : Verdict.warn(named(conflicts), "compare the sources in the JSON of 'muster detect'");
    }

    private static List<String> gaps(CheckContext context, boolean conflicts) {
        List<String> texts = new ArrayList<>();
        for (Gap gap : context.registry().gaps()) {
            if (gap instanceof Gap.Conflict == conflicts && !DoctorRun.isLateFile(gap)) {
                texts.add(gap.display());
            }
        }
        return texts;
    }

    static Verdict pcieWidth(CheckContext context) {
        return judged(
                Status.WARN,
                complaints(context, RegistryChecks::lostLanes),
                "reseat the card, and check the slot's firmware settings",
                isReported(context, DeviceFact.PCIE_WIDTH) ? "every device has all its PCIe lanes" : "",
                "no device reports its PCIe lanes");
    }

    private static Optional<String> lostLanes(AcceleratorProfile device) {
        Optional<Long> width = device.reading(DeviceFact.PCIE_WIDTH).find();
        Optional<Long> most = device.reading(DeviceFact.PCIE_WIDTH_MAX).find();
        return width.isPresent() && most.isPresent() && width.get() > 0 && width.get() < most.get()
                ? Optional.of("runs with " + width.get() + " of " + most.get() + " PCIe lanes")
                : Optional.empty();
    }

    static Verdict fabricUp(CheckContext context) {
        List<Link> links = context.registry().topology().links().stream()
                .filter(link -> link.kind().isDeviceFabric())
                .toList();
        List<String> down = links.stream()
                .filter(Link::isDown)
                .map(link ->
                        link.from() + " - " + link.to() + " (" + link.kind().text() + ") is down")
                .toList();
        return judged(
                Status.FAIL,
                down,
                "check the fabric manager and its log",
                links.isEmpty() ? "" : "no link of a fabric is down",
                "no fabric connects devices");
    }

    static Verdict raidHealthy(CheckContext context) {
        List<String> arrays = new ArrayList<>();
        for (StorageDevice drive : context.registry().systemIo().storage()) {
            if (drive.kind() == StorageDevice.StorageKind.RAID) {
                drive.state().find().ifPresent(state -> arrays.add(drive.name() + " is " + state));
            }
        }
        return judged(
                Status.WARN,
                arrays.stream()
                        .filter(array -> array.contains(" is degraded") || array.contains(" is inactive"))
                        .toList(),
                "see 'mdadm --detail' of the array for the failed drive, and replace it",
                arrays.isEmpty() ? "" : "every array has all its drives",
                "no drive array exists");
    }

    /// @param bad the status where there are complaints
    /// @param well message if there are none; blank if nothing was reported
    /// @param silent message if nothing was reported
    static Verdict judged(Status bad, List<String> complaints, String next, String well, String silent) {
        if (!complaints.isEmpty()) {
            return new Verdict(bad, named(complaints), next);
        }
        return well.isEmpty() ? Verdict.skip(silent) : Verdict.pass(well);
    }

    static boolean isReported(CheckContext context, DeviceFact<?> fact) {
        return context.registry().profiles().stream()
                .anyMatch(device -> device.reading(fact).isKnown());
    }

    static List<String> complaints(CheckContext context, Function<AcceleratorProfile, Optional<String>> complaint) {
        List<String> texts = new ArrayList<>();
        for (AcceleratorProfile device : context.registry().profiles()) {
            complaint.apply(device).ifPresent(text -> texts.add(device.id() + ": " + text));
        }
        return texts;
    }

    static String named(List<String> texts) {
        String first = String.join("; ", texts.subList(0, Math.min(MOST_NAMED, texts.size())));
        return texts.size() > MOST_NAMED ? first + "; and " + (texts.size() - MOST_NAMED) + " more" : first;
    }
}
