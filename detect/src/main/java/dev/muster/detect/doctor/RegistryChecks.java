package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
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
            if (gap instanceof Gap.Conflict == conflicts) {
                texts.add(gap.display());
            }
        }
        return texts;
    }

    static Verdict available(Patient patient) {
        List<String> gone = complaints(
                patient, device -> device.available() ? Optional.empty() : Optional.of("cannot be used now"));
        return gone.isEmpty()
                ? Verdict.pass(Check.count(patient.registry().profiles().size(), "device") + " can be used")
                : Verdict.fail(named(gone), "look at the kernel's log: dmesg");
    }

    static Verdict health(Patient patient) {
        boolean told = patient.registry().profiles().stream()
                .anyMatch(device -> device.reading(DeviceFact.HEALTH).isKnown());
        List<String> unwell = complaints(patient, RegistryChecks::unwell);
        if (!unwell.isEmpty()) {
            return Verdict.fail(named(unwell), "drain the device and follow the vendor's guide for this message");
        }
        return told
                ? Verdict.pass("every device that tells is well")
                : Verdict.skip("no device tells whether it is well");
    }

    private static Optional<String> unwell(AcceleratorProfile device) {
        return device.reading(DeviceFact.HEALTH).find().filter(words -> !words.equalsIgnoreCase("ok"));
    }

    static Verdict memoryErrors(Patient patient) {
        boolean told = patient.registry().profiles().stream()
                .anyMatch(device -> device.reading(DeviceFact.ECC_UNCORRECTED).isKnown());
        List<String> errors = complaints(
                patient,
                device -> device.reading(DeviceFact.ECC_UNCORRECTED)
                        .find()
                        .filter(count -> count > 0)
                        .map(count -> Check.count(count, "memory error") + " that could not be corrected"));
        if (!errors.isEmpty()) {
            return Verdict.warn(named(errors), "reset the device; replace it if the number grows");
        }
        return told ? Verdict.pass("no uncorrected memory errors") : Verdict.skip("no device counts memory errors");
    }

    static Verdict pcieWidth(Patient patient) {
        boolean told = patient.registry().profiles().stream()
                .anyMatch(device -> device.reading(DeviceFact.PCIE_WIDTH).isKnown());
        List<String> narrow = complaints(patient, RegistryChecks::lostLanes);
        if (!narrow.isEmpty()) {
            return Verdict.warn(named(narrow), "reseat the card, and look at the slot's settings in the firmware");
        }
        return told
                ? Verdict.pass("every device has all its PCIe lanes")
                : Verdict.skip("no device tells its PCIe lanes");
    }

    private static Optional<String> lostLanes(AcceleratorProfile device) {
        Optional<Long> width = device.reading(DeviceFact.PCIE_WIDTH).find();
        Optional<Long> most = device.reading(DeviceFact.PCIE_WIDTH_MAX).find();
        return width.isPresent() && most.isPresent() && width.get() > 0 && width.get() < most.get()
                ? Optional.of("runs with " + width.get() + " of " + most.get() + " PCIe lanes")
                : Optional.empty();
    }

    static Verdict fabricUp(Patient patient) {
        List<String> down = new ArrayList<>();
        boolean some = false;
        for (Link link : patient.registry().topology().links()) {
            some |= link.kind().isDeviceFabric();
            if (link.kind().isDeviceFabric() && link.isDown()) {
                down.add(link.from() + " - " + link.to() + " (" + link.kind().text() + ") is down");
            }
        }
        if (!down.isEmpty()) {
            return Verdict.fail(named(down), "look at the fabric's manager and its log");
        }
        return some ? Verdict.pass("no link of a fabric is down") : Verdict.skip("no fabric joins devices");
    }

    static Verdict raidHealthy(Patient patient) {
        List<String> unwell = new ArrayList<>();
        boolean some = false;
        for (StorageDevice drive : patient.registry().systemIo().storage()) {
            String state = drive.state().find().orElse("");
            if (drive.kind() == StorageDevice.Kind.RAID && !state.isEmpty()) {
                some = true;
                if (state.startsWith("degraded") || state.startsWith("inactive")) {
                    unwell.add(drive.name() + " is " + state);
                }
            }
        }
        if (!unwell.isEmpty()) {
            return Verdict.warn(
                    named(unwell), "see 'mdadm --detail' of the array for the failed drive, and replace it");
        }
        return some ? Verdict.pass("every array has all its drives") : Verdict.skip("no drives are joined to an array");
    }

    private static List<String> complaints(Patient patient, Function<AcceleratorProfile, Optional<String>> complaint) {
        List<String> texts = new ArrayList<>();
        for (AcceleratorProfile device : patient.registry().profiles()) {
            complaint.apply(device).ifPresent(text -> texts.add(device.id() + ": " + text));
        }
        return texts;
    }

    private static String named(List<String> texts) {
        String first = String.join("; ", texts.subList(0, Math.min(MOST_NAMED, texts.size())));
        return texts.size() > MOST_NAMED ? first + "; and " + (texts.size() - MOST_NAMED) + " more" : first;
    }
}
