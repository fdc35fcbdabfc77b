package dev.muster.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A mesh cut in two: what lies inside a host and what lies between hosts. Both have all dimensions, the one that
/// talks most first, and the sizes of a dimension multiply to the whole. Immutable.
///
/// @param inner the part of each dimension inside a host
/// @param outer the part of each dimension between hosts
/// @since 0.1
public record HybridSplit(MeshSpec inner, MeshSpec outer) {
    /// Cuts a mesh whose ranks stand host by host.
    ///
    /// @param byTalk the dimensions, the one that talks most first
    /// @param perHost ranks of each host
    static Optional<HybridSplit> find(MeshSpec byTalk, int perHost) {
        List<MeshDimension> inner = new ArrayList<>();
        List<MeshDimension> outer = new ArrayList<>();
        int left = perHost;
        for (MeshDimension dimension : byTalk.dimensions()) {
            int inside = Math.min(left, dimension.size());
            if (dimension.size() % inside != 0 || left % inside != 0) {
                return Optional.empty();
            }
            inner.add(new MeshDimension(dimension.name(), inside));
            outer.add(new MeshDimension(dimension.name(), dimension.size() / inside));
            left /= inside;
        }
        return left == 1 ? Optional.of(new HybridSplit(MeshSpec.of(inner), MeshSpec.of(outer))) : Optional.empty();
    }
}
