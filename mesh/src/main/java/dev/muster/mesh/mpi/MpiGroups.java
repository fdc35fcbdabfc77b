package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
import dev.muster.mesh.collective.GroupIdentity;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/// Opens groups of the processes that a launcher of MPI started.
final class MpiGroups {
    /// Every library takes tags up to here.
    private static final int TAG_MASK = 0x7fff;

    private final MpiProcess process;
    private final int processors;
    private final boolean inRankOrder;

    /// @param processors how many processors the ranks of this host share
    /// @param inRankOrder whether reductions always take ranks in ascending order, whatever it costs
    MpiGroups(MpiProcess process, int processors, boolean inRankOrder) {
        this.process = process;
        this.processors = processors;
        this.inRankOrder = inRankOrder;
    }

    /// The engine of a group. Members of a group that is not all processes call this at the same time
    /// and wait for each other without a limit, so they had better know that all have come.
    ///
    /// @param worldSize how many ranks the mesh has
    /// @throws GroupException `unavailable` if the mesh has other ranks than MPI has processes
    Engine open(GroupIdentity group, int worldSize) {
        process.requirePlace(group.worldRank(group.rank()), worldSize);
        boolean isWorld =
                IntStream.range(0, worldSize).allMatch(rank -> rank < group.size() && group.worldRank(rank) == rank);
        long communicator = isWorld ? process.library().constants().world() : create(group);
        return engine(group, communicator, MpiMover.PART_BYTES);
    }

    Engine engine(GroupIdentity group, long communicator, int partBytes) {
        return new MpiEngine(process, group, communicator, processors, inRankOrder, partBytes);
    }

    /// A communicator of the members alone, in the order of the group; nobody else needs to call.
    private long create(GroupIdentity group) {
        MpiLibrary library = process.library();
        MpiConstants constants = library.constants();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment some = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment made = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment ranks = arena.allocateFrom(
                    ValueLayout.JAVA_INT,
                    group.worldRanks().stream().mapToInt(Integer::intValue).toArray());
            library.function("MPI_Comm_group").call(constants.world(), all.address());
            library.function("MPI_Group_incl")
                    .call(library.handle(all, 0), group.size(), ranks.address(), some.address());
            library.function("MPI_Comm_create_group")
                    .call(
                            constants.world(),
                            library.handle(some, 0),
                            group.key().hashCode() & TAG_MASK,
                            made.address());
            library.function("MPI_Group_free").call(some.address());
            library.function("MPI_Group_free").call(all.address());
            long communicator = library.handle(made, 0);
            library.function("MPI_Comm_set_errhandler").call(communicator, constants.errorsReturn());
            return communicator;
        } catch (MpiException e) {
            throw new GroupException(Code.ABORTED, "group " + group.name() + ": " + e.getMessage(), e);
        }
    }
}
