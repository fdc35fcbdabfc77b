// SPDX-License-Identifier: Apache-2.0
/// Devices of a host as instruments of OpenTelemetry.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // it has no descriptor, but a fixed name
module dev.muster.opentelemetry {
    requires transitive dev.muster.core;
    requires transitive dev.muster.monitor;
    requires transitive io.opentelemetry.api;
    requires static org.jspecify;

    exports dev.muster.opentelemetry;
}
