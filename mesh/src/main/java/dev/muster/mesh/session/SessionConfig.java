// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.shm.HostId;
import dev.muster.mesh.shm.LocalRegions;
import dev.muster.mesh.store.Secret;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The settings with which a process takes part in a mesh. Immutable. All ranks use the same secret, backend and order.
///
/// @param secret secret that only members know
/// @param host name of this host: the same text for all of its ranks, and for those of no other host
/// @param sharedMemory the folder of this host whose files lie in memory
/// @param address address at which this member listens for others
/// @param backend backend of process groups, such as `shm`; `auto` takes the best that all members can use
/// @param inRankOrder true if reductions always take ranks in ascending order: the same bits on every engine,
///     at a price where many ranks talk over sockets
/// @param limit limit of joining, of opening a group and of each call
/// @param heartbeat period in which a member says that it is alive
/// @param silence longest silence before a member counts as lost
/// @param processors number of processors that the ranks of this host share
/// @param recordings the folder in which a rank leaves what its groups called when the mesh fails, if any
/// @param settings of backends, by the names of their variables, such as `MUSTER_GLOO_SHIM`
/// @param providers further backends, beside those of [Backends]
/// @since 0.1
public record SessionConfig(
        Secret secret,
        String host,
        Path sharedMemory,
        InetAddress address,
        String backend,
        boolean inRankOrder,
        Duration limit,
        Duration heartbeat,
        Duration silence,
        int processors,
        Optional<Path> recordings,
        Map<String, String> settings,
        List<EngineProvider> providers) {
    /// The folder on Linux whose files lie in memory.
    public static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /// Checks the spans and copies the collections.
    public SessionConfig {
        settings = Map.copyOf(settings);
        providers = List.copyOf(providers);
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("a limit must be positive: " + limit);
        }
        if (heartbeat.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("the period of a heartbeat is at least 1 ms: " + heartbeat);
        }
        if (silence.compareTo(heartbeat.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException(
                    "a silence lasts at least two heartbeats of " + heartbeat + ": " + silence);
        }
    }

    /// Ranks that listen on loopback, with the limits that suit most.
    public static SessionConfig of(Secret secret) {
        return new SessionConfig(
                secret,
                HostId.ofThisHost(SHARED_MEMORY),
                SHARED_MEMORY,
                InetAddress.getLoopbackAddress(),
                Backends.AUTO,
                false,
                ProcessGroup.DEFAULT_LIMIT,
                HEARTBEAT,
                SILENCE,
                Runtime.getRuntime().availableProcessors(),
                Optional.empty(),
                Map.of(),
                List.of());
    }

    /// The same with another backend, such as `shm`.
    public SessionConfig withBackend(String other) {
        return with(draft -> draft.backend = other);
    }

    /// The same with a further backend, which takes the place of another one of its name.
    public SessionConfig withProvider(EngineProvider further) {
        return with(draft -> draft.providers.addFirst(further));
    }

    /// The same with another limit.
    public SessionConfig withLimit(Duration other) {
        return with(draft -> draft.limit = other);
    }

    /// The same with another heartbeat, and another silence that counts as a loss.
    public SessionConfig withHeartbeat(Duration otherHeartbeat, Duration otherSilence) {
        return with(draft -> {
            draft.heartbeat = otherHeartbeat;
            draft.silence = otherSilence;
        });
    }

    /// The same with another address to listen at.
    public SessionConfig withAddress(InetAddress other) {
        return with(draft -> draft.address = other);
    }

    /// The same host by another name, as if it were another host.
    public SessionConfig withHost(String other) {
        return with(draft -> draft.host = other);
    }

    /// The same with another folder whose files lie in memory.
    public SessionConfig withSharedMemory(Path other) {
        return with(draft -> draft.sharedMemory = other);
    }

    /// The same with reductions in the order of ranks, or in any.
    public SessionConfig withRankOrder(boolean other) {
        return with(draft -> draft.inRankOrder = other);
    }

    /// The same with a folder for recordings.
    public SessionConfig withRecordings(Path folder) {
        return with(draft -> draft.recordings = Optional.of(folder));
    }

    /// The same with a setting of a backend.
    ///
    /// @param variable the name of the variable that says the same, such as `MUSTER_GLOO_SHIM`
    public SessionConfig withSetting(String variable, String value) {
        return with(draft -> draft.settings.put(variable, value));
    }

    SessionConfig withSettings(Map<String, String> further) {
        return with(draft -> draft.settings.putAll(further));
    }

    /// Reports whether ranks are threads that meet in a [LocalHub].
    boolean isOfThreads() {
        return providers.stream().anyMatch(LocalRegions.class::isInstance);
    }

    private SessionConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.toConfig();
    }

    /// A configuration while one thing of it is changed.
    private static final class Draft {
        private final SessionConfig before;
        private String host;
        private Path sharedMemory;
        private InetAddress address;
        private String backend;
        private boolean inRankOrder;
        private Duration limit;
        private Duration heartbeat;
        private Duration silence;
        private Optional<Path> recordings;
        private final Map<String, String> settings;
        private final List<EngineProvider> providers;

        Draft(SessionConfig before) {
            this.before = before;
            this.host = before.host;
            this.sharedMemory = before.sharedMemory;
            this.address = before.address;
            this.backend = before.backend;
            this.inRankOrder = before.inRankOrder;
            this.limit = before.limit;
            this.heartbeat = before.heartbeat;
            this.silence = before.silence;
            this.recordings = before.recordings;
            this.settings = new HashMap<>(before.settings);
            this.providers = new ArrayList<>(before.providers);
        }

        SessionConfig toConfig() {
            return new SessionConfig(
                    before.secret,
                    host,
                    sharedMemory,
                    address,
                    backend,
                    inRankOrder,
                    limit,
                    heartbeat,
                    silence,
                    before.processors,
                    recordings,
                    settings,
                    providers);
        }
    }
}
