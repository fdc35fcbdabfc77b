// SPDX-License-Identifier: Apache-2.0
/// The device requirements of an application as health of Spring Boot.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // it has no descriptor, but a fixed name
module dev.muster.spring {
    requires transitive dev.muster.core;
    requires transitive dev.muster.monitor;
    requires transitive spring.boot.health;
    requires static org.jspecify;

    exports dev.muster.spring;
}
