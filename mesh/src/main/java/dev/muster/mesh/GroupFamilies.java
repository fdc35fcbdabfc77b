// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static dev.muster.mesh.MeshDimension.TENSOR;

import dev.muster.mesh.GroupFamily.GroupNaming;
import dev.muster.mesh.Topologies.Shape;
import java.util.ArrayList;
import java.util.List;

/// The groups of a topology, in the order in which they are made. Names and members that kapsl-hal
/// has are there to the letter; every dimension has its own groups beside them.
final class GroupFamilies {
    private GroupFamilies() {}

    static List<GroupFamily> of(MeshTopology topology, MeshSpec spec) {
        List<GroupFamily> families = new ArrayList<>();
        switch (topology) {
            case Topologies.DataParallel _, Topologies.Named _ -> {}
            case Topologies.TensorParallel tensor -> {
                if (tensor.isGrid()) {
                    families.addAll(grid(tensor.shape(), spec));
                }
            }
            case Topologies.PipelineParallel _ ->
                families.add(spec.along().with("pp_stage", GroupBackend.GLOO, GroupNaming.NUMBERED));
            case Topologies.Mixed _ ->
                families.add(spec.along(TENSOR).with("tp_dp_pp", GroupBackend.NCCL, GroupNaming.BY_REPLICA_AND_STAGE));
        }
        for (MeshDimension dimension : spec.dimensions()) {
            families = append(families, spec.along(dimension.name()));
        }
        return families;
    }

    /// Rows and columns of each tensor-parallel group, beside the whole group.
    private static List<GroupFamily> grid(Shape shape, MeshSpec spec) {
        MeshDimension column = MeshDimension.of("tp_column", shape.columns());
        MeshDimension row = MeshDimension.of("tp_row", shape.rows());
        MeshSpec split = spec.split(TENSOR, column, row);
        // Ranks of a row differ in their column.
        return List.of(
                split.along(column.name()).with("tp_row", GroupBackend.NCCL, GroupNaming.NUMBERED),
                split.along(row.name()).with("tp_column", GroupBackend.NCCL, GroupNaming.NUMBERED));
    }

    /// Adds a family; where an earlier one has the same groups, it is marked as another name for them.
    static List<GroupFamily> append(List<GroupFamily> families, GroupFamily family) {
        List<GroupFamily> more = new ArrayList<>(families);
        more.add(families.stream()
                .filter(earlier -> earlier.findAlias().isEmpty() && earlier.hasSameGroups(family))
                .findFirst()
                .map(earlier -> family.asAliasOf(earlier.label()))
                .orElse(family));
        return more;
    }
}
