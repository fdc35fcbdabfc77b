package dev.muster.detect.pci;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.host.AttributeFolder;
import java.util.Optional;

/// The PCI Express link above a device, as the files in the device's folder tell it.
///
/// @param generation the generation now; devices lower it to save power
/// @param width the lanes now
/// @param generationMax the fastest generation
/// @param widthMax the most lanes
/// @since 0.1
public record PcieLink(
        Reading<Long> generation, Reading<Long> width, Reading<Long> generationMax, Reading<Long> widthMax) {
    private static final double[] GIGATRANSFERS = {2.5, 5, 8, 16, 32, 64};
    private static final int LAST_OF_TEN_BITS = 2;
    private static final double EIGHT_OF_TEN = 0.8;
    private static final double MOST_OF_130 = 128.0 / 130.0;
    private static final double BITS = 8;
    private static final long MAX_WIDTH = 32;

    /// Reads the link.
    public static PcieLink of(AttributeFolder device) {
        return new PcieLink(
                device.reading("current_link_speed", PcieLink::findGeneration),
                device.reading("current_link_width", PcieLink::findWidth),
                device.reading("max_link_speed", PcieLink::findGeneration),
                device.reading("max_link_width", PcieLink::findWidth));
    }

    /// A link of which nothing can be said.
    public static PcieLink unknown(String detail) {
        Reading<Long> unknown = Reading.unknown(UnknownReason.NOT_SUPPORTED, detail);
        return new PcieLink(unknown, unknown, unknown, unknown);
    }

    /// The generation of a speed such as `16.0 GT/s PCIe`.
    public static Optional<Long> findGeneration(String text) {
        int blank = text.indexOf(' ');
        String number = blank < 0 ? text : text.substring(0, blank);
        for (int i = 0; i < GIGATRANSFERS.length; i++) {
            String whole = Double.toString(GIGATRANSFERS[i]);
            if (number.equals(whole) || whole.equals(number + ".0")) {
                return Optional.of(i + 1L);
            }
        }
        return Optional.empty();
    }

    private static Optional<Long> findWidth(String text) {
        try {
            return Optional.of(Long.parseLong(text)).filter(width -> width > 0 && width <= MAX_WIDTH);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// Whether the link is the narrow and slow one that some cards show behind a bridge of their own.
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
        return generationMax.map(best -> new Bandwidth(rate(best.intValue()) * lanes));
    }

    private static double rate(int generation) {
        double share = generation <= LAST_OF_TEN_BITS ? EIGHT_OF_TEN : MOST_OF_130;
        return GIGATRANSFERS[generation - 1] * share / BITS;
    }

    /// Writes all of it into a profile.
    public void addTo(AcceleratorProfile.Builder profile) {
        profile.with(DeviceFact.PCIE_GENERATION, generation)
                .with(DeviceFact.PCIE_WIDTH, width)
                .with(DeviceFact.PCIE_GENERATION_MAX, generationMax)
                .with(DeviceFact.PCIE_WIDTH_MAX, widthMax)
                .with(DeviceFact.PCIE_BANDWIDTH, bandwidth());
    }
}
