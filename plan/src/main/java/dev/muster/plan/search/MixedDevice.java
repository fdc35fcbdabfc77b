package dev.muster.plan.search;

import dev.muster.plan.time.DeviceFigures;

/// One of several unlike devices of a machine.
///
/// @param figures what it is
/// @param name its name for people
/// @param hostLink bytes per second from the host's memory to the device
/// @since 0.1
public record MixedDevice(DeviceFigures figures, String name, double hostLink) {
    /// What a card without a better figure is taken to have: 16 lanes of PCI Express 3.0, the slowest slot that cards
    /// with their own bridges come with.
    private static final double PCIE3_X16 = 15.75e9;

    /// Checks the rate.
    ///
    /// @throws IllegalArgumentException if it is not positive
    public MixedDevice {
        if (!(hostLink > 0)) {
            throw new IllegalArgumentException("a device has a link to its host");
        }
    }

    /// A device that is joined to its host as its data sheet says.
    public static MixedDevice of(DeviceFigures figures, String name) {
        boolean known = !figures.isSwitched() && figures.link() > 0;
        return new MixedDevice(figures, name, known ? figures.link() : PCIE3_X16);
    }

    /// Whether both are the same but for their names.
    boolean isAlike(MixedDevice other) {
        return figures.equals(other.figures) && Double.compare(hostLink, other.hostLink) == 0;
    }
}
