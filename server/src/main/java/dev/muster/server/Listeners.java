// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.server.socket.SocketFile;
import dev.muster.server.socket.SocketFileConnector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;

/// The listening sockets of a server. They are bound at once, so that ports are known to the rules of access before
/// the first request.
final class Listeners {
    private static final int MOST_HEADER_BYTES = 8192;
    private static final int IDLE_MILLIS = 40_000;
    /// The time limit for idle connections when the server ends; Jetty may wait for it twice.
    private static final int LAST_IDLE_MILLIS = 500;

    private static final int BACKLOG = 1024;
    /// The send buffer in the kernel for a client that does not read; the default would be megabytes.
    private static final int SEND_BUFFER = 1 << 16;

    private final ServerConfig config;
    private final Server server;
    private final List<Integer> ports = new ArrayList<>();
    private final List<SocketFile> files = new ArrayList<>();

    private Listeners(ServerConfig config, Server server) {
        this.config = config;
        this.server = server;
    }

    /// Binds all addresses, or none.
    ///
    /// @throws ServerException if one cannot be listened at
    static Listeners open(ServerConfig config, Server server, ConnectionWatch watch) {
        Listeners listeners = new Listeners(config, server);
        List<AbstractConnector> opened = new ArrayList<>();
        try {
            for (ListenAddress listen : config.listen()) {
                AbstractConnector connector = switch (listen) {
                    case ListenAddress.Port port -> listeners.open(port);
                    case ListenAddress.SocketPath socket -> listeners.open(socket);
                };
                connector.setIdleTimeout(IDLE_MILLIS);
                connector.setShutdownIdleTimeout(LAST_IDLE_MILLIS);
                connector.addBean(watch);
                opened.add(connector);
                server.addConnector(connector);
            }
            return listeners;
        } catch (ServerException e) {
            for (AbstractConnector connector : opened) {
                if (connector instanceof ServerConnector port) {
                    port.close();
                }
            }
            listeners.closeFiles();
            throw e;
        }
    }

    private AbstractConnector open(ListenAddress.Port listen) {
        ServerConnector connector =
                config.tls().isPresent() ? secure(config.tls().get()) : plain();
        int wanted = listen.socket().getPort();
        connector.setHost(listen.socket().getAddress().getHostAddress());
        connector.setPort(wanted == 0 && !ports.isEmpty() ? ports.getLast() : wanted);
        connector.setAcceptQueueSize(BACKLOG);
        connector.setAcceptedSendBufferSize(SEND_BUFFER);
        connector.setReuseAddress(true);
        try {
            connector.open();
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ServerException(
                    "cannot listen on " + listen + ": " + cause.getMessage()
                            + "; choose another with --listen ADDRESS:PORT",
                    e);
        }
        ports.add(connector.getLocalPort());
        return connector;
    }

    /// Opens a Unix socket, without TLS: its data never leaves the machine.
    private AbstractConnector open(ListenAddress.SocketPath listen) {
        try {
            SocketFile file = SocketFile.open(listen.path(), BACKLOG);
            files.add(file);
            return new SocketFileConnector(server, file, SEND_BUFFER, new HttpConnectionFactory(http()));
        } catch (IOException e) {
            throw new ServerException(String.valueOf(e.getMessage()), e);
        }
    }

    private ServerConnector plain() {
        return new ServerConnector(server, 1, 1, new HttpConnectionFactory(http()));
    }

    private ServerConnector secure(ServerTls tls) {
        HttpConfiguration http = http();
        SecureRequestCustomizer customizer = new SecureRequestCustomizer();
        customizer.setSniHostCheck(false); // the rules check Host
        http.addCustomizer(customizer);
        return new ServerConnector(
                server, 1, 1, new SslConnectionFactory(tls.toFactory(), "http/1.1"), new HttpConnectionFactory(http));
    }

    private static HttpConfiguration http() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setRequestHeaderSize(MOST_HEADER_BYTES);
        http.setHttpCompliance(HttpCompliance.RFC7230);
        http.setUriCompliance(UriCompliance.RFC3986);
        http.setIdleTimeout(IDLE_MILLIS);
        http.setRelativeRedirectAllowed(true);
        return http;
    }

    /// Returns the ports, in the order of the addresses; empty if there are only Unix sockets.
    List<Integer> ports() {
        return List.copyOf(ports);
    }

    /// Returns the accepted values of `Host`.
    Set<String> names() {
        Set<String> names = new HashSet<>();
        List<String> own = new ArrayList<>(List.of("localhost", "127.0.0.1", "[::1]"));
        config.allowedHosts().forEach(name -> own.add(name.toLowerCase(Locale.ROOT)));
        for (int port : ports) {
            boolean usual = port == (config.tls().isPresent() ? 443 : 80);
            for (String name : own) {
                names.add(name + ":" + port);
                if (usual) {
                    names.add(name);
                }
            }
        }
        // Names that were given may come without port, or with that of a proxy.
        config.allowedHosts().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        return names;
    }

    /// Deletes the files of Unix sockets, also where the server never started.
    void closeFiles() {
        for (SocketFile file : files) {
            try {
                file.close();
            } catch (IOException e) {
                throw new ServerException("'" + file.path() + "' could not be deleted: " + e.getMessage(), e);
            }
        }
    }
}
