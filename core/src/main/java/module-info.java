/// Devices, profiles, links, registries and their documents: what every other module of Muster speaks of.
@SuppressWarnings("module") // those that core.foreign is opened to are compiled later
module dev.muster.core {
    requires static transitive org.jspecify;

    exports dev.muster.core;
    exports dev.muster.core.unit;
    exports dev.muster.core.json;
    exports dev.muster.core.measure;
    exports dev.muster.core.foreign to
            dev.muster.detect,
            dev.muster.mesh;
}
