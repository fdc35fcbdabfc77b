package dev.muster.detect;

import java.util.List;

/// Every probe. Backends that know a device well stand before those that only see it too.
final class Probes {
    static final List<Probe> ALL = List.of(new dev.muster.detect.nvidia.NvidiaProbe());

    private Probes() {}
}
