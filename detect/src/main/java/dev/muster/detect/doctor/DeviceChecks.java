// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import dev.muster.core.DeviceUsability.Obstacle;
import dev.muster.core.Finding.Status;
import dev.muster.core.Gap;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.doctor.Check.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Checks of what keeps single devices from being used, or from their speed.
final class DeviceChecks {
    private static final List<DeviceFact<?>> FABRIC = List.of(DeviceFact.FABRIC_STATE, DeviceFact.FABRIC_LINKS_DOWN);
    private static final List<DeviceFact<?>> MEMORY =
            List.of(DeviceFact.ECC_UNCORRECTED, DeviceFact.ROW_REMAPPING, DeviceFact.SRAM_THRESHOLD_EXCEEDED);
    /// Idle devices lower their link to save power.
    private static final double BUSY = 0.5;

    private DeviceChecks() {}

    static Verdict available(CheckContext context) {
        Verdict verdict = judge(
                context,
                reason -> reason.obstacle() == Obstacle.UNAVAILABLE && !isOf(reason, FABRIC),
                "every device",
                "no device");
        long usable = DeviceChoice.defaults(context.registry()).accelerators().size();
        if (verdict.status() != Status.FAIL) {
            return Verdict.pass(
                    usable == 0
                            ? "no accelerator was found; the processor can be used"
                            : Check.count(usable, "accelerator") + " can be used");
        }
        String rest = usable == 0 ? "no accelerator can" : Check.count(usable, "other") + " can";
        return Verdict.fail(verdict.message() + "; " + rest, verdict.next());
    }

    static Verdict health(CheckContext context) {
        return judge(
                context,
                reason -> isOf(reason, List.of(DeviceFact.HEALTH)),
                RegistryChecks.isReported(context, DeviceFact.HEALTH)
                        ? "every device that reports its health is healthy"
                        : "",
                "no device reports its health");
    }

    static Verdict memoryErrors(CheckContext context) {
        return judge(
                context,
                reason -> isOf(reason, MEMORY),
                RegistryChecks.isReported(context, DeviceFact.ECC_UNCORRECTED) ? "no uncorrected memory errors" : "",
                "no device reports memory errors");
    }

    static Verdict visible(CheckContext context) {
        return judge(
                context, reason -> reason.obstacle() == Obstacle.HIDDEN, "", "no environment variable hides a device");
    }

    /// The verdict on the reasons of one kind, over all devices: the worst of them.
    private static Verdict judge(
            CheckContext context, Predicate<DeviceUsability.Reason> wanted, String well, String silent) {
        List<String> complaints = new ArrayList<>();
        List<DeviceUsability.Reason> found = new ArrayList<>();
        Status worst = Status.WARN;
        for (AcceleratorProfile device : context.registry().profiles()) {
            for (DeviceUsability.Reason reason :
                    DeviceUsability.of(device).reasons().stream().filter(wanted).toList()) {
                complaints.add(device.id() + " " + reason.words());
                found.add(reason);
                boolean isWarning = reason.obstacle() == Obstacle.WARNING || reason.obstacle() == Obstacle.HIDDEN;
                worst = isWarning ? worst : Status.FAIL;
            }
        }
        return RegistryChecks.judged(worst, complaints, HealthAdvice.of(found), well, silent);
    }

    private static boolean isOf(DeviceUsability.Reason reason, List<DeviceFact<?>> facts) {
        return reason.evidence().filter(facts::contains).isPresent();
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
        return judge(
                context,
                reason -> isOf(reason, FABRIC),
                RegistryChecks.isReported(context, DeviceFact.FABRIC_STATE)
                        ? "every NVLink fabric is up and healthy"
                        : "",
                "no device reports an NVLink fabric");
    }

    static Verdict throttling(CheckContext context) {
        return judge(
                context,
                reason -> isOf(reason, List.of(DeviceFact.THROTTLING)),
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
