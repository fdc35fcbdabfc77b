// SPDX-License-Identifier: Apache-2.0
/// Hosts of a cluster as its scheduler, its metrics and its hosts tell of them.
module dev.muster.fleet {
    requires transitive dev.muster.core;
    requires transitive dev.muster.detect;
    requires transitive dev.muster.plan;
    requires java.net.http;
    requires org.snakeyaml.engine;
    requires static org.jspecify;

    exports dev.muster.fleet;
    exports dev.muster.fleet.plan;
    exports dev.muster.fleet.source;

    uses dev.muster.fleet.FleetSourceProvider;
}
