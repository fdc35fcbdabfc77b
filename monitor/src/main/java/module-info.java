// SPDX-License-Identifier: Apache-2.0
/// Looks at a host again and again: samples, history, alerts, recordings, metrics.
module dev.muster.monitor {
    requires transitive dev.muster.core;
    requires static org.jspecify;

    exports dev.muster.monitor;
    exports dev.muster.monitor.metric;
}
