package dev.muster.mesh.session;

import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.gloo.GlooConnector;
import dev.muster.mesh.shm.SharedMemoryHost;
import dev.muster.mesh.store.Secret;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// How a process takes part in a mesh. Immutable. All ranks use the same secret, engine and order.
///
/// @param secret what all members know and nobody else
/// @param host which host this is, and where its shared memory lies
/// @param address where this member listens for others
/// @param engine which engine groups use
/// @param inRankOrder whether reductions always take ranks in ascending order: the same bits on every engine,
///     at a price where many ranks talk over sockets
/// @param limit how long joining, opening a group and each call may take
/// @param heartbeat how often a member says that it is alive
/// @param silence how long it may say nothing before it counts as lost
/// @param processors how many processors the ranks of this host share
/// @param recordings the folder in which a rank leaves what its groups called when the mesh fails, if any
/// @param glooShim the library that joins the engine `gloo` to Gloo: a path, or a name that the system looks for
/// @since 0.1
public record SessionConfig(
        Secret secret,
        SharedMemoryHost host,
        InetAddress address,
        EngineChoice engine,
        boolean inRankOrder,
        Duration limit,
        Duration heartbeat,
        Duration silence,
        int processors,
        Optional<Path> recordings,
        String glooShim) {
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /// Checks the spans.
    public SessionConfig {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("a limit is positive: " + limit);
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
                SharedMemoryHost.ofThisHost(),
                InetAddress.getLoopbackAddress(),
                EngineChoice.AUTO,
                false,
                ProcessGroup.DEFAULT_LIMIT,
                HEARTBEAT,
                SILENCE,
                Runtime.getRuntime().availableProcessors(),
                Optional.empty(),
                GlooConnector.LIBRARY);
    }

    /// The same with another engine.
    public SessionConfig withEngine(EngineChoice other) {
        return with(draft -> draft.engine = other);
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
    public SessionConfig withHost(SharedMemoryHost other) {
        return with(draft -> draft.host = other);
    }

    /// The same with reductions in the order of ranks, or in any.
    public SessionConfig withRankOrder(boolean other) {
        return with(draft -> draft.inRankOrder = other);
    }

    /// The same with a folder for recordings.
    public SessionConfig withRecordings(Path folder) {
        return with(draft -> draft.recordings = Optional.of(folder));
    }

    /// The same with another library that joins the engine `gloo` to Gloo.
    public SessionConfig withGlooShim(String other) {
        return with(draft -> draft.glooShim = other);
    }

    private SessionConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.toConfig();
    }

    /// A configuration while one thing of it is changed.
    private static final class Draft {
        private final SessionConfig before;
        private SharedMemoryHost host;
        private InetAddress address;
        private EngineChoice engine;
        private boolean inRankOrder;
        private Duration limit;
        private Duration heartbeat;
        private Duration silence;
        private Optional<Path> recordings;
        private String glooShim;

        Draft(SessionConfig before) {
            this.before = before;
            this.host = before.host;
            this.address = before.address;
            this.engine = before.engine;
            this.inRankOrder = before.inRankOrder;
            this.limit = before.limit;
            this.heartbeat = before.heartbeat;
            this.silence = before.silence;
            this.recordings = before.recordings;
            this.glooShim = before.glooShim;
        }

        SessionConfig toConfig() {
            return new SessionConfig(
                    before.secret,
                    host,
                    address,
                    engine,
                    inRankOrder,
                    limit,
                    heartbeat,
                    silence,
                    before.processors,
                    recordings,
                    glooShim);
        }
    }
}
