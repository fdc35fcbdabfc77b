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

    static Verdict available(CheckContext context) {
        List<AcceleratorProfile> gone = context.registry().profiles().stream()
                .filter(device -> !device.available() && !device.isDivided())
                .toList();
        long usable = context.registry().available().stream()
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

    static Verdict health(CheckContext context) {
        List<String> words = context.registry().profiles().stream()
                .flatMap(device -> findComplaint(device).stream())
                .toList();
        return RegistryChecks.judged(
                Status.FAIL,
                RegistryChecks.complaints(context, DeviceChecks::findComplaint),
                HealthAdvice.of(words),
                RegistryChecks.isReported(context, DeviceFact.HEALTH)
                        ? "every device that reports its health is healthy"
                        : "",
                "no device reports its health");
    }

    private static Optional<String> findComplaint(AcceleratorProfile device) {
        return device.reading(DeviceFact.HEALTH).find().filter(words -> !words.equalsIgnoreCase(WELL));
    }

    /// A GPU in MIG mode without slices cannot be used.
    static Verdict slices(CheckContext context) {
        List<AcceleratorProfile> divided = context.registry().profiles().stream()
                .filter(AcceleratorProfile::isDivided)
                .toList();
        List<String> empty = divided.stream()
                .filter(gpu -> context.registry().profiles().stream()
                        .noneMatch(slice -> slice.partition()
                                .filter(partition -> partition.parent().equals(gpu.id()))
                                .isPresent()))
                .map(gpu -> gpu.id() + " is in MIG mode without slices")
                .toList();
        return RegistryChecks.judged(
                Status.WARN,
                empty,
                "create slices: nvidia-smi mig -cgi PROFILE -C (nvidia-smi mig -lgip lists profiles), or disable MIG mode:"
                        + " nvidia-smi -mig 0",
                divided.isEmpty() ? "" : Check.count(divided.size(), "GPU") + " in MIG mode with slices",
                "no GPU is in MIG mode");
    }

    static Verdict fabricHealth(CheckContext context) {
        return RegistryChecks.judged(
                Status.FAIL,
                RegistryChecks.complaints(
                        context,
                        device -> device.reading(DeviceFact.FABRIC_STATE)
                                .find()
                                .filter(DeviceChecks::isUnhealthy)
                                .map(state -> "its NVLink fabric is " + state)),
                "check the fabric manager (systemctl status nvidia-fabricmanager) and the Fabric section of nvidia-smi -q;"
                        + " restart it with no job running, and have links that stay unhealthy repaired",
                RegistryChecks.isReported(context, DeviceFact.FABRIC_STATE)
                        ? "every NVLink fabric is up and healthy"
                        : "",
                "no device reports an NVLink fabric");
    }

    private static boolean isUnhealthy(String state) {
        String words = state.toLowerCase(Locale.ROOT);
        return !words.equals("completed");
    }

    static Verdict throttling(CheckContext context) {
        return RegistryChecks.judged(
                Status.WARN,
                RegistryChecks.complaints(
                        context,
                        device -> device.reading(DeviceFact.THROTTLING)
                                .find()
                                .filter(reasons -> reasons.contains("hw ") || reasons.contains("thermal"))
                                .map(reasons -> "its clocks are throttled: " + reasons)),
                "check cooling and air flow (thermal), cables and power supply (power brake, hw slowdown)",
                RegistryChecks.isReported(context, DeviceFact.THROTTLING)
                        ? "no clock is throttled by heat or power"
                        : "",
                "no device reports throttling");
    }

    static Verdict pcieSpeed(CheckContext context) {
        return RegistryChecks.judged(
                Status.WARN,
                RegistryChecks.complaints(context, DeviceChecks::slowLink),
                "check the slot's firmware settings, risers and cables; lspci -vv shows both ends of the link",
                RegistryChecks.isReported(context, DeviceFact.PCIE_GENERATION_MAX)
                        ? "every busy device uses its full PCIe link"
                        : "",
                "no device reports the speed of its PCIe link");
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
    static Verdict versions(CheckContext context) {
        List<String> mixed = new ArrayList<>();
        List<String> drivers = context.registry().profiles().stream()
                .filter(device -> device.partition().isEmpty())
                .filter(device -> device.id().text().startsWith("cuda:"))
                .flatMap(device -> device.reading(DeviceFact.DRIVER_VERSION).find().stream())
                .distinct()
                .toList();
        if (drivers.size() > 1) {
            mixed.add("GPUs with several drivers: " + String.join(", ", drivers));
        }
        for (Gap gap : context.registry().gaps()) {
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
                "no NVIDIA driver reports its release");
    }
}
