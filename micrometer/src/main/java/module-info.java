// SPDX-License-Identifier: Apache-2.0
/// Devices of a host as meters of Micrometer.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // it has no descriptor, but a fixed name
module dev.muster.micrometer {
    requires transitive dev.muster.core;
    requires transitive dev.muster.monitor;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports dev.muster.micrometer;
}
