// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import java.net.URI;

/// The access to a Prometheus server or an exporter. Immutable.
///
/// @param address the server, such as `http://prometheus:9090`; or an exporter's page of metrics, which ends in
/// `/metrics`
/// @param token a bearer token; blank for none
record PrometheusConfig(URI address, String token) {
    /// Checks the address.
    ///
    /// @throws IllegalArgumentException if the address is not http or https, or names a user
    public PrometheusConfig {
        boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        if (!isHttp || address.getHost() == null || address.getUserInfo() != null) {
            throw new IllegalArgumentException(
                    "'" + address + "' is not an address like http://prometheus:9090 or http://host:9400/metrics");
        }
    }

    /// A server without authentication.
    public static PrometheusConfig of(URI address) {
        return new PrometheusConfig(address, "");
    }

    /// Reports whether the address is an exporter's page, which is read by itself.
    boolean isPage() {
        return address.getPath() != null && address.getPath().endsWith("/metrics");
    }

    @Override
    public String toString() {
        return "PrometheusConfig[" + address + "]";
    }
}
