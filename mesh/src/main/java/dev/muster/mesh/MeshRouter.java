// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Chooses the worker for a request. Thread-safe; the only state is a counter.
///
/// A replica of the model is what all dimensions but `dp` make up, and a request enters it at its first
/// rank: the leader of the first stage's group. Each rank has the same number of workers, one behind the
/// other. Replicas of which a rank has no worker take nothing.
///
/// @since 0.1
public final class MeshRouter {
    private final @Nullable DeviceMesh mesh;
    private final Strategy strategy;
    private final int workers;
    /// Workers that any request may go to where all hold the same: those of idle ranks hold nothing.
    private final int usable;
    private final int perRank;
    /// The first rank of each replica whose ranks all have workers.
    private final int[] entries;
    private final AtomicLong counter = new AtomicLong();

    private MeshRouter(@Nullable DeviceMesh mesh, int workers, int usable, int perRank, int[] entries) {
        this.mesh = mesh;
        this.strategy = mesh == null ? Strategy.ROUND_ROBIN : strategy(mesh.spec());
        this.workers = workers;
        this.usable = usable;
        this.perRank = perRank;
        this.entries = entries;
    }

    /// The strategy by which requests are spread.
    public enum Strategy {
        /// Every worker in turn.
        ROUND_ROBIN,
        /// The leader of each group that splits matrices in turn.
        TENSOR_PARALLEL,
        /// The first stage of each pipeline in turn.
        PIPELINE_PARALLEL
    }

    /// A router over workers that all hold the same.
    ///
    /// @throws MeshPlanException if the number is negative
    public static MeshRouter of(int workers) {
        requireWorkers(workers);
        return new MeshRouter(
                null, workers, workers, 1, IntStream.range(0, workers).toArray());
    }

    /// A router over the workers of a mesh.
    ///
    /// @param workers of all ranks together; the same number for each
    /// @throws MeshPlanException if the number is negative
    public static MeshRouter of(DeviceMesh mesh, int workers) {
        requireWorkers(workers);
        int perRank = Math.max(1, workers / mesh.worldSize());
        GroupFamily replicas = replicas(mesh.spec());
        int[] entries = IntStream.range(0, replicas.count())
                .mapToObj(replicas::group)
                .filter(replica -> (replica.ranks().largest() + 1L) * perRank <= workers)
                .mapToInt(replica -> replica.rank(0))
                .toArray();
        int usable = mesh.findIdleRanks().isEmpty()
                ? workers
                : Math.min(workers, mesh.spec().worldSize() * perRank);
        return new MeshRouter(mesh, workers, usable, perRank, entries);
    }

    private static void requireWorkers(int workers) {
        if (workers < 0) {
            throw new MeshPlanException(MeshPlanError.BAD_SIZE, "a number of workers must not be negative: " + workers);
        }
    }

    private static GroupFamily replicas(MeshSpec spec) {
        return spec.along(spec.names().stream()
                .filter(name -> !name.equals(MeshDimension.DATA))
                .toList());
    }

    private static Strategy strategy(MeshSpec spec) {
        int replica = replicas(spec).groupSize();
        if (replica == 1) {
            return Strategy.ROUND_ROBIN;
        }
        return spec.has(MeshDimension.PIPELINE) && spec.size(MeshDimension.PIPELINE) == replica
                ? Strategy.PIPELINE_PARALLEL
                : Strategy.TENSOR_PARALLEL;
    }

    /// Returns the strategy by which requests are spread.
    public Strategy strategy() {
        return strategy;
    }

    /// The worker of the next request. Without workers the answer is 0, which no worker has.
    public int route() {
        long number = counter.getAndIncrement();
        return isSpreadOverAll() ? Math.floorMod(number, Math.max(1, usable)) : spread(number);
    }

    /// The worker of a session: always the same.
    public int routeSession(String session) {
        long number = hash(session);
        return isSpreadOverAll() ? Math.floorMod(number, Math.max(1, usable)) : spread(number);
    }

    /// The worker of the next request, in a replica that the caller prefers.
    ///
    /// @param replica any number; it counts modulo the number of replicas
    public int routeTo(int replica) {
        return route(replica, counter.getAndIncrement());
    }

    /// The worker of a session in a replica that the caller prefers: always the same for the same two.
    ///
    /// @param replica any number; it counts modulo the number of replicas
    public int routeSessionTo(String session, int replica) {
        return route(replica, hash(session));
    }

    /// Every worker holds the whole model, or no replica is complete: then any worker is as good as
    /// another.
    private boolean isSpreadOverAll() {
        return entries.length == 0 || strategy == Strategy.ROUND_ROBIN;
    }

    /// Replicas in turn, and the workers of their first ranks in turn.
    private int spread(long number) {
        int replica = (int) Math.floorMod(number, (long) entries.length);
        return worker(replica, Math.floorDiv(number, (long) entries.length));
    }

    private int route(int replica, long number) {
        return entries.length == 0
                ? Math.floorMod(number, Math.max(1, usable))
                : worker(Math.floorMod(replica, entries.length), number);
    }

    private int worker(int replica, long number) {
        return entries[replica] * perRank + Math.floorMod(number, perRank);
    }

    /// The same on every machine, and well spread even for sessions that are numbers.
    private static long hash(String session) {
        return PlanHash.of(session);
    }

    /// The tensor-parallel group of a worker; nothing if matrices are not split or the worker
    /// does not exist.
    public OptionalInt findTensorGroup(int worker) {
        Optional<GroupFamily> groups = tensorGroups();
        int rank = Math.floorDiv(worker, perRank);
        return groups.isPresent()
                        && worker >= 0
                        && worker < workers
                        && rank < groups.get().spec().worldSize()
                ? OptionalInt.of(groups.get().indexOf(rank))
                : OptionalInt.empty();
    }

    /// The workers of a tensor-parallel group that exist; none if the group does not exist.
    public List<Integer> tensorGroupWorkers(int group) {
        List<Integer> found = new ArrayList<>();
        Optional<GroupFamily> groups = tensorGroups();
        if (groups.isPresent() && group >= 0 && group < groups.get().count()) {
            groups.get().group(group).ranks().stream()
                    .flatMap(rank -> IntStream.range(rank * perRank, (rank + 1) * perRank))
                    .filter(worker -> worker < workers)
                    .forEach(found::add);
        }
        return found;
    }

    private Optional<GroupFamily> tensorGroups() {
        return Optional.ofNullable(mesh)
                .map(DeviceMesh::spec)
                .filter(spec -> spec.has(MeshDimension.TENSOR) && spec.size(MeshDimension.TENSOR) > 1)
                .map(spec -> spec.along(MeshDimension.TENSOR));
    }

    /// Returns the number of workers.
    public int workers() {
        return workers;
    }

    /// Returns the mesh whose workers it chooses from, if there is one.
    public Optional<DeviceMesh> findMesh() {
        return Optional.ofNullable(mesh);
    }
}
