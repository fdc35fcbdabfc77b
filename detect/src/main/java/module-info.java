// SPDX-License-Identifier: Apache-2.0
/// Finds the accelerators of a host.
@SuppressWarnings("module") // the one that it exports packages to is compiled after it
module dev.muster.detect {
    requires transitive dev.muster.core;
    requires static org.jspecify;
    requires jdk.jfr;
    requires java.xml;

    uses dev.muster.detect.probe.Probe;

    exports dev.muster.detect;
    exports dev.muster.detect.doctor to
            dev.muster.cli;
    exports dev.muster.detect.host;
    exports dev.muster.detect.hwloc;
    exports dev.muster.detect.measure to
            dev.muster.cli;
    exports dev.muster.detect.probe;
}
