// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.launch;

import dev.muster.core.text.HostList;
import dev.muster.mesh.secure.TlsPolicy;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.TcpStoreConfig;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
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
    private final TlsPolicy tls;

    LaunchContext(LaunchSource source, String reason, int rank, int worldSize, LaunchVariables variables) {
        this.source = source;
        this.reason = reason;
        this.rank = rank;
        this.worldSize = worldSize;
        this.variables = variables;
        this.store = variables.find("MUSTER_STORE").map(StoreAddress::parse).orElse(null);
        this.secret = variables.find("MUSTER_SECRET").map(LaunchContext::secret).orElse(null);
        this.limit = variables.findTime("MUSTER_LIMIT").orElse(USUAL_LIMIT);
        this.tls = variables.tls();
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

    /// Returns the launcher whose variables were used.
    LaunchSource source() {
        return source;
    }

    /// Reports whether a launcher of MPI started this process.
    public boolean isStartedByMpi() {
        return source == LaunchSource.OPEN_MPI || isStartedByMpich();
    }

    /// Reports whether MPICH's launcher, or another one that speaks PMI, started this process.
    public boolean isStartedByMpich() {
        return source == LaunchSource.MPICH;
    }

    /// Returns the reason for this choice, in one sentence.
    public String reason() {
        return reason;
    }

    /// Returns the rank of this process, from 0 on.
    public int rank() {
        return rank;
    }

    /// Returns the number of processes.
    public int worldSize() {
        return worldSize;
    }

    /// Returns the index of this process on its host, from 0 on, if the launcher says so.
    public Optional<Integer> findLocalRank() {
        return variables.findNumber(source.localRank());
    }

    /// Returns the number of processes on its host, if the launcher says so.
    public Optional<Integer> findLocalWorldSize() {
        return variables.findNumber(source.localWorldSize());
    }

    /// Returns the index of this host, from 0 on, if the launcher says so.
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

    /// Slurm sorts its lists of hosts and gives rank 0 to the first, unless another order was requested.
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
                .flatMap(HostList::first);
    }

    /// The port of rank 0, if set.
    public Optional<Integer> findMasterPort() {
        return variables.findNumber("MASTER_PORT");
    }

    /// Reports whether `MUSTER_STORE` says where the processes meet.
    public boolean hasStore() {
        return store != null;
    }

    /// The server at which the processes meet, from `MUSTER_STORE`; nothing if it names a folder, or nothing.
    public Optional<InetSocketAddress> findStoreServer() {
        return store instanceof StoreAddress.AtServer(String host, int port)
                ? Optional.of(InetSocketAddress.createUnresolved(host, port))
                : Optional.empty();
    }

    /// Returns the secret that all processes share, from `MUSTER_SECRET`.
    public Optional<Secret> findSecret() {
        return Optional.ofNullable(secret);
    }

    /// Returns the backend of the processes, from `MUSTER_BACKEND`, if set.
    public Optional<String> findBackend() {
        return variables.find("MUSTER_BACKEND");
    }

    /// The folder in which ranks leave what they called when the mesh fails, from `MUSTER_RECORDINGS`, if
    /// set.
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

    /// Returns the limit of waits for each other, from `MUSTER_LIMIT`; a minute by default.
    public Duration limit() {
        return limit;
    }

    /// Returns the rule for encryption of the mesh's connections, from `MUSTER_MESH_TLS`: `auto` by default, `always`
    /// or `never`.
    public String tls() {
        return tls.text();
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
                        .withCallLimit(limit)
                        .withTls(tls());
                yield Store.connect(InetSocketAddress.createUnresolved(server.host(), server.port()), config, limit);
            }
        };
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + worldSize + " (" + reason + ")";
    }

    /// The launcher of the processes of a mesh, with the variables by which each process knows its place. The order is
    /// the order in which they are believed: a launcher may itself have been started by one further down.
    enum LaunchSource {
        /// torchrun, and everything that sets its variables, such as `muster mesh run`.
        TORCHRUN("torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "GROUP_RANK"),
        /// Open MPI's mpirun.
        OPEN_MPI(
                "Open MPI",
                "OMPI_COMM_WORLD_RANK",
                "OMPI_COMM_WORLD_SIZE",
                "OMPI_COMM_WORLD_LOCAL_RANK",
                "OMPI_COMM_WORLD_LOCAL_SIZE",
                ""),
        /// MPICH's mpiexec, and others that speak PMI.
        MPICH("MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", ""),
        /// A LeaderWorkerSet of Kubernetes: one process in each pod of a group.
        LEADER_WORKER_SET("LeaderWorkerSet", "LWS_WORKER_INDEX", "LWS_GROUP_SIZE", "", "", ""),
        /// An indexed Job of Kubernetes: one process in each pod; how many there are is ours to say.
        INDEXED_JOB("an indexed Job", "JOB_COMPLETION_INDEX", "WORLD_SIZE", "", "", ""),
        /// Slurm's srun.
        SLURM("Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "", "SLURM_NODEID"),
        /// No launcher: one process by itself.
        NONE("no launcher", "", "", "", "", "");

        private final String title;
        private final List<String> variables;

        LaunchSource(String title, String... variables) {
            this.title = title;
            this.variables = Collections.unmodifiableList(Arrays.asList(variables));
        }

        /// The launcher's name for people.
        String title() {
            return title;
        }

        /// The variable with the rank.
        String rank() {
            return variables.get(0);
        }

        String worldSize() {
            return variables.get(1);
        }

        /// The variable with the rank within the host; blank where there is none. The same holds for those below.
        String localRank() {
            return variables.get(2);
        }

        String localWorldSize() {
            return variables.get(3);
        }

        String groupRank() {
            return variables.get(4);
        }
    }

    /// The store where the members of a mesh meet. Immutable.
    private sealed interface StoreAddress {
        /// A folder that all processes of one host see.
        ///
        /// @param folder the folder
        record InFolder(Path folder) implements StoreAddress {}

        /// A server.
        ///
        /// @param host its name or address
        /// @param port its port
        record AtServer(String host, int port) implements StoreAddress {}

        /// Reads `file:/path` or `host:port`; an address of version 6 stands in brackets.
        ///
        /// @throws LaunchException if it is neither
        static StoreAddress parse(String text) {
            if (text.startsWith("file:")) {
                return new InFolder(folder(text));
            }
            int colon = text.lastIndexOf(':');
            String host = colon < 0 ? "" : text.substring(0, colon);
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            } else if (host.contains(":")) {
                host = "";
            }
            int port = colon < 0 ? 0 : LaunchVariables.number(text.substring(colon + 1));
            if (host.isBlank() || port < 1 || port > 65_535) {
                throw unreadable(text);
            }
            return new AtServer(host, port);
        }

        private static Path folder(String text) {
            try {
                Path folder = Path.of(text.substring("file:".length()));
                if (folder.isAbsolute()) {
                    return folder;
                }
            } catch (InvalidPathException _) {
                // The same answer as to a relative one.
            }
            throw unreadable(text);
        }

        private static LaunchException unreadable(String text) {
            return new LaunchException(
                    "MUSTER_STORE is host:port or file:/an/absolute/folder, not " + LaunchVariables.quoted(text));
        }
    }
}
