// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.file.AttributeFolder;

/// The PCI Express link above a device, as the files in the device's folder tell it.
///
/// @param generation the generation now; devices lower it to save power
/// @param width the lanes now
/// @param generationMax the fastest generation
/// @param widthMax the most lanes
public record PcieLink(
        Reading<Long> generation, Reading<Long> width, Reading<Long> generationMax, Reading<Long> widthMax) {
    /// Reads the link.
    public static PcieLink of(AttributeFolder device) {
        return new PcieLink(
                device.reading("current_link_speed", PcieRate::parseGeneration),
                device.reading("current_link_width", PcieRate::parseWidth),
                device.reading("max_link_speed", PcieRate::parseGeneration),
                device.reading("max_link_width", PcieRate::parseWidth));
    }

    /// A link of which nothing can be said.
    public static PcieLink unknown(String detail) {
        Reading<Long> unknown = Reading.notSupported(detail);
        return new PcieLink(unknown, unknown, unknown, unknown);
    }

    /// Reports whether the link is the narrow and slow one that some cards show behind a bridge of their own.
    public boolean isSlowest() {
        return generationMax
                        .find()
                        .or(generation::find)
                        .filter(value -> value == 1)
                        .isPresent()
                && widthMax.find().or(width::find).filter(value -> value == 1).isPresent();
    }

    /// The peak rate in one direction, of the fastest generation and the most lanes.
    public Reading<Bandwidth> bandwidth() {
        if (!(widthMax instanceof Reading.Known<Long>(Long lanes, var _))) {
            return widthMax.map(lanes -> new Bandwidth(0));
        }
        return generationMax.map(best -> new PcieRate(PcieRate.GENERATIONS[best.intValue() - 1], lanes).bandwidth());
    }

    /// Writes all of it into a profile.
    public void addTo(AcceleratorProfile.ProfileBuilder profile) {
        profile.with(DeviceFact.PCIE_GENERATION, generation)
                .with(DeviceFact.PCIE_WIDTH, width)
                .with(DeviceFact.PCIE_GENERATION_MAX, generationMax)
                .with(DeviceFact.PCIE_WIDTH_MAX, widthMax)
                .with(DeviceFact.PCIE_BANDWIDTH, bandwidth());
    }
}
