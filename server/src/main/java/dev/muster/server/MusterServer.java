// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/// A host's devices over HTTP. Answers come from what the sampler saw last; clients start nothing, and cannot have the
/// host looked at more often. Safe to share between threads; whoever started it closes it, which ends every connection.
///
/// @since 0.2
public final class MusterServer implements AutoCloseable {
    static final int MOST_CONNECTIONS = 4096;
    private static final int MOST_HEADER_BYTES = 8192;
    private static final int IDLE_MILLIS = 40_000;
    private static final int MOST_THREADS = 16;
    private static final int FEWEST_THREADS = 2;
    private static final int BACKLOG = 1024;
    /// What the kernel keeps for a client that does not read; it would take megabytes.
    private static final int SEND_BUFFER = 1 << 16;

    private static final int STOP_MILLIS = 2000;
    private static final int BEAT_SECONDS = 10;

    private final ServerConfig config;
    private final Server server;
    private final List<ServerConnector> connectors;
    private final EventStream events = new EventStream();
    private final ConnectionWatch watch = new ConnectionWatch();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            work -> Thread.ofPlatform().daemon().name("muster-connections").unstarted(work));
    private final PlanEndpoints plans;
    private final Runnable unsubscribe;
    private final RegistryWaits waits;
    private final Routes routes;
    private final System.Logger log;
    private long ticks;
    private @Nullable Future<?> ticking;

    private MusterServer(ServerConfig config, ServerSources sources, String start, System.Logger log) {
        this.config = config;
        this.log = log;
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, FEWEST_THREADS);
        threads.setName("muster-http");
        threads.setDaemon(true);
        this.server = new Server(threads);
        server.setStopTimeout(STOP_MILLIS);
        server.setErrorHandler(new PlainErrors());
        server.setRequestLog(new AccessLog(log));
        SampleDocuments documents = new SampleDocuments(sources.sampler(), start);
        this.waits = new RegistryWaits(documents);
        this.plans = new PlanEndpoints(documents, sources.planPicture());
        this.connectors = connect();
        ServerMetrics metrics = new ServerMetrics(config, sources, documents);
        this.routes = Routes.of(sources, documents, metrics, waits, plans);
        server.setHandler(new RequestHandler(
                new AccessRules(names(), config.token(), config.openMetrics(), port()),
                routes,
                events,
                documents,
                watch,
                log));
        this.unsubscribe = sources.sampler().subscribe(sample -> {
            events.tell(sample);
            waits.tell(sample);
        });
    }

    /// Begins to listen.
    ///
    /// @param start differs from one start of the program to the next, such as its time; stands in `ETag`
    /// @param log hears of every request (`INFO`) and of those that failed by a defect (`ERROR`), never of tokens
    /// @throws ServerException if an address cannot be listened at
    public static MusterServer start(ServerConfig config, ServerSources sources, String start, System.Logger log) {
        MusterServer server = new MusterServer(config, sources, start, log);
        try {
            server.begin();
            return server;
        } catch (Exception e) { // Jetty declares no other
            server.close();
            throw new ServerException("the server cannot start: " + e.getMessage(), e);
        }
    }

    private void begin() throws Exception {
        server.start();
        ticking = clock.scheduleWithFixedDelay(this::tick, 1, 1, TimeUnit.SECONDS);
    }

    /// Once a second. What is thrown here would end the ticks, so nothing may be.
    private void tick() {
        try {
            watch.examine(System.nanoTime());
            if (++ticks % BEAT_SECONDS == 0) {
                events.beat();
            }
        } catch (RuntimeException e) {
            log.log(System.Logger.Level.ERROR, "connections could not be examined", e);
        }
    }

    /// The port, also where any free one was asked for.
    public int port() {
        return connectors.getFirst().getLocalPort();
    }

    /// The address for a browser, without token.
    public String address() {
        InetAddress address = config.listen().getFirst().socket().getAddress();
        String name =
                address.isAnyLocalAddress() || address.isLoopbackAddress() ? "localhost" : address.getHostAddress();
        return scheme() + "://" + (name.indexOf(':') >= 0 ? "[" + name + "]" : name) + ":" + port() + "/";
    }

    private String scheme() {
        return config.tls().isPresent() ? "https" : "http";
    }

    /// Sockets are bound here, so that the port is known to the rules before the first request.
    private List<ServerConnector> connect() {
        List<ServerConnector> opened = new ArrayList<>();
        int port = 0;
        for (ListenAddress listen : config.listen()) {
            InetSocketAddress address = listen.socket();
            ServerConnector connector =
                    config.tls().isPresent() ? secure(config.tls().get()) : plain();
            connector.setHost(address.getAddress().getHostAddress());
            connector.setPort(address.getPort() == 0 ? port : address.getPort());
            connector.setIdleTimeout(IDLE_MILLIS);
            connector.setAcceptQueueSize(BACKLOG);
            connector.setAcceptedSendBufferSize(SEND_BUFFER);
            connector.setReuseAddress(true);
            connector.addBean(watch);
            try {
                connector.open();
            } catch (IOException e) {
                opened.forEach(ServerConnector::close);
                throw new ServerException(
                        "cannot listen at " + address.getAddress().getHostAddress() + ":" + address.getPort() + ": "
                                + (e.getCause() == null
                                        ? e.getMessage()
                                        : e.getCause().getMessage()) + "; choose another with --listen ADDRESS:PORT",
                        e);
            }
            port = connector.getLocalPort();
            opened.add(connector);
            server.addConnector(connector);
        }
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, server));
        return opened;
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

    /// What may stand in `Host`.
    private Set<String> names() {
        Set<String> names = new HashSet<>();
        boolean usual = port() == (config.tls().isPresent() ? 443 : 80);
        List<String> own = new ArrayList<>(List.of("localhost", "127.0.0.1", "[::1]"));
        config.allowedHosts().forEach(name -> own.add(name.toLowerCase(Locale.ROOT)));
        for (String name : own) {
            names.add(name + ":" + port());
            if (usual) {
                names.add(name);
            }
        }
        // Names that were given may come without port, or with that of a proxy.
        config.allowedHosts().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        return names;
    }

    /// What is answered.
    List<Route> routes() {
        return routes.all();
    }

    /// How many clients listen to events.
    public int subscribers() {
        return events.size();
    }

    /// Ends every connection; requests under way have two seconds.
    @Override
    public void close() {
        unsubscribe.run();
        events.close();
        if (ticking != null) {
            ticking.cancel(false);
        }
        clock.shutdownNow();
        try {
            server.stop();
        } catch (Exception e) { // Jetty declares no other
            throw new ServerException("the server did not stop: " + e.getMessage(), e);
        } finally {
            plans.close();
        }
    }
}
