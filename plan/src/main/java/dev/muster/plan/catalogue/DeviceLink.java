package dev.muster.plan.catalogue;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;

/// How a device is joined with others of its kind, by its data sheet.
///
/// @param kind the fastest kind of link, such as `nvlink4` or `pcie4`; `none` where there is none
/// @param bothWays the rate of all links of a device, both ways together
/// @param domain how many devices one fast fabric joins
/// @since 0.1
public record DeviceLink(String kind, Reading<Bandwidth> bothWays, Reading<Long> domain) {
    private static final String NONE = "none";
    private static final String PCI_EXPRESS = "pcie";

    /// Whether the links are a fabric of the devices' own, apart from the way to the host.
    public boolean isFabric() {
        return !kind.equals(NONE) && !kind.startsWith(PCI_EXPRESS);
    }

    /// The rate of all links of a device, one way.
    public Reading<Bandwidth> oneWay() {
        return bothWays.map(rate -> new Bandwidth(rate.gigabytesPerSecond() / 2));
    }

    DeviceLink times(double factor) {
        return new DeviceLink(kind, bothWays.map(rate -> new Bandwidth(rate.gigabytesPerSecond() * factor)), domain);
    }
}
