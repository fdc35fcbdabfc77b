// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The suitability of a device for work, with the reasons against it and the facts they rest on. Detection, checks,
/// plans, fleets and monitors all go by this one rule. Immutable and safe to share between threads.
///
/// Thresholds follow the vendors' published criteria (2026-11): NVIDIA's *GPU Memory Error Management* (row remapping,
/// SRAM threshold), *GPU Debug Guidelines* and the health checks of DCGM (NVLink, fabric). Programs that already run
/// are an assumption of Muster's own: [#BUSY_LOAD], [#BUSY_MEMORY].
///
/// @param reasons the reasons, the first of which explains an unusable device; empty for a device without a fault
/// @since 0.2
public record DeviceUsability(List<Reason> reasons) {
    /// A device with a higher utilization than this is in use by other processes.
    public static final double BUSY_LOAD = 0.5;
    /// So does one of whose memory more than this is taken.
    public static final double BUSY_MEMORY = 0.5;

    private static final String HEALTHY = "ok";
    private static final DeviceUsability WITHOUT_FAULT = new DeviceUsability(List.of());
    private static final String COMPLETED = "completed";

    /// Copies the list.
    public DeviceUsability {
        reasons = List.copyOf(reasons);
    }

    /// A reason against a device, or a warning.
    ///
    /// @param obstacle the kind of reason
    /// @param words the predicate of a sentence about the device, such as `has 3 uncorrected memory errors`
    /// @param evidence the fact that shows it; availability alone has none
    public record Reason(Obstacle obstacle, String words, Optional<DeviceFact<?>> evidence) {
        private static Reason of(Obstacle obstacle, String words, DeviceFact<?> evidence) {
            return new Reason(obstacle, words, Optional.of(evidence));
        }
    }

    /// The kind of a reason.
    public enum Obstacle implements KebabCaseEnum {
        /// It cannot be used now: lost, without a driver, forbidden.
        UNAVAILABLE,
        /// It says that it is not well, or has errors that its vendor wants it withdrawn for.
        UNHEALTHY,
        /// It is divided, and its slices are devices instead.
        PARTITIONED,
        /// An environment variable hides it from programs.
        HIDDEN,
        /// Others hold its memory or keep it busy.
        IN_USE,
        /// Others were named.
        NOT_NAMED,
        /// It can be used, but something should be looked into.
        WARNING
    }

    /// The usability of a device, judged by its own facts.
    public static DeviceUsability of(AcceleratorProfile device) {
        List<Reason> reasons = new ArrayList<>();
        addState(device, reasons);
        addFabric(device, reasons);
        addMemory(device, reasons);
        addUse(device, reasons);
        addWarnings(device, reasons);
        return reasons.isEmpty() ? WITHOUT_FAULT : new DeviceUsability(reasons);
    }

    /// The usability of a device of a registry: a slice is as healthy as its device, and a device with slices gets no
    /// work itself.
    public static DeviceUsability of(AcceleratorProfile device, AcceleratorRegistry registry) {
        DeviceUsability own = of(device);
        Optional<Partition> partition = device.partition();
        return partition.isPresent()
                ? own.withParent(partition.get().parent(), registry)
                : own.withSlices(device, registry);
    }

    private DeviceUsability withParent(DeviceId parent, AcceleratorRegistry registry) {
        Optional<Reason> fault =
                registry.find(parent).flatMap(whole -> of(whole).find(Obstacle.UNHEALTHY));
        return fault.isEmpty()
                ? this
                : with(new Reason(
                        Obstacle.UNHEALTHY,
                        "belongs to " + parent + ", which " + fault.get().words,
                        fault.get().evidence));
    }

    private DeviceUsability withSlices(AcceleratorProfile device, AcceleratorRegistry registry) {
        int slices = 0;
        for (AcceleratorProfile one : registry.profiles()) {
            Optional<Partition> partition = one.partition();
            slices += partition.isPresent() && partition.get().parent().equals(device.id()) ? 1 : 0;
        }
        if ((slices == 0 && !device.isDivided()) || find(Obstacle.UNAVAILABLE).isPresent()) {
            return this;
        }
        String instead = slices == 1 ? "slice is a device" : slices + " slices are devices";
        return with(Reason.of(
                Obstacle.PARTITIONED,
                "is divided; " + (slices == 0 ? "it has no slice" : "its " + instead + " instead"),
                DeviceFact.PARTITIONING));
    }

    /// Reports whether the device may be given work.
    public boolean isUsable() {
        return findObstacle().isEmpty();
    }

    /// The first reason that keeps the device from being used.
    public Optional<Reason> findObstacle() {
        for (Reason reason : reasons) {
            if (reason.obstacle != Obstacle.WARNING) {
                return Optional.of(reason);
            }
        }
        return Optional.empty();
    }

    /// The first reason of a kind.
    public Optional<Reason> find(Obstacle obstacle) {
        for (Reason reason : reasons) {
            if (reason.obstacle == obstacle) {
                return Optional.of(reason);
            }
        }
        return Optional.empty();
    }

    /// The reasons that tell of a fault: all but those of a healthy device that others use, or that is divided.
    public List<Reason> faults() {
        List<Reason> faults = new ArrayList<>();
        for (Reason reason : reasons) {
            if (reason.obstacle != Obstacle.PARTITIONED && reason.obstacle != Obstacle.IN_USE) {
                faults.add(reason);
            }
        }
        return faults;
    }

    private DeviceUsability with(Reason first) {
        List<Reason> all = new ArrayList<>(reasons);
        all.addFirst(first);
        return new DeviceUsability(all);
    }

    private static void addState(AcceleratorProfile device, List<Reason> reasons) {
        String health = device.reading(DeviceFact.HEALTH).find().orElse(HEALTHY);
        boolean isWell = health.equalsIgnoreCase(HEALTHY);
        // One in MIG mode cannot be used as a whole, and is well all the same.
        if (!device.available() && !isWell) {
            reasons.add(Reason.of(Obstacle.UNAVAILABLE, "cannot be used: " + health, DeviceFact.HEALTH));
        } else if (!device.available() && !device.isDivided()) {
            reasons.add(new Reason(Obstacle.UNAVAILABLE, "cannot be used", Optional.empty()));
        } else if (!isWell) {
            reasons.add(Reason.of(Obstacle.UNHEALTHY, "is unhealthy: " + health, DeviceFact.HEALTH));
        }
        String mode = device.reading(DeviceFact.COMPUTE_MODE).find().orElse("");
        if (mode.equals("prohibited")) {
            reasons.add(Reason.of(Obstacle.UNAVAILABLE, "is in compute mode " + mode, DeviceFact.COMPUTE_MODE));
        }
        String variable = device.reading(DeviceFact.HIDDEN_BY).find().orElse("");
        if (!variable.isEmpty()) {
            reasons.add(Reason.of(Obstacle.HIDDEN, "is hidden by " + variable, DeviceFact.HIDDEN_BY));
        }
    }

    /// A GPU whose fabric is not complete cannot start CUDA (NVIDIA's *Fabric Manager User Guide*); DCGM fails a GPU
    /// with a link that is down.
    private static void addFabric(AcceleratorProfile device, List<Reason> reasons) {
        String state = device.reading(DeviceFact.FABRIC_STATE).find().orElse(COMPLETED);
        String words = state.toLowerCase(Locale.ROOT);
        if (!words.startsWith(COMPLETED)) {
            reasons.add(Reason.of(Obstacle.UNAVAILABLE, "has an incomplete fabric: " + state, DeviceFact.FABRIC_STATE));
        } else if (!words.contains("unhealthy")
                && (words.contains("degraded") || words.contains("limited") || words.contains("recovery"))) {
            reasons.add(Reason.of(Obstacle.WARNING, "has a degraded fabric: " + state, DeviceFact.FABRIC_STATE));
        } else if (!words.equals(COMPLETED)) {
            reasons.add(Reason.of(Obstacle.UNHEALTHY, "has an unhealthy fabric: " + state, DeviceFact.FABRIC_STATE));
        }
        long down = device.reading(DeviceFact.FABRIC_LINKS_DOWN).find().orElse(0L);
        if (down > 0) {
            long up = device.reading(DeviceFact.FABRIC_LINKS).find().orElse(0L);
            reasons.add(Reason.of(
                    Obstacle.UNHEALTHY,
                    "has " + down + " of " + count(up + down, "fabric link") + " down",
                    DeviceFact.FABRIC_LINKS_DOWN));
        }
    }

    private static void addMemory(AcceleratorProfile device, List<Reason> reasons) {
        long errors = device.reading(DeviceFact.ECC_UNCORRECTED).find().orElse(0L);
        if (errors > 0) {
            reasons.add(Reason.of(
                    Obstacle.UNHEALTHY,
                    "has " + count(errors, "uncorrected memory error"),
                    DeviceFact.ECC_UNCORRECTED));
        }
        String remapping = device.reading(DeviceFact.ROW_REMAPPING).find().orElse(HEALTHY);
        if (remapping.equals("failed")) {
            reasons.add(Reason.of(Obstacle.UNHEALTHY, "could not remap a faulty memory row", DeviceFact.ROW_REMAPPING));
        } else if (remapping.equals("pending")) {
            reasons.add(Reason.of(
                    Obstacle.WARNING, "must be reset to remap a faulty memory row", DeviceFact.ROW_REMAPPING));
        }
        if (device.reading(DeviceFact.SRAM_THRESHOLD_EXCEEDED).find().orElse(false)) {
            long lifetime =
                    device.reading(DeviceFact.ECC_UNCORRECTED_LIFETIME).find().orElse(0L);
            reasons.add(Reason.of(
                    Obstacle.UNHEALTHY,
                    "exceeded the threshold of SRAM errors"
                            + (lifetime > 0 ? " (" + count(lifetime, "uncorrected error") + " in its life)" : ""),
                    DeviceFact.SRAM_THRESHOLD_EXCEEDED));
        }
    }

    private static void addUse(AcceleratorProfile device, List<Reason> reasons) {
        double load = ratio(device.reading(DeviceFact.UTILIZATION));
        double taken = taken(device);
        boolean isBusy = load > BUSY_LOAD;
        if (isBusy || taken > BUSY_MEMORY) {
            reasons.add(Reason.of(
                    Obstacle.IN_USE,
                    "is in use: " + percent(load) + " load, " + percent(taken) + " of its memory taken",
                    isBusy ? DeviceFact.UTILIZATION : DeviceFact.MEMORY_FREE));
        }
    }

    private static double ratio(Reading<Ratio> reading) {
        return reading instanceof Reading.Known<Ratio>(Ratio share, var _) ? share.value() : 0;
    }

    /// The share of a device's memory that is taken; 0 where that is not known, and for memory that the host uses too.
    private static double taken(AcceleratorProfile device) {
        double total = bytes(device.memory());
        if (total <= 0 || device.sharesHostMemory()) {
            return 0;
        }
        if (device.reading(DeviceFact.MEMORY_USED).isKnown()) {
            return bytes(device.reading(DeviceFact.MEMORY_USED)) / total;
        }
        return device.memoryFree().isKnown() ? 1 - bytes(device.memoryFree()) / total : 0;
    }

    private static double bytes(Reading<Bytes> reading) {
        return reading instanceof Reading.Known<Bytes>(Bytes size, var _) ? size.toDouble() : 0;
    }

    private static void addWarnings(AcceleratorProfile device, List<Reason> reasons) {
        String causes = device.reading(DeviceFact.THROTTLING).find().orElse("");
        if (causes.contains("hw ") || causes.contains("thermal")) {
            reasons.add(Reason.of(Obstacle.WARNING, "is throttled: " + causes, DeviceFact.THROTTLING));
        }
    }

    private static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }
}
