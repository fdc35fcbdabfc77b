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

    static Verdict complete(Patient patient) {
        List<String> gaps = gaps(patient, false);
        return gaps.isEmpty()
                ? Verdict.pass("every source that was asked has answered")
                : Verdict.warn(named(gaps), "see 'muster detect --log-level debug' for what was asked");
    }

    static Verdict consistent(Patient patient) {
        List<String> conflicts = gaps(patient, true);
        return conflicts.isEmpty()
                ? Verdict.pass("no two sources contradict each other")
                : Verdict.warn(named(conflicts), "compare the sources in 'muster detect --json'");
    }

    private static List<String> gaps(Patient patient, boolean conflicts) {
        List<String> texts = new ArrayList<>();
        for (Gap gap : patient.registry().gaps()) {
            if (gap instanceof Gap.Conflict == conflicts && !Examination.isLateFile(gap)) {
                texts.add(gap.display());
            }
        }
        return texts;
    }

    static Verdict memoryErrors(Patient patient) {
        return judged(
                Status.WARN,
                complaints(
                        patient,
                        device -> device.reading(DeviceFact.ECC_UNCORRECTED)
                                .find()
                                .filter(count -> count > 0)
                                .map(count -> Check.count(count, "memory error") + " that could not be corrected")),
                "reset the device; replace it if the number grows",
                isTold(patient, DeviceFact.ECC_UNCORRECTED) ? "no uncorrected memory errors" : "",
                "no device counts memory errors");
    }

    static Verdict pcieWidth(Patient patient) {
        return judged(
                Status.WARN,
                complaints(patient, RegistryChecks::lostLanes),
                "reseat the card, and look at the slot's settings in the firmware",
                isTold(patient, DeviceFact.PCIE_WIDTH) ? "every device has all its PCIe lanes" : "",
                "no device tells its PCIe lanes");
    }

    private static Optional<String> lostLanes(AcceleratorProfile device) {
        Optional<Long> width = device.reading(DeviceFact.PCIE_WIDTH).find();
        Optional<Long> most = device.reading(DeviceFact.PCIE_WIDTH_MAX).find();
        return width.isPresent() && most.isPresent() && width.get() > 0 && width.get() < most.get()
                ? Optional.of("runs with " + width.get() + " of " + most.get() + " PCIe lanes")
                : Optional.empty();
    }

    static Verdict fabricUp(Patient patient) {
        List<Link> links = patient.registry().topology().links().stream()
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
                "look at the fabric's manager and its log",
                links.isEmpty() ? "" : "no link of a fabric is down",
                "no fabric joins devices");
    }

    static Verdict raidHealthy(Patient patient) {
        List<String> arrays = new ArrayList<>();
        for (StorageDevice drive : patient.registry().systemIo().storage()) {
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
                "no drives are joined to an array");
    }

    /// @param bad the status where there are complaints
    /// @param well what is said where there are none; blank where nothing was told
    /// @param silent what is said where nothing was told
    static Verdict judged(Status bad, List<String> complaints, String next, String well, String silent) {
        if (!complaints.isEmpty()) {
            return new Verdict(bad, named(complaints), next);
        }
        return well.isEmpty() ? Verdict.skip(silent) : Verdict.pass(well);
    }

    static boolean isTold(Patient patient, DeviceFact<?> fact) {
        return patient.registry().profiles().stream()
                .anyMatch(device -> device.reading(fact).isKnown());
    }

    static List<String> complaints(Patient patient, Function<AcceleratorProfile, Optional<String>> complaint) {
        List<String> texts = new ArrayList<>();
        for (AcceleratorProfile device : patient.registry().profiles()) {
            complaint.apply(device).ifPresent(text -> texts.add(device.id() + ": " + text));
        }
        return texts;
    }

    static String named(List<String> texts) {
        String first = String.join("; ", texts.subList(0, Math.min(MOST_NAMED, texts.size())));
        return texts.size() > MOST_NAMED ? first + "; and " + (texts.size() - MOST_NAMED) + " more" : first;
    }
}
