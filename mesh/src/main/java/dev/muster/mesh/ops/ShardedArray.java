// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import dev.muster.mesh.MeshDimension;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.session.MeshSession;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An array of several dimensions, row by row, that is divided among the ranks of a mesh: sharded, replicated or
/// partial along each dimension of the mesh. Each rank holds its part in memory outside the heap.
///
/// If several dimensions of the mesh shard the same dimension of the array, the slowest splits it first. Parts are as
/// even as possible; a rank may have none. All ranks make the same calls in the same order, with the same shape, type
/// and placements. For one thread at a time; the caller that made it closes it, which frees the memory that it
/// allocated.
///
/// @since 0.3
public final class ShardedArray implements AutoCloseable {
    private final List<ProcessGroup> axes;
    private final ShardLayout layout;
    private final MemorySegment local;
    /// None of memory that the caller owns.
    private final @Nullable Arena arena;

    private ShardedArray(List<ProcessGroup> axes, ShardLayout layout, MemorySegment local, @Nullable Arena arena) {
        this.axes = axes;
        this.layout = layout;
        this.local = local;
        this.arena = arena;
    }

    /// An array of which this rank has that part already. The memory stays the caller's.
    ///
    /// @param session session whose [plan][MeshSession#arrange] has the dimensions
    /// @param shape sizes of the whole array
    /// @param local this rank's part, outside the heap, as large as the placements say
    /// @param placements one for each dimension of the mesh, in its order
    /// @throws IllegalArgumentException if the part has another size, or the placements do not fit
    public static ShardedArray of(
            MeshSession session, DType type, long[] shape, MemorySegment local, ArrayPlacement... placements) {
        ShardLayout layout = layout(session, type, shape, List.of(placements));
        if (local.byteSize() != layout.localBytes()) {
            throw new IllegalArgumentException("rank " + session.rank() + " has "
                    + Arrays.toString(layout.localShape()) + " of " + layout.shape() + ", " + layout.localBytes()
                    + " bytes, but the part has " + local.byteSize());
        }
        return new ShardedArray(axes(session), layout, local, null);
    }

    /// An array that all ranks know in full; each copies its part. Does not communicate.
    ///
    /// @param shape sizes of the whole array
    /// @param whole all elements, on the heap or outside
    /// @param placements one for each dimension of the mesh, in its order
    /// @throws IllegalArgumentException if the array has another size, or the placements do not fit
    public static ShardedArray distribute(
            MeshSession session, DType type, long[] shape, MemorySegment whole, ArrayPlacement... placements) {
        List<ArrayPlacement> everywhere = Collections.nCopies(placements.length, ArrayPlacement.replicate());
        ShardLayout layout = layout(session, type, shape, everywhere);
        if (whole.byteSize() != layout.localBytes()) {
            throw new IllegalArgumentException("the array of " + layout.shape() + " has " + layout.localBytes()
                    + " bytes, not " + whole.byteSize());
        }
        return new ShardedArray(axes(session), layout, whole, null).redistribute(placements);
    }

    private static ShardLayout layout(MeshSession session, DType type, long[] shape, List<ArrayPlacement> placements) {
        List<Long> sizes = Arrays.stream(shape).boxed().toList();
        return new ShardLayout(session.mesh().spec(), session.rank(), type, sizes, placements);
    }

    private static List<ProcessGroup> axes(MeshSession session) {
        return session.mesh().spec().dimensions().stream()
                .map(MeshDimension::name)
                .map(session::axis)
                .toList();
    }

    /// The same array with other placements, in memory of its own. This one stays as it is.
    ///
    /// Along one dimension of the mesh, shards are gathered by an all-gather, moved to another dimension of the
    /// array by an all-to-all, and partial values are reduced by an all-reduce or a reduce-scatter; a replicated
    /// array is cut without communication.
    ///
    /// @param placements one for each dimension of the mesh, in its order
    /// @throws IllegalArgumentException if the placements do not fit the array or the mesh
    public ShardedArray redistribute(ArrayPlacement... placements) {
        ShardLayout wanted =
                new ShardLayout(layout.mesh(), layout.rank(), layout.type(), layout.shape(), List.of(placements));
        Arena result = Arena.ofShared();
        try (Arena steps = Arena.ofShared()) {
            MemorySegment last = new Redistribution(axes, layout, local, wanted.placements(), steps).run();
            MemorySegment kept = result.allocate(wanted.localBytes(), 64).copyFrom(last);
            return new ShardedArray(axes, wanted, kept, result);
        } catch (RuntimeException e) {
            result.close();
            throw e;
        }
    }

    /// Returns the memory of this rank's part.
    public MemorySegment local() {
        return local;
    }

    /// Returns the sizes of this rank's part.
    public long[] localShape() {
        return layout.localShape();
    }

    /// Returns the place of this rank's part in the whole array.
    public long[] localOffset() {
        long[] offset = new long[layout.shape().size()];
        Arrays.setAll(offset, dimension -> layout.part(dimension).from());
        return offset;
    }

    /// Returns the sizes of the whole array.
    public long[] shape() {
        return layout.shape().stream().mapToLong(Long::longValue).toArray();
    }

    /// Returns the type of the elements.
    public DType type() {
        return layout.type();
    }

    /// Returns the placement along each dimension of the mesh, in its order.
    public List<ArrayPlacement> placements() {
        return layout.placements();
    }

    /// Frees the memory, unless it is the caller's.
    @Override
    public void close() {
        if (arena != null) {
            arena.close();
        }
    }

    /// The array for people: type, shape and placements.
    @Override
    public String toString() {
        return layout.type().text() + layout.shape() + " " + layout.placements() + " on " + layout.mesh();
    }
}
