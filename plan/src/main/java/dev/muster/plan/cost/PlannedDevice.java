// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import dev.muster.core.DeviceId;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;

/// A device that a plan may use, with its figures.
///
/// @param id its name in its registry, such as `cuda:1`
/// @param uuid the vendor's unique id of it, or of the slice that it is
/// @param ordinal its number on its machine among devices of its vendor, from 0, in the order of the bus
/// @param present number of such devices of the host, used or not
/// @param name display name
/// @param figures figures of the cost model
/// @param hostLink bytes per second from the host's memory to the device
/// @since 0.1
public record PlannedDevice(
        DeviceId id,
        Reading<String> uuid,
        int ordinal,
        int present,
        String name,
        DeviceFigures figures,
        double hostLink) {
    /// The assumed link of a card without a better figure: 16 lanes of PCI Express 3.0, the slowest slot that cards
    /// with their own bridges come with.
    private static final double PCIE3_X16 = 15.75e9;

    /// Checks the rate.
    ///
    /// @throws IllegalArgumentException if it is not positive
    public PlannedDevice {
        if (!(hostLink > 0)) {
            throw new IllegalArgumentException("a device has a link to its host");
        }
    }

    /// Returns a device of no registry that is joined to its host as its data sheet says.
    public static PlannedDevice of(DeviceFigures figures, String name) {
        return new PlannedDevice(
                new DeviceId(name), Reading.unknown(UnknownReason.NOT_STATED), 0, 1, name, figures, hostLink(figures));
    }

    /// Returns the host link of the data sheet, or the least usual one.
    public static double hostLink(DeviceFigures figures) {
        return !figures.isSwitched() && figures.link() > 0 ? figures.link() : PCIE3_X16;
    }

    /// Reports whether it is a slice of another device.
    public boolean isSlice() {
        return id.text().indexOf('/') >= 0;
    }

    /// Reports whether its vendor's variable takes its UUID: NVIDIA's does.
    public boolean hasUuidName() {
        return uuid.matches(text -> text.startsWith("GPU-") || text.startsWith("MIG-"))
                && id.text().startsWith("cuda");
    }

    /// Reports whether both are the same but for their names.
    public boolean isAlike(PlannedDevice other) {
        return figures.equals(other.figures) && Double.compare(hostLink, other.hostLink) == 0;
    }
}
