// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.monitor.DeviceEvents;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/// A server of a host's devices over HTTP. Answers come from the sampler's last sample; clients start nothing, and
/// cannot cause more frequent sampling. Safe to share between threads; its creator closes it, which ends every
/// connection.
///
/// @since 0.2
public final class MusterServer implements AutoCloseable {
    static final int MOST_CONNECTIONS = 4096;
    private static final int MOST_THREADS = 16;
    private static final int FEWEST_THREADS = 2;
    private static final int STOP_MILLIS = 2000;
    private static final int BEAT_SECONDS = 10;

    private final ServerConfig config;
    private final Server server;
    private final Listeners listeners;
    private final EventStream events = new EventStream();
    private final DeviceEvents changes = new DeviceEvents();
    private final ConnectionWatch watch = new ConnectionWatch();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            work -> Thread.ofPlatform().daemon().name("muster-connections").unstarted(work));
    private final QuestionEndpoints questions;
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
        this.questions = new QuestionEndpoints(documents, sources);
        this.listeners = Listeners.open(config, server, watch);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, server));
        ServerMetrics metrics = new ServerMetrics(config, sources, documents);
        this.routes = Routes.of(sources, documents, metrics, waits, changes, questions);
        server.setHandler(new RequestHandler(
                new AccessRules(listeners.names(), config.token(), config.openMetrics(), cookieName()),
                routes,
                events,
                documents,
                watch,
                log));
        this.unsubscribe = sources.sampler().subscribe(sample -> {
            events.tell(sample, changes.add(sample));
            waits.tell(sample);
        });
    }

    /// Starts to listen.
    ///
    /// @param start value that differs between starts of the program, such as its time; part of `ETag`
    /// @param log receives every request (`INFO`) and failures by a defect (`ERROR`), never tokens
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

    /// Runs once a second. An exception here would end the timer, so none is thrown.
    private void tick() {
        try {
            watch.examine(System.nanoTime());
            if (++ticks % BEAT_SECONDS == 0) {
                events.beat();
            }
        } catch (RuntimeException e) {
            log.log(System.Logger.Level.ERROR, "connections cannot be inspected", e);
        }
    }

    /// Returns the first port, also where any free one was asked for.
    ///
    /// @throws IllegalStateException if there are only Unix sockets
    public int port() {
        if (listeners.ports().isEmpty()) {
            throw new IllegalStateException("a server at Unix sockets has no port");
        }
        return listeners.ports().getFirst();
    }

    /// Returns the name of the cookie. Cookies do not depend on ports, so that their names have to distinguish
    /// servers of one machine.
    private String cookieName() {
        return "muster-" + (listeners.ports().isEmpty() ? "" : port());
    }

    /// Returns the addresses without token: of the first port for a browser, then Unix sockets such as
    /// `unix:/run/muster/serve.sock`.
    public List<String> addresses() {
        List<String> addresses = new ArrayList<>();
        for (ListenAddress listen : config.listen()) {
            switch (listen) {
                case ListenAddress.Port first
                when addresses.stream().noneMatch(MusterServer::isUrl) -> addresses.addFirst(url(first));
                case ListenAddress.Port _ -> {}
                case ListenAddress.SocketPath socket -> addresses.add(socket.toString());
            }
        }
        return List.copyOf(addresses);
    }

    private static boolean isUrl(String address) {
        return address.startsWith("http");
    }

    private String url(ListenAddress.Port listen) {
        InetAddress address = listen.socket().getAddress();
        String name =
                address.isAnyLocalAddress() || address.isLoopbackAddress() ? "localhost" : address.getHostAddress();
        return scheme() + "://" + (name.indexOf(':') >= 0 ? "[" + name + "]" : name) + ":" + port() + "/";
    }

    private String scheme() {
        return config.tls().isPresent() ? "https" : "http";
    }

    Routes routes() {
        return routes;
    }

    /// Returns the events of devices, as samples show them.
    public DeviceEvents events() {
        return changes;
    }

    /// Returns the number of subscribers to events.
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
        } catch (TimeoutException _) {
            // a client held its connection for longer, which is closed by now
        } catch (Exception e) { // Jetty declares no other
            throw new ServerException("the server did not stop: " + e.getMessage(), e);
        } finally {
            questions.close();
            listeners.closeFiles();
        }
    }
}
