// SPDX-License-Identifier: Apache-2.0
/// Devices, profiles, links, registries and their documents: what every other module of Muster speaks of.
@SuppressWarnings("module") // those that it exports some packages to are compiled after it
module dev.muster.core {
    requires static org.jspecify;

    exports dev.muster.core;
    exports dev.muster.core.unit;
    exports dev.muster.core.json;
    exports dev.muster.core.measure;
    exports dev.muster.core.text to
            dev.muster.cli,
            dev.muster.detect,
            dev.muster.evidence,
            dev.muster.fleet,
            dev.muster.mesh,
            dev.muster.model,
            dev.muster.monitor,
            dev.muster.plan,
            dev.muster.report,
            dev.muster.server;
    exports dev.muster.core.foreign to
            dev.muster.detect,
            dev.muster.mesh;
}
