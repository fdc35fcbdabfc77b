// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import dev.muster.core.Reading;
import java.util.Optional;
import java.util.function.Function;

/// The content of a table cell that combines several facts. An enum instead of lambdas: docs/decisions/0004.
enum CombinedFact implements Function<AcceleratorProfile, Optional<?>> {
    /// Free memory and all memory.
    MEMORY,
    /// Drawn power and power limit.
    POWER,
    /// The link to the host.
    LINK,
    /// The links to other devices.
    FABRIC,
    /// The part that limits its work now.
    LIMIT,
    /// Availability and health of the device.
    STATE;

    private static final String WELL = "ok";

    @Override
    public Optional<?> apply(AcceleratorProfile device) {
        return switch (this) {
            case MEMORY -> share(device.usableMemoryFree(), device.usableMemory());
            case POWER -> share(device.reading(DeviceFact.POWER), device.reading(DeviceFact.POWER_LIMIT));
            case LINK -> link(device);
            case FABRIC -> fabric(device);
            case LIMIT -> DeviceLimit.of(device);
            case STATE -> Optional.of(state(device));
        };
    }

    private static <T> Optional<?> share(Reading<T> part, Reading<T> whole) {
        Optional<T> known = part.find();
        Optional<T> all = whole.find();
        return all.isPresent() ? Optional.of(new Share(known.orElse(null), all.get())) : known;
    }

    /// Returns the best generation of device and slot, because idle devices lower it; lanes are only lost by a fault,
    /// so both numbers are shown.
    private static Optional<?> link(AcceleratorProfile device) {
        Optional<Long> generation = device.reading(DeviceFact.PCIE_GENERATION_MAX)
                .find()
                .or(() -> device.reading(DeviceFact.PCIE_GENERATION).find());
        Optional<Long> most = device.reading(DeviceFact.PCIE_WIDTH_MAX).find();
        Optional<Long> width = device.reading(DeviceFact.PCIE_WIDTH)
                .find()
                .filter(lanes -> lanes > 0)
                .or(() -> most);
        if (generation.isEmpty() && width.isEmpty()) {
            return device.reading(DeviceFact.PCIE_BANDWIDTH).find();
        }
        StringBuilder text = new StringBuilder("PCIe");
        generation.ifPresent(number -> text.append(' ').append(number));
        width.ifPresent(lanes -> text.append(" x").append(lanes));
        if (most.isPresent() && width.isPresent() && width.get() < most.get()) {
            text.append(" of ").append(most.get());
        }
        return Optional.of(text.toString());
    }

    private static Optional<?> fabric(AcceleratorProfile device) {
        Optional<String> rate =
                device.reading(DeviceFact.FABRIC_BANDWIDTH).find().map(Quantity::of);
        Optional<Long> links = device.reading(DeviceFact.FABRIC_LINKS).find();
        if (links.isEmpty()) {
            return rate;
        }
        String count = Count.of(links.get(), "link");
        return Optional.of(rate.isPresent() && links.get() > 0 ? count + ", " + rate.get() : count);
    }

    private static String state(AcceleratorProfile device) {
        Optional<DeviceUsability.Reason> reason = DeviceUsability.of(device).findObstacle();
        if (device.isDivided() && (reason.isEmpty() || reason.get().obstacle() == DeviceUsability.Obstacle.IN_USE)) {
            return "divided";
        }
        return reason.isEmpty() ? WELL : reason.get().obstacle().text().replace('-', ' ');
    }
}
