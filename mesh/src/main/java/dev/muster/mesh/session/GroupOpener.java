package dev.muster.mesh.session;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.MeshError;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.gloo.GlooConnector;
import dev.muster.mesh.hier.HierEngine;
import dev.muster.mesh.hier.HostLayout;
import dev.muster.mesh.mpi.MpiGroups;
import dev.muster.mesh.mpi.MpiLibraries;
import dev.muster.mesh.mpi.MpiProcess;
import dev.muster.mesh.nccl.NcclKind;
import dev.muster.mesh.nccl.PlacedEngine;
import dev.muster.mesh.shm.LocalRegions;
import dev.muster.mesh.shm.MappedRegion;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import dev.muster.mesh.tcp.TcpConnector;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Chooses the engine of a group and opens it together with the other members.
final class GroupOpener {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Store store;
    private final SessionConfig config;
    private final List<Member> members;
    private final @Nullable LocalRegions regions;
    private final DeviceOpener devices;

    /// @param store keys of this incarnation
    /// @param members by rank of the world
    /// @param rank this one
    GroupOpener(Store store, SessionConfig config, List<Member> members, int rank, @Nullable LocalRegions regions) {
        this.store = store;
        this.config = config;
        this.members = members;
        this.regions = regions;
        this.devices = new DeviceOpener(store, config, localRank(members, rank));
    }

    /// How many ranks of the same host come before one.
    static int localRank(List<Member> members, int rank) {
        String host = members.get(rank).host();
        return (int) members.subList(0, rank).stream()
                .filter(member -> member.host().equals(host))
                .count();
    }

    int localRank() {
        return devices.localRank();
    }

    /// An open engine, and why it is this one.
    record Opened(Engine engine, String reason) {
        /// The same with another engine for memory of devices.
        Opened with(Engine device) {
            return new Opened(new PlacedEngine(engine.name(), engine, device), reason);
        }
    }

    Opened open(GroupIdentity group) {
        Opened host = openHost(group);
        return switch (config.engine()) {
            case NCCL -> onDevice(group, host, NcclKind.NCCL);
            case RCCL -> onDevice(group, host, NcclKind.RCCL);
            case AUTO -> host.with(new DeferredEngine(group, devices));
            case LOCAL, SHM, TCP, HIER, HIER_MPI, HIER_GLOO, MPI, GLOO ->
                host.with(new HostOnly(group, config.engine()));
        };
    }

    /// What carries memory of the host.
    private Opened openHost(GroupIdentity group) {
        List<Member> own = group.worldRanks().stream().map(members::get).toList();
        return switch (config.engine()) {
            case LOCAL -> new Opened(local(group).open(group), "it was asked for");
            case SHM -> new Opened(shared(group).orElseThrow(), "it was asked for");
            case TCP -> new Opened(sockets(group), "it was asked for");
            case HIER -> new Opened(layered(group, layout(group, own), this::sockets), "it was asked for");
            case HIER_MPI -> new Opened(layered(group, layout(group, own), this::messagePassing), "it was asked for");
            case HIER_GLOO -> new Opened(layered(group, layout(group, own), this::gloo), "it was asked for");
            case MPI -> new Opened(messagePassing(group), "it was asked for, by " + mpi().description());
            case GLOO -> new Opened(gloo(group), "it was asked for");
            case AUTO, NCCL, RCCL -> best(group, own);
        };
    }

    private Opened best(GroupIdentity group, List<Member> own) {
        boolean oneProcess = own.stream().map(Member::process).distinct().count() == 1;
        if (oneProcess && regions != null) {
            return new Opened(regions.open(group), "all members are threads of one process");
        }
        HostLayout layout = layout(group, own);
        if (layout.hosts() == own.size() && layout.hosts() > 1) {
            return new Opened(sockets(group), "its members are on " + layout.hosts() + " hosts");
        }
        if (layout.hosts() > 1) {
            return new Opened(
                    layered(group, layout, this::sockets),
                    "its members are on " + layout.hosts() + " hosts, some with several");
        }
        Optional<Engine> shared = sharedOrWhyNot(group);
        return shared.map(engine -> new Opened(engine, "all members are processes of one host"))
                .orElseGet(() -> new Opened(sockets(group), "the members of this host cannot share memory"));
    }

    /// Members of a part of the world wait for each other in MPI, which knows no limit: so they meet here first.
    private Engine messagePassing(GroupIdentity group) {
        if (group.size() < members.size()) {
            String prefix = "group/" + group.key() + "/mpi/";
            store.set(prefix + "open/" + group.rank(), text("here"));
            awaitAll(group, prefix);
        }
        return new MpiGroups(mpi(), config.processors(), config.inRankOrder()).open(group, members.size());
    }

    private static MpiProcess mpi() {
        return MpiProcess.enter(MpiLibraries.usual());
    }

    private Opened onDevice(GroupIdentity group, Opened host, NcclKind kind) {
        try {
            Engine device = devices.open(group, kind, config.limit(), () -> {});
            return new Opened(
                    new PlacedEngine(device.name(), host.engine(), device),
                    "it was asked for; buffers of the host go by "
                            + host.engine().name() + ", because " + host.reason());
        } catch (RuntimeException e) {
            host.engine().close();
            throw e;
        }
    }

    /// Divides what a group has on devices; all its members call this before those of a part open its group.
    void divide(GroupIdentity parent, int colour, int key) {
        switch (config.engine()) {
            case NCCL -> devices.divide(NcclKind.NCCL, parent, colour, key);
            case RCCL -> devices.divide(NcclKind.RCCL, parent, colour, key);
            // Under auto a part may never need devices; if it does, it gets a communicator of its own.
            case AUTO, LOCAL, SHM, TCP, HIER, HIER_MPI, HIER_GLOO, MPI, GLOO -> {}
        }
    }

    private static HostLayout layout(GroupIdentity group, List<Member> own) {
        return HostLayout.of(group.rank(), own.stream().map(Member::host).toList());
    }

    /// Opens the engine within this host, that between the first members of hosts, and one between all.
    ///
    /// @param between opens an engine whose members may be on other hosts
    private Engine layered(GroupIdentity group, HostLayout layout, Function<GroupIdentity, Engine> between) {
        List<Engine> opened = new ArrayList<>();
        try {
            Engine host = null;
            Engine leaders = null;
            if (layout.neighbours().length > 1) {
                host = neighbours(group.part("host-" + layout.ownHost(), layout.neighbours()));
                opened.add(host);
            }
            if (layout.hosts() > 1 && layout.isLeader()) {
                leaders = between.apply(group.part("leaders", layout.leaders()));
                opened.add(leaders);
            }
            Engine all = between.apply(group);
            return new HierEngine(layout, host, leaders, all, config.inRankOrder());
        } catch (RuntimeException e) {
            opened.forEach(Engine::close);
            throw e;
        }
    }

    private Engine neighbours(GroupIdentity part) {
        return regions != null ? regions.open(part) : sharedOrWhyNot(part).orElseGet(() -> sockets(part));
    }

    private LocalRegions local(GroupIdentity group) {
        if (regions == null) {
            throw new MeshException(
                    MeshError.UNAVAILABLE,
                    "group " + group.name() + ": the engine local joins threads of one process; join with a LocalHub");
        }
        return regions;
    }

    private Engine sockets(GroupIdentity group) {
        return TcpConnector.connect(
                group,
                store,
                config.secret(),
                config.address(),
                config.limit(),
                config.processors(),
                config.inRankOrder());
    }

    private Engine gloo(GroupIdentity group) {
        return GlooConnector.connect(
                group, store, config.glooShim(), config.address(), config.limit(), config.inRankOrder());
    }

    private Optional<Engine> shared(GroupIdentity group) {
        Optional<Engine> engine = sharedOrWhyNot(group);
        if (engine.isEmpty()) {
            throw new MeshException(
                    MeshError.UNAVAILABLE,
                    "group " + group.name() + ": its members cannot share memory in "
                            + config.host().directory() + "; use the engine tcp");
        }
        return engine;
    }

    /// The first member makes the file and says where it is; each opens it and says whether it could; when all
    /// could, the first deletes its name. If one could not, nobody uses it.
    private Optional<Engine> sharedOrWhyNot(GroupIdentity group) {
        String prefix = "group/" + group.key() + "/shm/";
        boolean first = group.rank() == 0;
        Path file = null;
        Engine engine = null;
        try {
            if (first) {
                file = create(group);
                store.set(prefix + "file", text(file == null ? "" : file.toString()));
            } else {
                String path = new String(store.await(prefix + "file", config.limit()), StandardCharsets.UTF_8);
                file = path.isEmpty() ? null : Path.of(path);
            }
            engine = file == null ? null : tryOpen(file, group);
            store.set(prefix + "open/" + group.rank(), text(engine == null ? "no" : "yes"));
            boolean all = awaitAll(group, prefix).values().stream()
                    .allMatch(answer -> new String(answer, StandardCharsets.UTF_8).equals("yes"));
            if (all) {
                return Optional.ofNullable(engine);
            }
            close(engine);
            return Optional.empty();
        } catch (RuntimeException e) {
            close(engine);
            throw e;
        } finally {
            if (first && file != null) {
                MappedRegion.delete(file);
            }
        }
    }

    private @Nullable Path create(GroupIdentity group) {
        try {
            return MappedRegion.create(config.host().directory(), group);
        } catch (MeshException e) {
            return null; // the others are told that there is none
        }
    }

    private @Nullable Engine tryOpen(Path file, GroupIdentity group) {
        try {
            return MappedRegion.open(file, group, config.processors());
        } catch (MeshException e) {
            return null; // the others are told that this member cannot
        }
    }

    private static void close(@Nullable Engine engine) {
        if (engine != null) {
            engine.close();
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Map<String, byte[]> awaitAll(GroupIdentity group, String prefix) {
        List<String> keys = IntStream.range(0, group.size())
                .mapToObj(rank -> prefix + "open/" + rank)
                .toList();
        return awaitAll(store, group, keys, config.limit());
    }

    /// As the other one, for members that may lose interest while they wait.
    ///
    /// @param requireWanted is asked again and again; its exception ends the wait
    static Map<String, byte[]> awaitAll(
            Store store, GroupIdentity group, List<String> keys, Duration limit, Runnable requireWanted) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            requireWanted.run();
            long left = end - System.nanoTime();
            try {
                return store.awaitAll(keys, Duration.ofNanos(Math.clamp(left, 1, LOOK.toNanos())));
            } catch (StoreException e) {
                if (e.missing().isEmpty() || left <= LOOK.toNanos()) {
                    throw notAll(e, group, keys, limit);
                }
            }
        }
    }

    /// Waits for a key of each member, in the order of the group, and names those that are missing.
    static Map<String, byte[]> awaitAll(Store store, GroupIdentity group, List<String> keys, Duration limit) {
        try {
            return store.awaitAll(keys, limit);
        } catch (StoreException e) {
            throw notAll(e, group, keys, limit);
        }
    }

    private static MeshException notAll(StoreException e, GroupIdentity group, List<String> keys, Duration limit) {
        List<Integer> missing = IntStream.range(0, keys.size())
                .filter(rank -> e.missing().contains(keys.get(rank)))
                .mapToObj(group::worldRank)
                .toList();
        return missing.isEmpty()
                ? new MeshException(MeshError.STORE_LOST, "group " + group.name() + ": " + e.getMessage(), e)
                : MeshException.overdue("group " + group.name() + ": opening it", limit, missing);
    }
}
