// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.monitor.metric.MetricNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// How a server listens, and to whom it answers. Immutable.
///
/// @param listen the addresses and their ports, of which 0 takes a free one, and Unix sockets
/// @param allowedHosts names beside `localhost` and the addresses that clients may call the server by, with a port
///         where it is not the server's own, as behind a proxy
/// @param token what clients of ports must show, those of Unix sockets never; empty only on loopback or where
///         certificates are demanded
/// @param tls certificates for ports; empty for plain HTTP, which Unix sockets always have
/// @param metricNames whose names metrics have
/// @param openMetrics whether `/metrics` is answered without token
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
    /// The port that `muster serve` takes.
    public static final int DEFAULT_PORT = 9470;

    /// Checks that nobody is let in from other machines without a secret or a certificate.
    ///
    /// @throws ServerException if they would be
    public ServerConfig {
        listen = List.copyOf(listen);
        allowedHosts = Set.copyOf(allowedHosts);
        if (listen.isEmpty()) {
            throw new ServerException("a server listens at one address at least");
        }
        boolean guarded =
                token.isPresent() || tls.filter(ServerTls::demandsCertificate).isPresent();
        if (!guarded && !listen.stream().allMatch(ListenAddress::isLoopback)) {
            throw new ServerException("beyond this machine a token or client certificates are needed: leave out"
                    + " --no-token, or give --tls-client-ca FILE");
        }
    }

    /// Whether everybody who can reach it is on this machine.
    public boolean isLocal() {
        return listen.stream().allMatch(ListenAddress::isLoopback);
    }
}
