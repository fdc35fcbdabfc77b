package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import java.util.OptionalDouble;

/// What each device has of a fabric, and each pair of devices where they are joined directly.
///
/// @param lanes how many links the device has, where that follows from the data sheet
/// @param rate the rate of all its links, one way
/// @param pairLanes how many links join two devices
/// @param pairRate the rate between two devices, one way
record FabricShare(Reading<Long> lanes, Reading<Bandwidth> rate, int pairLanes, Reading<Bandwidth> pairRate) {
    /// What one NVLink carries one way, in GB/s: NVIDIA's data sheets of P100, B200, and all between; cards for
    /// desktops have slower ones, of 112.5 GB/s both ways in four links (RTX A6000).
    private static final double FIRST_NVLINK = 20;

    private static final double FIFTH_NVLINK = 50;
    private static final double[] OTHER_NVLINKS = {25, 14.0625};

    static FabricShare of(HostFabric fabric, DeviceEntry entry, int devices) {
        DeviceEntry.Link link = entry.perDeviceShown().link();
        boolean nvlink = fabric == HostFabric.NVLINK || fabric == HostFabric.NVSWITCH;
        if (nvlink) {
            return ofNvlink(link, entry.provenance(), devices - 1);
        }
        return devices > FabricAssembly.MAX_MESH
                ? new FabricShare(Reading.notProbed(), link.oneWay(), 1, Reading.notProbed())
                : ofMesh(link, entry.provenance(), devices - 1);
    }

    private static FabricShare ofNvlink(DeviceEntry.Link link, Provenance source, int peers) {
        OptionalDouble one = findNvlink(link);
        if (one.isEmpty()) {
            return new FabricShare(Reading.notProbed(), link.oneWay(), 1, share(link.oneWay(), 1, peers));
        }
        int lanes = (int) Math.round(rate(link) / one.getAsDouble());
        int pairLanes = Math.max(1, lanes / peers);
        Reading<Bandwidth> pair =
                lanes < peers ? share(link.oneWay(), 1, peers) : share(link.oneWay(), pairLanes, lanes);
        return new FabricShare(Reading.known((long) lanes, source), link.oneWay(), pairLanes, pair);
    }

    /// A link for each device that the data sheet's fabric could join; those that lead nowhere carry nothing.
    private static FabricShare ofMesh(DeviceEntry.Link link, Provenance source, int peers) {
        long domain = link.domain().find().orElse(1L);
        long built = domain <= FabricAssembly.MAX_MESH ? Math.max(peers, domain - 1) : peers;
        return new FabricShare(
                Reading.known((long) peers, source),
                share(link.oneWay(), peers, built),
                1,
                share(link.oneWay(), 1, built));
    }

    /// The device with what it has of the fabric.
    AcceleratorProfile describe(AcceleratorProfile device) {
        return device.toBuilder()
                .with(DeviceFact.FABRIC_BANDWIDTH, rate)
                .with(DeviceFact.FABRIC_LINKS, lanes)
                .build();
    }

    /// The rate of one link that goes into the whole without remainder.
    private static OptionalDouble findNvlink(DeviceEntry.Link link) {
        if (link.kind().startsWith("nvlink1")) {
            return whole(link, FIRST_NVLINK);
        }
        if (link.kind().startsWith("nvlink5")) {
            return whole(link, FIFTH_NVLINK);
        }
        for (double candidate : OTHER_NVLINKS) {
            OptionalDouble found = whole(link, candidate);
            if (found.isPresent()) {
                return found;
            }
        }
        return OptionalDouble.empty();
    }

    private static OptionalDouble whole(DeviceEntry.Link link, double one) {
        double links = rate(link) / one;
        return links >= 1 && links == Math.rint(links) ? OptionalDouble.of(one) : OptionalDouble.empty();
    }

    private static double rate(DeviceEntry.Link link) {
        return link.oneWay().find().map(Bandwidth::gigabytesPerSecond).orElse(0.0);
    }

    private static Reading<Bandwidth> share(Reading<Bandwidth> rate, long part, long whole) {
        return rate.map(value -> new Bandwidth(value.gigabytesPerSecond() * part / whole));
    }
}
