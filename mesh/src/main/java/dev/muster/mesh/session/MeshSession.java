// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshGroup;
import dev.muster.mesh.MeshPlanException;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// This process as a rank of a running mesh. The first failure of any rank fails every group of every rank.
///
/// Opening and closing groups is for one thread; the groups themselves and [#failure()] are for any. The caller that
/// joined closes the session, which closes its groups and its way into the store.
///
/// @since 0.1
public final class MeshSession implements AutoCloseable {
    private static final String WORLD = DeviceMesh.WORLD;
    /// The version of what ranks say to each other through the store; changes when that does.
    private static final int PROTOCOL = 4;

    private final Store root;
    private final Store store;
    private final int rank;
    private final int worldSize;
    private final long incarnation;
    private final SessionConfig config;
    private final GroupOpener opener;
    private final SharedFailure board;
    private final Watchdog watchdog;
    private final SharedRecordings recordingBoard;
    private final CallNotes notes;
    private final Map<String, OpenGroup> groups = new LinkedHashMap<>();
    private final Map<String, Integer> splits = new HashMap<>();
    private volatile @Nullable GroupException failure;
    /// The thread that waits for others to join or to open a group.
    private @Nullable Thread waiting;

    private boolean isWoken;
    private int arrangement;
    private @Nullable DeviceMesh arranged;
    private boolean closed;

    /// A group of this rank, and why it has the engine that it has.
    private record OpenGroup(ProcessGroup group, WatchedEngine engine) {}

    /// @param before the ranks as the incarnation before this one had them
    private MeshSession(
            Store root, int rank, int worldSize, long incarnation, SessionConfig config, List<Integer> before) {
        this.root = root;
        this.store = root.withPrefix("mesh/" + incarnation + "/");
        this.rank = rank;
        this.worldSize = worldSize;
        this.incarnation = incarnation;
        this.config = config;
        this.recordingBoard = new SharedRecordings(store, config.recordings());
        this.board = new SharedFailure(store, rank, this::failAll);
        board.hear(incarnation == 1 ? root : search(root, incarnation), before);
        this.watchdog = new Watchdog(store, rank, worldSize, config, this::reportSilent, this::lookAtCalls);
        this.notes = new CallNotes(store, this::findEngine, watchdog::hasMissedBeats, () -> failure != null);
        this.opener = new GroupOpener(store, config, meet(), rank);
        watchdog.watch();
    }

    /// Joins a mesh as one of its ranks; returns when all ranks have come. The session closes the store, at once if
    /// it cannot join.
    ///
    /// @throws GroupException if a rank is missing when the limit has passed, or is there twice
    public static MeshSession join(Store store, int rank, int worldSize, SessionConfig config) {
        if (rank < 0 || rank >= worldSize) {
            throw new IllegalArgumentException("rank " + rank + " is not one of the " + worldSize + " ranks");
        }
        try {
            List<Integer> ranks = IntStream.range(0, worldSize).boxed().toList();
            return open(store, rank, worldSize, 1, config, ranks);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /// Joins the mesh that this process was started for, with the store, secret, limit and backend of
    /// its launcher; returns when all ranks have come. A process without a launcher is a mesh of one
    /// rank.
    ///
    /// @throws dev.muster.mesh.launch.LaunchException if the store or the secret is missing, or there is no
    ///     such backend
    /// @throws dev.muster.mesh.store.StoreException if the store cannot be reached
    /// @throws GroupException if a rank is missing when the limit has passed, or is there twice
    public static MeshSession join(LaunchContext context) {
        LaunchedRank launched = new LaunchedRank(context);
        SessionConfig config = launched.config();
        return join(launched.store(), context.rank(), context.worldSize(), config);
    }

    private static MeshSession open(
            Store store, int rank, int worldSize, long incarnation, SessionConfig config, List<Integer> before) {
        try {
            MeshTerms.of(PROTOCOL, rank, worldSize, config).requireSame(store, "mesh/" + incarnation + "/world");
            MeshSession session = new MeshSession(store, rank, worldSize, incarnation, config, before);
            session.openWorld();
            return session;
        } catch (StoreException e) {
            throw new GroupException(
                    GroupError.STORE_LOST, "rank " + rank + " cannot join: the store fails: " + e.getMessage(), e);
        }
    }

    private static Store search(Store root, long incarnation) {
        return root.withPrefix("census/" + incarnation + "/");
    }

    /// Waits for others in a way that a failure of the mesh ends.
    private <T> T waitFor(Supplier<T> others) {
        synchronized (this) {
            throwIfFailed();
            waiting = Thread.currentThread();
        }
        RuntimeException thrown;
        try {
            return others.get();
        } catch (StoreException | GroupException e) {
            thrown = e;
        } finally {
            synchronized (this) {
                waiting = null;
                if (isWoken) {
                    Thread.interrupted();
                    isWoken = false;
                }
            }
        }
        synchronized (this) {
            throw failure == null ? thrown : failure;
        }
    }

    private void openWorld() {
        try {
            GroupIdentity world = worldIdentity();
            openAs(WORLD, world, () -> opener.open(world));
        } catch (RuntimeException e) {
            end();
            throw e;
        }
    }

    /// Says that this rank is here and learns who the others are.
    private List<Member> meet() {
        String process = ProcessHandle.current().pid() + (config.isOfThreads() ? "" : "-" + rank);
        Member own = new Member(config.host(), process);
        try {
            return waitFor(() -> own.meet(store, worldIdentity(), config.limit()));
        } catch (RuntimeException e) {
            end();
            throw e;
        }
    }

    private GroupIdentity worldIdentity() {
        return GroupIdentity.world(worldSize, rank, incarnation);
    }

    private void end() {
        board.close();
        watchdog.close();
        notes.close();
    }

    /// The rank of this process.
    public int rank() {
        return rank;
    }

    /// The rank of this process within its host: how many ranks of the same host come before it. It is the number of
    /// its device.
    public int localRank() {
        return opener.localRank();
    }

    /// Returns the number of ranks.
    public int worldSize() {
        return worldSize;
    }

    /// Returns the incarnation of the mesh, from 1; [#rebuild(Duration)] begins the next.
    public long incarnation() {
        return incarnation;
    }

    /// The group of all ranks.
    public ProcessGroup world() {
        return group(WORLD);
    }

    /// A group of this rank.
    ///
    /// @throws IllegalArgumentException if there is none with that name here
    public ProcessGroup group(String name) {
        return require(name).group();
    }

    /// Returns the reason for which a group has the engine that it has.
    ///
    /// @throws IllegalArgumentException if there is none with that name here
    public String reason(String name) {
        return require(name).engine().reason();
    }

    /// The plan of the mesh as this rank sees it.
    ///
    /// @throws IllegalStateException before [#arrange(DeviceMesh)]
    public synchronized DeviceMesh mesh() {
        if (arranged == null) {
            throw new IllegalStateException("rank " + rank + " has no plan of the mesh: call arrange first");
        }
        return arranged;
    }

    /// The group of this rank along some dimensions of the plan: `axis("tp")`; along all of them it is `world`.
    ///
    /// @throws dev.muster.mesh.MeshPlanException if a dimension does not exist, or the plan has no such groups
    /// @throws IllegalStateException before [#arrange(DeviceMesh)]
    public ProcessGroup axis(String... dimensions) {
        return group(mesh().ownGroup(dimensions).name());
    }

    private synchronized OpenGroup require(String name) {
        OpenGroup open = groups.get(name);
        if (open == null) {
            throw new IllegalArgumentException(
                    "rank " + rank + " has no group " + name + "; it has " + String.join(", ", groups.keySet()));
        }
        return open;
    }

    /// Opens a group of ranks of the world; all of them call this with the same ranks in the same order.
    public ProcessGroup open(String name, int... worldRanks) {
        synchronized (this) {
            if (groups.containsKey(name)) {
                throw new IllegalArgumentException("group " + name + " is open already");
            }
        }
        GroupIdentity identity = GroupIdentity.of(name, worldRanks, rank, incarnation);
        return openAs(name, identity, () -> opener.open(identity));
    }

    /// @param name its name among callers; the identity differs from that of all groups that ever were
    private ProcessGroup openAs(String name, GroupIdentity identity, Supplier<Engine> opening) {
        WatchedEngine engine;
        try {
            engine = new WatchedEngine(waitFor(opening), identity, notes, this::isInCall);
        } catch (GroupException e) {
            throw board.report(e);
        } catch (StoreException e) {
            throw board.report(new GroupException(
                    GroupError.STORE_LOST, "group " + name + ": the store of the mesh is lost: " + e.getMessage(), e));
        }
        ProcessGroup group = ProcessGroup.of(identity, engine, config.limit(), board::report);
        synchronized (this) {
            groups.put(name, new OpenGroup(group, engine));
            if (failure != null) {
                group.fail(failure);
            }
        }
        return group;
    }

    /// Opens the groups of a plan that this rank belongs to, in the order of the plan. All ranks call this; if
    /// their plans differ, all are told which ranks have another one. Groups of an earlier plan are retired.
    ///
    /// A group goes by the backend that the plan names, unless this session was told to take another one than
    /// `auto`; [#reason(String)] tells. What lies on devices goes by NCCL or RCCL where a plan names these, and
    /// what lies in the host's memory by the best that its members have.
    public void arrange(DeviceMesh mesh) {
        if (mesh.worldSize() != worldSize) {
            throw new IllegalArgumentException(
                    "the plan has " + mesh.worldSize() + " ranks, the mesh has " + worldSize);
        }
        arrangement++;
        requireSamePlan(mesh.planHash());
        retire();
        DeviceMesh own = mesh.withRank(rank);
        for (MeshGroup planned : own.ownGroups()) {
            if (!planned.name().equals(WORLD)) {
                int[] ranks = planned.ranks().stream().toArray();
                String unique = arrangement == 1 ? planned.name() : planned.name() + "@" + arrangement;
                GroupIdentity identity = GroupIdentity.of(unique, ranks, rank, incarnation);
                openAs(planned.name(), identity, () -> opener.open(identity, planned.backend()));
            }
        }
        synchronized (this) {
            arranged = own;
        }
    }

    /// Before any rank opens a group of its plan: ranks with different plans would wait for each other in different
    /// groups.
    private void requireSamePlan(String hash) {
        byte[] own = hash.getBytes(StandardCharsets.UTF_8);
        try {
            List<byte[]> hashes = waitFor(() -> opener.compare(worldIdentity(), "plan " + arrangement, own));
            DeviceMesh.requireSamePlan(hashes.stream()
                    .map(other -> new String(other, StandardCharsets.UTF_8))
                    .toList());
        } catch (MeshPlanException e) {
            throw board.report(new GroupException(GroupError.DISAGREEMENT, String.valueOf(e.getMessage()), e));
        } catch (GroupException e) {
            throw board.report(e);
        }
    }

    private synchronized void retire() {
        List<String> old =
                groups.keySet().stream().filter(name -> !name.equals(WORLD)).toList();
        for (String name : old) {
            ProcessGroup group = require(name).group();
            groups.remove(name);
            group.fail(new GroupException(
                    GroupError.RETIRED, "group " + name + " belongs to a mesh plan that was replaced"));
            group.close();
        }
    }

    /// Divides a group: members with the same colour form a new group, ordered by key and then by rank. All
    /// members call this. A negative colour joins none.
    public Optional<ProcessGroup> split(ProcessGroup parent, int colour, int key) {
        String name = parent.identity().name();
        int number = splits.merge(name, 1, Integer::sum);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocateFrom(ValueLayout.JAVA_INT, colour, key);
            MemorySegment all = arena.allocate(ValueLayout.JAVA_INT, 2L * parent.size());
            parent.allGather(own, all, DType.INT32);
            // What the group has on devices is divided before those of a part open its group.
            opener.divide(parent.identity(), colour, key);
            if (colour < 0) {
                return Optional.empty();
            }
            int[] ranks = IntStream.range(0, parent.size())
                    .filter(member -> all.getAtIndex(ValueLayout.JAVA_INT, 2L * member) == colour)
                    .boxed()
                    .sorted(Comparator.comparingInt(member -> all.getAtIndex(ValueLayout.JAVA_INT, 2L * member + 1)))
                    .mapToInt(member -> parent.identity().worldRank(member))
                    .toArray();
            return Optional.of(open(name + "/" + number + "-" + colour, ranks));
        }
    }

    private void failAll(GroupException reason) {
        synchronized (this) {
            if (failure != null || closed) {
                return;
            }
            failure = reason;
            groups.values().forEach(open -> open.group().fail(reason));
            if (waiting != null) {
                isWoken = true;
                waiting.interrupt();
            }
        }
        recordingBoard.leave(recordings());
    }

    /// Returns the recordings of this rank, one of each of its groups.
    public synchronized List<FlightDump> recordings() {
        return groups.entrySet().stream()
                .map(open -> new FlightDump(
                        open.getKey(), rank, open.getValue().group().recording()))
                .toList();
    }

    /// After a failure: the first call of a group on which its members went apart, in one sentence, from this rank's
    /// recording and those that other members have left so far. Empty if they agree, or none has come.
    public Optional<String> findDivergence(String group) {
        return recordingBoard.findDivergence(group, recordings());
    }

    private List<WatchedEngine> engines() {
        synchronized (this) {
            return groups.values().stream().map(OpenGroup::engine).toList();
        }
    }

    private Optional<WatchedEngine> findEngine(String key) {
        return engines().stream()
                .filter(engine -> engine.group().key().equals(key))
                .findFirst();
    }

    private boolean isInCall() {
        return engines().stream().anyMatch(WatchedEngine::isInCall);
    }

    private void lookAtCalls() {
        for (WatchedEngine engine : engines()) {
            engine.look().ifPresent(found -> failAll(board.report(found)));
        }
    }

    private void reportSilent(int silent) {
        failAll(board.report(new GroupException(
                GroupError.PEER_LOST,
                "rank " + silent + " has said nothing for " + config.silence().toMillis() + " ms",
                List.of(silent))));
    }

    /// The first failure of any rank that this one has heard of.
    public synchronized Optional<GroupException> failure() {
        return Optional.ofNullable(failure);
    }

    private synchronized void throwIfFailed() {
        if (failure != null) {
            throw failure;
        }
    }

    /// Fails the mesh: every rank is told.
    public void fail(String reason) {
        failAll(board.report(new GroupException(GroupError.ABORTED, reason)));
    }

    /// Begins the next life of the mesh with the ranks that are left. All of them call this; as soon as all have
    /// that are not known to have ended, or the window has passed, the mesh goes on with those, in the order of
    /// their old ranks. A rank that ends meanwhile is left out, too. This session is closed, its groups are of no
    /// use.
    ///
    /// @throws GroupException if this rank came too late
    public MeshSession rebuild(Duration window) {
        closeGroups(new GroupException(GroupError.RETIRED, "the mesh was rebuilt"));
        end();
        long next = incarnation;
        int own = rank;
        int size = worldSize;
        try {
            while (true) {
                Store before = root.withPrefix("mesh/" + next + "/");
                next++;
                List<Integer> survivors = new SurvivorSearch(before, search(root, next), own, size, window).take();
                own = survivors.indexOf(own);
                size = survivors.size();
                try {
                    return open(root, own, size, next, config, survivors);
                } catch (GroupException e) {
                    if (!e.code().equals(GroupError.PEER_LOST)) {
                        throw e;
                    }
                }
            }
        } catch (RuntimeException e) {
            root.close();
            throw e;
        }
    }

    private synchronized void closeGroups(GroupException reason) {
        closed = true;
        groups.values().forEach(open -> {
            open.group().fail(reason);
            open.group().close();
        });
    }

    /// Leaves the mesh. Ranks that still wait for this one are told that it has left.
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        try {
            store.set(Watchdog.leftKey(rank), new byte[0]);
        } catch (StoreException e) {
            // a store that is gone needs no farewell
        }
        end();
        groups.values().forEach(open -> open.group().close());
        root.close();
    }
}
