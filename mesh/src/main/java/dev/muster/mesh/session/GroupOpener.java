// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.GroupBackend;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.hier.HierProvider;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.nccl.DeferredEngine;
import dev.muster.mesh.nccl.DeviceOpener;
import dev.muster.mesh.nccl.PlacedEngine;
import dev.muster.mesh.shm.LocalRegions;
import dev.muster.mesh.shm.ShmProvider;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import dev.muster.mesh.tcp.TcpProvider;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/// Chooses the engine of a group and opens it together with the other members.
final class GroupOpener implements EngineContext {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Store store;
    private final SessionConfig config;
    private final List<Member> members;
    private final int localRank;
    private final List<EngineProvider> providers;
    private final DeviceOpener devices;
    private final OpeningOrder order;

    /// @param store keys of this incarnation
    /// @param members by rank of the world
    /// @param rank this one
    GroupOpener(Store store, SessionConfig config, List<Member> members, int rank) {
        this.store = store;
        this.config = config;
        this.members = members;
        this.localRank = localRank(members, rank);
        this.providers = new ArrayList<>(config.providers());
        providers.addAll(Backends.list());
        this.devices = new DeviceOpener(this);
        this.order = new OpeningOrder(store, rank);
    }

    /// Returns the number of ranks of the same host that come before one.
    static int localRank(List<Member> members, int rank) {
        String host = members.get(rank).host();
        return (int) members.subList(0, rank).stream()
                .filter(member -> member.host().equals(host))
                .count();
    }

    /// Compares something with what the other members have.
    ///
    /// @param what tells it from others, for people
    /// @return what each of them has, in the order of the group
    List<byte[]> compare(GroupIdentity group, String what, byte[] own) {
        order.begin(group, what);
        return exchange(group, what, own);
    }

    /// @throws GroupException `disagreement` if members mean different ranks, or open groups in another order
    private void begin(GroupIdentity group) {
        order.begin(group, "group " + group.name());
    }

    Engine open(GroupIdentity group) {
        begin(group);
        return openBegun(group);
    }

    private Engine openBegun(GroupIdentity group) {
        return isFree() ? placed(group, openBest(group)) : openNamed(group, require(config.backend()));
    }

    /// Opens a group of a plan by the backend that the plan names, unless this session was told to take another one.
    Engine open(GroupIdentity group, GroupBackend planned) {
        begin(group);
        if (!isFree() || group.size() == 1) {
            return openBegun(group);
        }
        return switch (planned) {
            // What lies on devices goes by these two in any case, and they carry nothing of the host's memory.
            case NCCL, RCCL, MOCK, FAKE -> openBegun(group);
            case LOCAL, SHM, TCP, HIER -> openNamed(group, require(planned.text()));
            case MPI ->
                throw new GroupException(
                        GroupError.UNAVAILABLE,
                        "group " + group.name() + ": its plan names mpi, which is available only to ranks that"
                                + " mpirun started with the backend mpi");
            case GLOO -> openWhereAllHave(group, require(planned.text()));
        };
    }

    /// Reports whether no backend was named.
    private boolean isFree() {
        return config.backend().equals(Backends.AUTO);
    }

    private Engine placed(GroupIdentity group, EngineChoice best) {
        Engine host = best.engine();
        return PlacedEngine.of(host.name(), host, new DeferredEngine(group, devices), best.reason());
    }

    private Engine openNamed(GroupIdentity group, EngineProvider provider) {
        Engine engine = provider.open(group, this);
        return provider.isForDevices() ? engine : PlacedEngine.hostOnly(group, provider.name(), engine);
    }

    /// Members without the library of a backend say so, and all of them then take the best of the others.
    private Engine openWhereAllHave(GroupIdentity group, EngineProvider provider) {
        byte[] own = lack(provider).getBytes(StandardCharsets.UTF_8);
        List<byte[]> said = exchange(group, "library/" + provider.name(), own);
        for (int member = 0; member < said.size(); member++) {
            if (said.get(member).length > 0) {
                EngineChoice best = openBest(group);
                String why = "the plan names " + provider.name() + ", which rank " + group.worldRank(member)
                        + " does not have (" + new String(said.get(member), StandardCharsets.UTF_8) + "), and "
                        + best.reason();
                return placed(group, new EngineChoice(best.engine(), why));
            }
        }
        return openNamed(group, provider);
    }

    /// Returns the reason for which this process does not have the library of a backend; empty if it has.
    private String lack(EngineProvider provider) {
        try {
            provider.findLibrary(LaunchContext.from(config.settings()));
            return "";
        } catch (GroupException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private EngineProvider require(String backend) {
        return Backends.find(providers, backend)
                .orElseThrow(() -> new GroupException(
                        GroupError.UNAVAILABLE,
                        "backend " + backend + " not found; available: "
                                + String.join(
                                        ", ",
                                        providers.stream()
                                                .map(EngineProvider::name)
                                                .distinct()
                                                .toList())));
    }

    @Override
    public EngineChoice openBest(GroupIdentity group) {
        if (config.isOfThreads() && isOneProcess(group)) {
            Engine local = require(LocalRegions.NAME).open(group, this);
            return new EngineChoice(local, "all members are threads of one process");
        }
        List<String> hosts = hosts(group);
        long different = hosts.stream().distinct().count();
        if (different == hosts.size() && different > 1) {
            return new EngineChoice(new TcpProvider().open(group, this), "its members are on " + different + " hosts");
        }
        if (different > 1) {
            Engine layered = new HierProvider("hier", new TcpProvider()).open(group, this);
            return new EngineChoice(layered, "its members are on " + different + " hosts, some with several");
        }
        ShmProvider.Attempt shared = ShmProvider.attempt(group, this);
        return shared.find()
                .map(engine -> new EngineChoice(engine, "all members are processes of one host"))
                .orElseGet(() -> new EngineChoice(
                        new TcpProvider().open(group, this),
                        "the members of this host cannot share memory: " + shared.obstacle()));
    }

    /// Divides what a group has on devices; all its members call this before those of a part open its group.
    void divide(GroupIdentity parent, int colour, int key) {
        Backends.find(providers, config.backend()).ifPresent(provider -> provider.divide(parent, colour, key, this));
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Secret secret() {
        return config.secret();
    }

    @Override
    public InetAddress address() {
        return config.address();
    }

    @Override
    public Duration limit() {
        return config.limit();
    }

    @Override
    public int processors() {
        return config.processors();
    }

    @Override
    public boolean inRankOrder() {
        return config.inRankOrder();
    }

    @Override
    public Path sharedMemory() {
        return config.sharedMemory();
    }

    @Override
    public int worldSize() {
        return members.size();
    }

    @Override
    public int localRank() {
        return localRank;
    }

    @Override
    public List<String> hosts(GroupIdentity group) {
        return group.worldRanks().stream().map(rank -> members.get(rank).host()).toList();
    }

    @Override
    public boolean isOneProcess(GroupIdentity group) {
        return group.worldRanks().stream()
                        .map(rank -> members.get(rank).process())
                        .distinct()
                        .count()
                == 1;
    }

    @Override
    public Optional<String> findSetting(String variable) {
        return Optional.ofNullable(config.settings().get(variable));
    }

    @Override
    public List<byte[]> exchange(GroupIdentity group, String topic, byte[] own) {
        return exchange(group, topic, own, limit(), () -> order.require(group, topic));
    }

    @Override
    public List<byte[]> exchange(
            GroupIdentity group, String topic, byte[] own, Duration limit, Runnable requireWanted) {
        List<String> keys = say(group, topic, own);
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            requireWanted.run();
            long left = end - System.nanoTime();
            try {
                return inOrder(keys, store.awaitAll(keys, Duration.ofNanos(Math.clamp(left, 1, LOOK.toNanos()))));
            } catch (StoreException e) {
                if (e.missing().isEmpty() || left <= LOOK.toNanos()) {
                    throw notAll(e, group, keys, limit);
                }
            }
        }
    }

    /// Says it, and gives the keys of what all members say.
    private List<String> say(GroupIdentity group, String topic, byte[] own) {
        store.set(key(group, topic, group.rank()), own);
        return IntStream.range(0, group.size())
                .mapToObj(member -> key(group, topic, member))
                .toList();
    }

    static String key(GroupIdentity group, String topic, int member) {
        return "group/" + group.key() + "/" + topic + "/" + member;
    }

    private static List<byte[]> inOrder(List<String> keys, Map<String, byte[]> said) {
        return keys.stream().map(key -> Objects.requireNonNull(said.get(key))).toList();
    }

    /// Waits for a key of each member, in the order of the group, and names those that are missing.
    static List<byte[]> awaitAll(Store store, GroupIdentity group, List<String> keys, Duration limit) {
        try {
            return inOrder(keys, store.awaitAll(keys, limit));
        } catch (StoreException e) {
            throw notAll(e, group, keys, limit);
        }
    }

    private static GroupException notAll(StoreException e, GroupIdentity group, List<String> keys, Duration limit) {
        List<Integer> missing = IntStream.range(0, keys.size())
                .filter(rank -> e.missing().contains(keys.get(rank)))
                .mapToObj(group::worldRank)
                .toList();
        return missing.isEmpty()
                ? new GroupException(GroupError.STORE_LOST, "group " + group.name() + ": " + e.getMessage(), e)
                : GroupException.overdue("group " + group.name() + ": opening it", limit, missing);
    }
}
