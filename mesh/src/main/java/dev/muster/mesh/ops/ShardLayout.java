// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.ops.DistributedOps.Share;
import java.util.ArrayList;
import java.util.List;

/// The part of an array that one rank of a mesh has. Where several mesh dimensions split the same dimension of the
/// array, the slowest splits first, so that pieces follow each other in the order of ranks. Immutable.
///
/// @param placements one for each dimension of the mesh, in its order
record ShardLayout(MeshSpec mesh, int rank, DType type, List<Long> shape, List<ArrayPlacement> placements) {
    ShardLayout {
        shape = List.copyOf(shape);
        placements = List.copyOf(placements);
        if (placements.size() != mesh.dimensions().size()) {
            throw new IllegalArgumentException("mesh " + mesh + " has "
                    + mesh.dimensions().size() + " dimensions, but " + placements.size() + " placements are given");
        }
        for (long size : shape) {
            if (size < 0) {
                throw new IllegalArgumentException("sizes of an array must not be negative: " + shape);
            }
        }
        for (ArrayPlacement placement : placements) {
            if (placement.findDimension().orElse(0) >= Math.max(1, shape.size())) {
                throw new IllegalArgumentException(
                        placement + ": the array has " + shape.size() + " dimensions, counted from 0");
            }
        }
        requireOneReduction(type, placements);
    }

    /// Sums of greatest values are not the greatest of sums.
    private static void requireOneReduction(DType type, List<ArrayPlacement> placements) {
        List<ArrayPlacement> partial = placements.stream()
                .filter(placement -> placement.findReduction().isPresent())
                .distinct()
                .toList();
        if (partial.size() > 1) {
            throw new IllegalArgumentException(
                    "an array that is partial along several mesh dimensions has one operator, not " + partial);
        }
        for (ArrayPlacement placement : partial) {
            if (!placement.findReduction().orElseThrow().accepts(type)) {
                throw new IllegalArgumentException(
                        placement + ": elements of " + type.text() + " are moved, not reduced");
            }
        }
    }

    /// The array with another placement along one mesh dimension.
    ShardLayout with(int axis, ArrayPlacement placement) {
        List<ArrayPlacement> changed = new ArrayList<>(placements);
        changed.set(axis, placement);
        return new ShardLayout(mesh, rank, type, shape, changed);
    }

    /// The part of a dimension of the array that the rank has.
    Share part(int dimension) {
        Share part = new Share(0, shape.get(dimension));
        for (int axis = placements.size() - 1; axis >= 0; axis--) {
            if (placements.get(axis).isShardOf(dimension)) {
                Share inner = Share.of(part.count(), size(axis), coordinate(axis));
                part = new Share(part.from() + inner.from(), inner.count());
            }
        }
        return part;
    }

    int size(int axis) {
        return mesh.dimensions().get(axis).size();
    }

    int coordinate(int axis) {
        return mesh.coordinate(rank, mesh.dimensions().get(axis).name());
    }

    /// The sizes of what the rank has.
    long[] localShape() {
        long[] local = new long[shape.size()];
        for (int i = 0; i < local.length; i++) {
            local[i] = part(i).count();
        }
        return local;
    }

    long localElements() {
        long elements = 1;
        for (long size : localShape()) {
            elements = Math.multiplyExact(elements, size);
        }
        return elements;
    }

    long localBytes() {
        return Math.multiplyExact(localElements(), (long) type.bytes());
    }
}
