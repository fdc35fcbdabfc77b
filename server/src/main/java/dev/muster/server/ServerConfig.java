// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.monitor.metric.MetricNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The configuration of a server: its addresses and access. Immutable.
///
/// @param listen the addresses and their ports, of which 0 takes a free one, and Unix sockets
/// @param allowedHosts host names, beside `localhost` and the addresses, that clients may use, with a port if it is
/// not the server's own, as behind a proxy
/// @param token token for clients of ports, never of Unix sockets; empty only on loopback or if certificates are
/// required
/// @param tls certificates for ports; empty for plain HTTP, which Unix sockets always have
/// @param metricNames naming of metrics
/// @param openMetrics true if `/metrics` needs no token
/// @param hostName the host's name, for labels
/// @param version the program's version
/// @since 0.2
public record ServerConfig(
        List<ListenAddress> listen,
        Set<String> allowedHosts,
        Optional<AccessToken> token,
        Optional<ServerTls> tls,
        MetricNames metricNames,
        boolean openMetrics,
        String hostName,
        String version) {
    /// The default port of `muster serve`.
    public static final int DEFAULT_PORT = 9470;

    /// Checks that other machines have no access without a token or a certificate.
    ///
    /// @throws ServerException if they would be
    public ServerConfig {
        listen = List.copyOf(listen);
        allowedHosts = Set.copyOf(allowedHosts);
        if (listen.isEmpty()) {
            throw new ServerException("a server needs at least one address");
        }
        boolean guarded =
                token.isPresent() || tls.filter(ServerTls::demandsCertificate).isPresent();
        if (!guarded && !listen.stream().allMatch(ListenAddress::isLoopback)) {
            throw new ServerException("other machines need a token or client certificates: remove --no-token, or give "
                    + "--tls-client-ca FILE");
        }
    }

    /// Reports whether only clients on this machine can reach it.
    public boolean isLocal() {
        return listen.stream().allMatch(ListenAddress::isLoopback);
    }
}
