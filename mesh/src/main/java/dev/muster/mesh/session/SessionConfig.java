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
import org.jspecify.annotations.Nullable;

/// The settings with which a process takes part in a mesh. Immutable. All ranks use the same secret, backend and order.
///
/// @since 0.1
public final class SessionConfig {
    /// The folder on Linux whose files lie in memory.
    public static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /// Nothing of it changes any more.
    private final Draft draft;

    private SessionConfig(Draft draft) {
        draft.check();
        this.draft = draft;
    }

    /// Ranks that listen on loopback, with the limits that suit most.
    public static SessionConfig of(Secret secret) {
        return new SessionConfig(new Draft(secret));
    }

    /// Returns the secret that only members know.
    public Secret secret() {
        return draft.secret;
    }

    /// Returns the name of this host: the same text for all of its ranks, and for those of no other host.
    public String host() {
        return draft.host;
    }

    /// Returns the folder of this host whose files lie in memory.
    public Path sharedMemory() {
        return draft.sharedMemory;
    }

    /// Returns the address at which this member listens for others.
    public InetAddress address() {
        return draft.address;
    }

    /// Returns the backend of process groups, such as `shm`; `auto` takes the best that all members can use.
    public String backend() {
        return draft.backend;
    }

    /// Reports whether reductions always take ranks in ascending order: the same bits on every engine, except for
    /// payloads of NaN, at a price where many ranks talk over sockets.
    public boolean inRankOrder() {
        return draft.inRankOrder;
    }

    /// Returns the limit of joining, of opening a group and of each call.
    public Duration limit() {
        return draft.limit;
    }

    /// Returns the period in which a member says that it is alive.
    public Duration heartbeat() {
        return draft.heartbeat;
    }

    /// Returns the longest silence before a member counts as lost.
    public Duration silence() {
        return draft.silence;
    }

    /// Returns the number of processors that the ranks of this host share.
    public int processors() {
        return draft.processors;
    }

    /// Returns the folder in which a rank leaves what its groups called when the mesh fails, if any.
    public Optional<Path> recordings() {
        return draft.recordings;
    }

    /// Returns settings of backends, by the names of their variables, such as `MUSTER_GLOO_SHIM`.
    public Map<String, String> settings() {
        return draft.settings;
    }

    /// Returns further backends, beside those of [Backends].
    public List<EngineProvider> providers() {
        return draft.providers;
    }

    /// The same with another backend, such as `shm`.
    public SessionConfig withBackend(String other) {
        return with(copy -> copy.backend = other);
    }

    /// The same with a further backend, which takes the place of another one of its name.
    public SessionConfig withProvider(EngineProvider further) {
        return with(copy -> {
            List<EngineProvider> all = new ArrayList<>(List.of(further));
            all.addAll(copy.providers);
            copy.providers = List.copyOf(all);
        });
    }

    /// The same with another limit.
    public SessionConfig withLimit(Duration other) {
        return with(copy -> copy.limit = other);
    }

    /// The same with another heartbeat, and another silence that counts as a loss.
    public SessionConfig withHeartbeat(Duration otherHeartbeat, Duration otherSilence) {
        return with(copy -> {
            copy.heartbeat = otherHeartbeat;
            copy.silence = otherSilence;
        });
    }

    /// The same with another address to listen at.
    public SessionConfig withAddress(InetAddress other) {
        return with(copy -> copy.address = other);
    }

    /// The same host by another name, as if it were another host.
    public SessionConfig withHost(String other) {
        return with(copy -> copy.host = other);
    }

    /// The same with another folder whose files lie in memory.
    public SessionConfig withSharedMemory(Path other) {
        return with(copy -> copy.sharedMemory = other);
    }

    /// The same with reductions in the order of ranks, or in any.
    public SessionConfig withRankOrder(boolean other) {
        return with(copy -> copy.inRankOrder = other);
    }

    /// The same with a folder for recordings.
    public SessionConfig withRecordings(Path folder) {
        return with(copy -> copy.recordings = Optional.of(folder));
    }

    /// The same with a setting of a backend.
    ///
    /// @param variable the name of the variable that says the same, such as `MUSTER_GLOO_SHIM`
    public SessionConfig withSetting(String variable, String value) {
        return withSettings(Map.of(variable, value));
    }

    SessionConfig withSettings(Map<String, String> further) {
        return with(copy -> {
            Map<String, String> all = new HashMap<>(copy.settings);
            all.putAll(further);
            copy.settings = Map.copyOf(all);
        });
    }

    /// Reports whether ranks are threads that meet in a [LocalHub].
    boolean isOfThreads() {
        return draft.providers.stream().anyMatch(LocalRegions.class::isInstance);
    }

    private SessionConfig with(Consumer<Draft> change) {
        Draft copy = new Draft(draft);
        change.accept(copy);
        return new SessionConfig(copy);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SessionConfig config && draft.values().equals(config.draft.values());
    }

    @Override
    public int hashCode() {
        return draft.values().hashCode();
    }

    /// Returns the settings by which ranks differ in practice; never the secret.
    @Override
    public String toString() {
        return "SessionConfig[host=" + draft.host + ", backend=" + draft.backend + ", limit=" + draft.limit + "]";
    }

    /// A configuration while one thing of it is changed.
    private static final class Draft {
        private final Secret secret;
        private String host;
        private Path sharedMemory = SHARED_MEMORY;
        private InetAddress address;
        private String backend = Backends.AUTO;
        private boolean inRankOrder;
        private Duration limit = ProcessGroup.DEFAULT_LIMIT;
        private Duration heartbeat = HEARTBEAT;
        private Duration silence = SILENCE;
        private final int processors;
        private Optional<Path> recordings = Optional.empty();
        private Map<String, String> settings = Map.of();
        private List<EngineProvider> providers = List.of();

        Draft(Secret secret) {
            this.secret = secret;
            this.host = HostId.ofThisHost(SHARED_MEMORY);
            this.address = InetAddress.getLoopbackAddress();
            this.processors = Runtime.getRuntime().availableProcessors();
        }

        Draft(Draft other) {
            this.secret = other.secret;
            this.host = other.host;
            this.sharedMemory = other.sharedMemory;
            this.address = other.address;
            this.backend = other.backend;
            this.inRankOrder = other.inRankOrder;
            this.limit = other.limit;
            this.heartbeat = other.heartbeat;
            this.silence = other.silence;
            this.processors = other.processors;
            this.recordings = other.recordings;
            this.settings = other.settings;
            this.providers = other.providers;
        }

        private List<Object> values() {
            return List.of(
                    secret,
                    host,
                    sharedMemory,
                    address,
                    backend,
                    inRankOrder,
                    limit,
                    heartbeat,
                    silence,
                    processors,
                    recordings,
                    settings,
                    providers);
        }

        private void check() {
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
    }
}
