package dev.muster.cli;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.FixedText;
import dev.muster.core.StorageDevice;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.unit.Bandwidth;
import dev.muster.plan.search.DevicePool;
import dev.muster.plan.search.HostLinks;
import dev.muster.plan.search.MixedDevice;
import dev.muster.plan.time.TrainingRun.Offload;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.OffloadStore.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// `muster train --offload`: what may lie outside of the devices, and where.
final class TrainingOffload {
    static final OptionSpec OFFLOAD = OptionSpec.choice(
            "offload",
            "WHAT",
            Arrays.stream(Offload.values()).map(Offload::label).toList(),
            "what may lie outside of the devices: none (default), optimizer (its states) or all (weights and gradients"
                    + " too)");
    static final OptionSpec TO = OptionSpec.choice(
            "offload-to",
            "WHERE",
            Arrays.stream(Place.values()).map(Place::label).toList(),
            "where that lies: host (its memory, the default) or disk (its drives)");
    static final OptionSpec DISK_BANDWIDTH = OptionSpec.value(
            "disk-bandwidth",
            "GB/S",
            "how fast the drives of a host are together, in 10^9 bytes per second; else as its fastest drive says");

    static final List<OptionSpec> OPTIONS = List.of(OFFLOAD, TO, HostMemoryFacts.HOST_BANDWIDTH, DISK_BANDWIDTH);

    private static final double GIGA = 1e9;

    private TrainingOffload() {}

    /// The most that may lie outside.
    ///
    /// @throws UsageException if other options ask for what nothing is left outside for
    static Offload most(Arguments arguments) {
        Offload most = arguments.find(OFFLOAD).map(TrainingOffload::offload).orElse(Offload.NONE);
        if (most == Offload.NONE) {
            CommonOptions.refuse(
                    arguments,
                    List.of(TO, HostMemoryFacts.HOST_BANDWIDTH, DISK_BANDWIDTH),
                    "nothing lies outside of the devices without --offload optimizer or all");
        }
        return most;
    }

    private static Offload offload(String label) {
        return Arrays.stream(Offload.values())
                .filter(one -> one.label().equals(label))
                .findFirst()
                .orElseThrow();
    }

    /// What hosts offer to devices of one kind.
    static OffloadStore store(
            Arguments arguments,
            AcceleratorRegistry registry,
            DevicePool pool,
            Optional<CalibrationDocument> measured) {
        Place place = arguments.find(TO).filter(Place.DISK.label()::equals).isPresent() ? Place.DISK : Place.HOST;
        List<String> assumptions = new ArrayList<>();
        double bytes = room(registry, place, assumptions);
        double link = link(registry, pool, assumptions);
        double memory = HostMemoryFacts.rate(arguments, registry, measured)
                .map(HostMemoryFacts.Rate::bytesPerSecond)
                .orElseGet(() -> {
                    double usual = OffloadStore.usualMemory(pool);
                    assumptions.add("the memory of a host moves " + rate(usual)
                            + " (a guess; say it with --host-bandwidth, or measure it with 'muster calibrate --cpu')");
                    return usual;
                });
        double drives = place == Place.DISK ? drives(arguments, registry, assumptions) : OffloadStore.DRIVE;
        return new OffloadStore(place, bytes, link, memory, drives, assumptions);
    }

    private static double room(AcceleratorRegistry registry, Place place, List<String> assumptions) {
        if (place == Place.DISK) {
            assumptions.add("the drives have room for it");
            return Double.POSITIVE_INFINITY;
        }
        return HostMemoryFacts.usable(registry)
                .map(usable -> usable / HostLinks.machines(registry))
                .orElseGet(() -> {
                    assumptions.add("the host has room for it (its memory is not known)");
                    return Double.POSITIVE_INFINITY;
                });
    }

    private static double link(AcceleratorRegistry registry, DevicePool pool, List<String> assumptions) {
        OptionalDouble slowest = registry.available().stream()
                .flatMap(profile -> profile.reading(DeviceFact.PCIE_BANDWIDTH).find().stream())
                .mapToDouble(Bandwidth::gigabytesPerSecond)
                .filter(rate -> rate > 0)
                .min();
        if (slowest.isPresent()) {
            return slowest.getAsDouble() * GIGA;
        }
        double usual = MixedDevice.of(pool.device(), pool.name()).hostLink();
        assumptions.add("each device reaches its host with " + rate(usual)
                + (pool.device().isSwitched() ? " (16 lanes of PCI Express 3.0)" : " (its data sheet)"));
        return usual;
    }

    private static double drives(Arguments arguments, AcceleratorRegistry registry, List<String> assumptions) {
        Optional<String> given = arguments.find(DISK_BANDWIDTH);
        if (given.isPresent()) {
            return HostMemoryFacts.bytesPerSecond(DISK_BANDWIDTH, given.get());
        }
        OptionalDouble fastest = registry.systemIo().storage().stream()
                .map(StorageDevice::bandwidth)
                .flatMap(bandwidth -> bandwidth.find().stream())
                .mapToDouble(Bandwidth::gigabytesPerSecond)
                .filter(rate -> rate > 0)
                .max();
        if (fastest.isPresent()) {
            return fastest.getAsDouble() * GIGA;
        }
        assumptions.add(
                "the drives of a host move " + rate(OffloadStore.DRIVE) + " (a guess; say it with --disk-bandwidth)");
        return OffloadStore.DRIVE;
    }

    private static String rate(double bytesPerSecond) {
        return FixedText.of(bytesPerSecond / GIGA, 0) + " GB/s";
    }
}
