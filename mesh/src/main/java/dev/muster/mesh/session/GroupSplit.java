package dev.muster.mesh.session;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/// Divides a group by colours that its members tell each other.
final class GroupSplit {
    private final MeshSession session;
    private final ProcessGroup parent;
    private final String name;

    /// @param name begins the names of the parts; no other group of the mesh begins so
    GroupSplit(MeshSession session, ProcessGroup parent, String name) {
        this.session = session;
        this.parent = parent;
        this.name = name;
    }

    Optional<ProcessGroup> split(int colour, int key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocateFrom(ValueLayout.JAVA_INT, colour, key);
            MemorySegment all = arena.allocate(ValueLayout.JAVA_INT, 2L * parent.size());
            parent.allGather(own, all, DType.INT32);
            session.divide(parent.identity(), colour, key);
            if (colour < 0) {
                return Optional.empty();
            }
            int[] ranks = IntStream.range(0, parent.size())
                    .filter(member -> all.getAtIndex(ValueLayout.JAVA_INT, 2L * member) == colour)
                    .boxed()
                    .sorted(Comparator.comparingInt(member -> all.getAtIndex(ValueLayout.JAVA_INT, 2L * member + 1)))
                    .mapToInt(member -> parent.identity().worldRank(member))
                    .toArray();
            return Optional.of(session.open(name + "-" + colour, ranks));
        }
    }
}
