package dev.muster.detect;

import dev.muster.detect.nvidia.NvidiaProbe;
import java.util.List;

/// Every probe. Backends that know a device well stand before those that only see it too.
final class Probes {
    static final List<Probe> ALL = List.of(new NvidiaProbe());

    private Probes() {}
}
