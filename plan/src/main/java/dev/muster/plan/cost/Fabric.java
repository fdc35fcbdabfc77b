// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import java.util.ArrayList;
import java.util.List;

/// The links between devices: fast within a domain, slower beyond, level by level. Devices are numbered such that
/// those of a domain follow each other.
///
/// @param levels from the innermost outwards
/// @since 0.1
public record Fabric(List<Level> levels) {
    /// The usual number of devices of a host.
    private static final double USUAL_HOST = 8;
    /// The least bandwidth, through the host: for a device without any link.
    private static final double LEAST = 1e9;

    /// The start-up time of a collective within a domain: NCCL's gathers and scatters of an H200's NVLink take 6, 8.5
    /// and 13 us among 2, 4 and 8 devices.
    private static final double BEGIN = 5e-6;
    /// The time of each step around its ring.
    private static final double RING_STEP = 1.1e-6;
    /// The time of a step over a network; trees of devices take one for each doubling of their number: 15 to 25 us.
    private static final double TREE_STEP = 20e-6;
    /// The time of a message to one neighbour, within a domain: 5 to 10 us.
    private static final double MESSAGE = 7e-6;

    /// One level.
    ///
    /// @param devices number of devices of a unit of this level
    /// @param bytesPerSecond bandwidth of each of them to others of the unit
    public record Level(double devices, double bytesPerSecond) {
        /// Checks both.
        ///
        /// @throws IllegalArgumentException unless both are above 0
        public Level {
            if (!(devices >= 1) || !(bytesPerSecond > 0)) {
                throw new IllegalArgumentException("a level of a fabric has devices and a bandwidth");
            }
        }
    }

    /// Checks that levels grow.
    ///
    /// @throws IllegalArgumentException if there is none, or one is not larger than the one inside
    public Fabric {
        levels = List.copyOf(levels);
        if (levels.isEmpty()) {
            throw new IllegalArgumentException("a fabric has at least one level");
        }
        for (int i = 1; i < levels.size(); i++) {
            if (levels.get(i).devices() <= levels.get(i - 1).devices()) {
                throw new IllegalArgumentException("levels of a fabric grow from the innermost outwards");
            }
        }
    }

    /// Returns the fabric of devices of which only the data sheet is known: their own links within a host or domain,
    /// and a network beyond.
    public static Fabric usual(DeviceFigures device, double network) {
        return of(device, Math.max(USUAL_HOST, (double) device.domain()), network);
    }

    /// Returns the fabric of devices with their own links within a domain, and a network beyond.
    ///
    /// @param domain devices that the own links join
    /// @param network bytes per second and device beyond
    public static Fabric of(DeviceFigures device, double domain, double network) {
        List<Level> levels = new ArrayList<>();
        if (domain > 1) {
            levels.add(new Level(domain, Math.max(LEAST, device.link())));
        }
        levels.add(new Level(Double.MAX_VALUE, network));
        return new Fabric(levels);
    }

    /// Returns the seconds for each byte of an all-gather in a group: data that leaves a domain was gathered there
    /// first, so that each of its members moves a part only.
    ///
    /// @param members devices of the group
    /// @param stride distance between its members
    public double gather(double members, double stride) {
        double seconds = 0;
        double inside = 1;
        for (Level level : levels) {
            double here = within(level, members, stride);
            double parts = here / inside;
            seconds += (parts - 1) / parts / inside / level.bytesPerSecond();
            inside = here;
        }
        return seconds;
    }

    /// Returns the latency of an all-gather.
    ///
    /// @param members devices of the group
    /// @param stride distance between its members
    public double latency(double members, double stride) {
        double seconds = 0;
        double inside = 1;
        for (Level level : levels) {
            double here = within(level, members, stride);
            double parts = here / inside;
            if (parts > 1) {
                seconds +=
                        isNetwork(level) ? TREE_STEP * Math.log(parts) / Math.log(2) : BEGIN + RING_STEP * (parts - 1);
            }
            inside = here;
        }
        return seconds;
    }

    /// Returns the latency of a message to the next member.
    public double messageLatency(double members, double stride) {
        return isNetwork(levelOf(members * stride)) ? TREE_STEP : MESSAGE;
    }

    /// Reports whether a level is a network: all beyond the innermost domain are, and the innermost, too, if only a
    /// network joins devices.
    private boolean isNetwork(Level level) {
        return level.devices() == Double.MAX_VALUE
                || level.devices() > levels.getFirst().devices();
    }

    /// Returns the seconds for each byte of an all-to-all in a group that leaves the innermost domain.
    public double exchangeOutside(double members, double stride) {
        double seconds = 0;
        double inside = within(levels.getFirst(), members, stride);
        for (Level level : levels.subList(1, levels.size())) {
            double here = within(level, members, stride);
            seconds += (here - inside) / members / level.bytesPerSecond();
            inside = here;
        }
        return seconds;
    }

    /// Returns the seconds for each byte of an all-to-all in a group.
    public double exchange(double members, double stride) {
        Level first = levels.getFirst();
        return (within(first, members, stride) - 1) / members / first.bytesPerSecond()
                + exchangeOutside(members, stride);
    }

    /// Reports whether a group reaches beyond the innermost domain.
    public boolean leavesDomain(double members, double stride) {
        return (members - 1) * stride >= levels.getFirst().devices() || isNetwork(levels.getFirst());
    }

    /// Returns the seconds for each byte sent to the next member.
    public double send(double members, double stride) {
        return 1 / levelOf(members * stride).bytesPerSecond();
    }

    /// Returns the innermost level that holds a number of devices; the outermost if none does.
    private Level levelOf(double devices) {
        for (Level level : levels) {
            if (devices <= level.devices()) {
                return level;
            }
        }
        return levels.getLast();
    }

    private static double within(Level level, double members, double stride) {
        return Math.min(members, Math.max(1, level.devices() / stride));
    }
}
