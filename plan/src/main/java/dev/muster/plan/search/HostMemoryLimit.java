// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import java.util.Optional;

/// The part of the host's memory that a device may use.
final class HostMemoryLimit {
    /// The share of shared memory that Apple's GPUs may use: three quarters, as macOS sets it.
    private static final double APPLE_SHARE = 0.75;
    /// The memory that other devices with shared memory leave to the operating system.
    private static final Bytes SYSTEM_MEMORY = Bytes.ofGib(4);

    private HostMemoryLimit() {}

    /// Returns the limit of a device in the host's memory: by its driver, or by the control group of the process.
    static Optional<Bytes> find(
            DeviceFigures figures,
            AcceleratorProfile profile,
            AcceleratorRegistry registry,
            DeviceCatalogue catalogue) {
        Optional<Bytes> shared = shared(figures, profile, catalogue);
        Optional<Bytes> group = registry.usableMemory(profile)
                .find()
                .filter(bytes -> profile.usableMemory().matches(all -> bytes.compareTo(all) < 0));
        return group.isEmpty()
                        || shared.filter(bytes -> bytes.compareTo(group.get()) <= 0)
                                .isPresent()
                ? shared
                : group;
    }

    /// Returns the limit of a device in the memory that it shares with the processor.
    private static Optional<Bytes> shared(
            DeviceFigures figures, AcceleratorProfile profile, DeviceCatalogue catalogue) {
        Bytes total = Bytes.of(Math.round(figures.memory()));
        return switch (figures.family()) {
            case APPLE -> Optional.of(Bytes.of(Math.round(APPLE_SHARE * total.toDouble())));
            case NVIDIA_SHARED, CPU -> withoutSystem(total);
            // The driver of an APU reports its limit of the host's memory; a synthetic one has none.
            case AMD_SHARED, OTHER ->
                profile.reading(DeviceFact.MEMORY_SHARED).isKnown()
                        ? Optional.empty()
                        : catalogue
                                .match(profile)
                                .filter(entry -> entry.deviceClass() == DeviceEntry.DeviceClass.APU)
                                .flatMap(_ -> withoutSystem(total));
            case NVIDIA_GDDR, NVIDIA_HBM, AMD_GDDR, AMD_HBM, GAUDI, NEURON, TPU -> Optional.empty();
        };
    }

    private static Optional<Bytes> withoutSystem(Bytes total) {
        return total.compareTo(SYSTEM_MEMORY) > 0 ? Optional.of(total.minus(SYSTEM_MEMORY)) : Optional.empty();
    }
}
