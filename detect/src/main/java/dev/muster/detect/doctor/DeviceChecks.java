// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Finding.Status;
import dev.muster.core.Gap;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.doctor.Check.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Checks of what keeps single devices from being used, or from their speed.
final class DeviceChecks {
    private static final String WELL = "ok";
    /// Idle devices lower their link to save power.
    private static final double BUSY = 0.5;

    private DeviceChecks() {}

    static Verdict available(Patient patient) {
        List<AcceleratorProfile> gone = patient.registry().profiles().stream()
                .filter(device -> !device.available() && !device.isDivided())
                .toList();
        long usable = patient.registry().available().stream()
                .filter(device -> device.accelerator().family() != AcceleratorFamily.CPU)
                .count();
        if (gone.isEmpty()) {
            return Verdict.pass(
                    usable == 0
                            ? "no accelerator was found; the processor can be used"
                            : Check.count(usable, "accelerator") + " can be used");
        }
        String rest = usable == 0 ? "no accelerator can" : Check.count(usable, "other") + " can";
        return Verdict.fail(
                RegistryChecks.named(gone.stream()
                                .map(device -> device.id() + " cannot be used now")
                                .toList())
                        + "; " + rest,
                HealthAdvice.of(gone.stream()
                        .flatMap(device -> findComplaint(device).stream())
                        .toList()));
    }

    static Verdict health(Patient patient) {
        List<String> words = patient.registry().profiles().stream()
                .flatMap(device -> findComplaint(device).stream())
                .toList();
        return RegistryChecks.judged(
                Status.FAIL,
                RegistryChecks.complaints(patient, DeviceChecks::findComplaint),
                HealthAdvice.of(words),
                RegistryChecks.isTold(patient, DeviceFact.HEALTH) ? "every device that tells is well" : "",
                "no device tells whether it is well");
    }

    private static Optional<String> findComplaint(AcceleratorProfile device) {
        return device.reading(DeviceFact.HEALTH).find().filter(words -> !words.equalsIgnoreCase(WELL));
    }

    /// A GPU in MIG mode without slices serves nobody.
    static Verdict slices(Patient patient) {
        List<AcceleratorProfile> divided = patient.registry().profiles().stream()
                .filter(AcceleratorProfile::isDivided)
                .toList();
        List<String> empty = divided.stream()
                .filter(gpu -> patient.registry().profiles().stream()
                        .noneMatch(slice -> slice.partition()
                                .filter(partition -> partition.parent().equals(gpu.id()))
                                .isPresent()))
                .map(gpu -> gpu.id() + " is in MIG mode and has no slice")
                .toList();
        return RegistryChecks.judged(
                Status.WARN,
                empty,
                "make slices: nvidia-smi mig -cgi PROFILE -C (nvidia-smi mig -lgip lists profiles), or leave the mode:"
                        + " nvidia-smi -mig 0",
                divided.isEmpty() ? "" : Check.count(divided.size(), "GPU") + " in MIG mode with slices",
                "no GPU is in MIG mode");
    }

    static Verdict fabricHealth(Patient patient) {
        return RegistryChecks.judged(
                Status.FAIL,
                RegistryChecks.complaints(
                        patient,
                        device -> device.reading(DeviceFact.FABRIC_STATE)
                                .find()
                                .filter(DeviceChecks::isUnwell)
                                .map(state -> "its NVLink fabric is " + state)),
                "look at the fabric manager (systemctl status nvidia-fabricmanager) and at nvidia-smi -q under Fabric;"
                        + " restart it with no job running, and have links that stay unhealthy repaired",
                RegistryChecks.isTold(patient, DeviceFact.FABRIC_STATE) ? "every NVLink fabric is up and healthy" : "",
                "no device is part of a fabric that tells");
    }

    private static boolean isUnwell(String state) {
        String words = state.toLowerCase(Locale.ROOT);
        return !words.equals("completed");
    }

    static Verdict throttling(Patient patient) {
        return RegistryChecks.judged(
                Status.WARN,
                RegistryChecks.complaints(
                        patient,
                        device -> device.reading(DeviceFact.THROTTLING)
                                .find()
                                .filter(reasons -> reasons.contains("hw ") || reasons.contains("thermal"))
                                .map(reasons -> "its clocks are held down: " + reasons)),
                "look at cooling and air flow (thermal), at cables and power supply (power brake, hw slowdown)",
                RegistryChecks.isTold(patient, DeviceFact.THROTTLING) ? "heat and power let every clock rise" : "",
                "no device tells what holds its clocks down");
    }

    static Verdict pcieSpeed(Patient patient) {
        return RegistryChecks.judged(
                Status.WARN,
                RegistryChecks.complaints(patient, DeviceChecks::slowLink),
                "look at the slot's settings in the firmware, at risers and cables; lspci -vv shows both ends of the link",
                RegistryChecks.isTold(patient, DeviceFact.PCIE_GENERATION_MAX)
                        ? "no busy device has a PCIe link below its ability"
                        : "",
                "no device tells the speed of its PCIe link");
    }

    private static Optional<String> slowLink(AcceleratorProfile device) {
        Optional<Long> now = device.reading(DeviceFact.PCIE_GENERATION).find();
        Optional<Long> most = device.reading(DeviceFact.PCIE_GENERATION_MAX).find();
        boolean busy = device.reading(DeviceFact.UTILIZATION)
                .find()
                .map(Ratio::value)
                .filter(load -> load > BUSY)
                .isPresent();
        return busy && now.isPresent() && most.isPresent() && now.get() < most.get()
                ? Optional.of("is busy over PCIe " + now.get() + " of " + most.get())
                : Optional.empty();
    }

    /// A kernel module and libraries of different releases do not talk to each other.
    static Verdict versions(Patient patient) {
        List<String> mixed = new ArrayList<>();
        List<String> drivers = patient.registry().profiles().stream()
                .filter(device -> device.partition().isEmpty())
                .filter(device -> device.id().text().startsWith("cuda:"))
                .flatMap(device -> device.reading(DeviceFact.DRIVER_VERSION).find().stream())
                .distinct()
                .toList();
        if (drivers.size() > 1) {
            mixed.add("GPUs with several drivers: " + String.join(", ", drivers));
        }
        for (Gap gap : patient.registry().gaps()) {
            String text = gap.display();
            if (HealthAdvice.isMismatch(text) && !mixed.contains(text)) {
                mixed.add(text);
            }
        }
        return RegistryChecks.judged(
                Status.FAIL,
                mixed,
                HealthAdvice.MISMATCH,
                drivers.isEmpty() ? "" : "NVIDIA's driver and libraries are of one release",
                "no driver of NVIDIA's tells its release");
    }
}
