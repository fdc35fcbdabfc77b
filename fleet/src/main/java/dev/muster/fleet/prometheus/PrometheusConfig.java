// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import java.net.URI;

/// How a Prometheus server, or an exporter, is reached. Immutable.
///
/// @param address the server, such as `http://prometheus:9090`; or an exporter's page of metrics, which ends in
/// `/metrics`
/// @param token a bearer token; blank for none
/// @since 0.2
record PrometheusConfig(URI address, String token) {
    /// Checks the address.
    ///
    /// @throws IllegalArgumentException if it is no http address, or names a user
    public PrometheusConfig {
        boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        if (!isHttp || address.getHost() == null || address.getUserInfo() != null) {
            throw new IllegalArgumentException(
                    "'" + address + "' is no address like http://prometheus:9090 or http://host:9400/metrics");
        }
    }

    /// A server that asks nobody who they are.
    public static PrometheusConfig of(URI address) {
        return new PrometheusConfig(address, "");
    }

    /// Whether the address is an exporter's page, which is read by itself.
    boolean isPage() {
        return address.getPath() != null && address.getPath().endsWith("/metrics");
    }

    @Override
    public String toString() {
        return "PrometheusConfig[" + address + "]";
    }
}
