package dev.muster.mesh.launch;

import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.TcpStoreConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The place of this process among those that were started with it. Immutable.
///
/// @since 0.1
public final class LaunchContext {
    private static final Duration USUAL_LIMIT = Duration.ofSeconds(60);

    private final LaunchSource source;
    private final String reason;
    private final int rank;
    private final int worldSize;
    private final LaunchVariables variables;
    private final @Nullable StoreAddress store;
    private final @Nullable Secret secret;
    private final Duration limit;

    LaunchContext(LaunchSource source, String reason, int rank, int worldSize, LaunchVariables variables) {
        this.source = source;
        this.reason = reason;
        this.rank = rank;
        this.worldSize = worldSize;
        this.variables = variables;
        this.store = variables.find("MUSTER_STORE").map(StoreAddress::parse).orElse(null);
        this.secret = variables.find("MUSTER_SECRET").map(LaunchContext::secret).orElse(null);
        this.limit = variables.findTime("MUSTER_LIMIT").orElse(USUAL_LIMIT);
    }

    /// Reads the variables that a launcher set for this process. Without any, it is rank 0 of 1.
    ///
    /// @param environment the variables of the process, such as `System.getenv()`
    /// @throws LaunchException if they contradict each other, or some are missing
    public static LaunchContext from(Map<String, String> environment) {
        return new LaunchReader(new LaunchVariables(Map.copyOf(environment))).read();
    }

    private static Secret secret(String text) {
        try {
            return Secret.of(text);
        } catch (IllegalArgumentException e) {
            throw new LaunchException("MUSTER_SECRET is not a secret: " + e.getMessage(), e);
        }
    }

    /// Whose variables were used.
    public LaunchSource source() {
        return source;
    }

    /// Why those, in one sentence.
    public String reason() {
        return reason;
    }

    /// Which process this is, from 0 on.
    public int rank() {
        return rank;
    }

    /// How many there are.
    public int worldSize() {
        return worldSize;
    }

    /// Which process of its host this is, from 0 on, if the launcher says so.
    public Optional<Integer> findLocalRank() {
        return variables.findNumber(source.localRank());
    }

    /// How many processes its host has, if the launcher says so.
    public Optional<Integer> findLocalWorldSize() {
        return variables.findNumber(source.localWorldSize());
    }

    /// Which host this is, from 0 on, if the launcher says so.
    public Optional<Integer> findGroupRank() {
        return variables.findNumber(source.groupRank());
    }

    /// The host of rank 0, if the launcher says so.
    public Optional<String> findMasterHost() {
        return variables
                .find("MASTER_ADDR")
                .or(() -> variables.find("LWS_LEADER_ADDRESS").filter(_ -> source == LaunchSource.LEADER_WORKER_SET))
                .or(this::findSlurmMaster);
    }

    /// Slurm sorts its lists of hosts and gives rank 0 to the first, unless somebody hands out the ranks.
    private Optional<String> findSlurmMaster() {
        boolean handedOut = variables
                .find("SLURM_DISTRIBUTION")
                .filter(text -> text.startsWith("arbitrary"))
                .isPresent();
        if (source != LaunchSource.SLURM || handedOut) {
            return Optional.empty();
        }
        return variables
                .find("SLURM_STEP_NODELIST")
                .or(() -> variables.find("SLURM_JOB_NODELIST"))
                .or(() -> variables.find("SLURM_NODELIST"))
                .flatMap(SlurmHosts::first);
    }

    /// The port of rank 0, if somebody says so.
    public Optional<Integer> findMasterPort() {
        return variables.findNumber("MASTER_PORT");
    }

    /// Whether `MUSTER_STORE` says where the processes meet.
    public boolean hasStore() {
        return store != null;
    }

    /// The server at which the processes meet, from `MUSTER_STORE`; nothing if it names a folder, or nothing.
    public Optional<InetSocketAddress> findStoreServer() {
        return store instanceof StoreAddress.AtServer(String host, int port)
                ? Optional.of(InetSocketAddress.createUnresolved(host, port))
                : Optional.empty();
    }

    /// What they all know, from `MUSTER_SECRET`.
    public Optional<Secret> findSecret() {
        return Optional.ofNullable(secret);
    }

    /// How the processes shall talk to each other, from `MUSTER_BACKEND`, if somebody says so.
    public Optional<String> findBackend() {
        return variables.find("MUSTER_BACKEND");
    }

    /// The folder in which ranks leave what they called when the mesh fails, from `MUSTER_RECORDINGS`, if somebody
    /// wants that.
    public Optional<Path> findRecordings() {
        return variables.find("MUSTER_RECORDINGS").map(Path::of);
    }

    /// A setting of a backend, such as `MUSTER_GLOO_SHIM`: a variable that is set and not blank.
    public Optional<String> findSetting(String variable) {
        return variables.find(variable);
    }

    /// All settings: variables that begin with `MUSTER_`, but for the secret.
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        variables.all().forEach((name, value) -> {
            if (name.startsWith("MUSTER_") && !name.equals("MUSTER_SECRET")) {
                settings.put(name, value);
            }
        });
        return settings;
    }

    /// How long they wait for each other, from `MUSTER_LIMIT`; a minute by default.
    public Duration limit() {
        return limit;
    }

    /// Opens the store that `MUSTER_STORE` names, within the limit.
    ///
    /// @throws LaunchException if there is none, or a secret is missing
    /// @throws dev.muster.mesh.store.StoreException if it cannot be opened
    public Store openStore() {
        if (store == null) {
            throw new LaunchException(
                    "MUSTER_STORE is not set: start the processes with 'muster mesh run', or set it to"
                            + " host:port or file:/folder");
        }
        return switch (store) {
            case StoreAddress.InFolder folder -> Store.inFolder(folder.folder());
            case StoreAddress.AtServer server -> {
                TcpStoreConfig config = TcpStoreConfig.of(findSecret()
                                .orElseThrow(() -> new LaunchException(
                                        "MUSTER_SECRET is not set, and the store of MUSTER_STORE asks for one")))
                        .withCallLimit(limit);
                yield Store.connect(InetSocketAddress.createUnresolved(server.host(), server.port()), config, limit);
            }
        };
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + worldSize + " (" + reason + ")";
    }
}
