/// Finds the accelerators of a host.
module dev.muster.detect {
    requires transitive dev.muster.core;

    exports dev.muster.detect;
    exports dev.muster.detect.host;
}
