// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.mesh.MeshDimension;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.rehearse.RankGroup;
import dev.muster.mesh.rehearse.Rehearsal;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.plan.cost.StepCommunication.Axis;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// The communication of a plan, placed on the ranks of its mesh. Immutable.
///
/// @param mesh the ranks, the fastest axis first
/// @param step communication of a step
public record RehearsedPlan(MeshSpec mesh, StepCommunication step) {
    /// Returns the communication of a saved plan.
    ///
    /// @param axes sizes of axes by their names, the outermost first
    public static RehearsedPlan of(SequencedMap<String, Integer> axes, StepCommunication step) {
        List<MeshDimension> fastestFirst = new ArrayList<>();
        axes.reversed().forEach((name, size) -> fastestFirst.add(MeshDimension.of(name, size)));
        return new RehearsedPlan(MeshSpec.of(fastestFirst), step);
    }

    /// Returns the communication on at most a number of ranks: axes become smaller, the outermost first, and groups
    /// with them. Sizes and numbers of calls stay.
    public RehearsedPlan scaledTo(int ranks) {
        List<MeshDimension> axes = new ArrayList<>(mesh.dimensions());
        for (int i = axes.size() - 1; i >= 0; i--) {
            int size = axes.get(i).size();
            long others = MeshSpec.of(axes).worldSize() / size;
            while (size > 1 && others * size > ranks) {
                size /= leastDivisor(size);
            }
            axes.set(i, MeshDimension.of(axes.get(i).name(), size));
        }
        MeshSpec smaller = MeshSpec.of(axes);
        List<StepCommunication.Call> calls = new ArrayList<>();
        for (StepCommunication.Call call : step.calls()) {
            int members = greatestDivisor(size(smaller, axesOf(smaller, call.axis())), call.members());
            if (members > 1) {
                calls.add(call.withMembers(members));
            }
        }
        return new RehearsedPlan(smaller, new StepCommunication(step.stepSeconds(), calls));
    }

    private static int leastDivisor(int number) {
        for (int divisor = 2; divisor * divisor <= number; divisor++) {
            if (number % divisor == 0) {
                return divisor;
            }
        }
        return number;
    }

    private static int greatestDivisor(int one, int other) {
        return other == 0 ? one : greatestDivisor(other, one % other);
    }

    private static int size(MeshSpec mesh, List<String> axes) {
        int size = 1;
        for (String axis : axes) {
            size *= mesh.size(axis);
        }
        return size;
    }

    /// Returns the step for ranks.
    ///
    /// @throws IllegalArgumentException if groups do not divide the mesh
    public Rehearsal rehearsal() {
        List<Rehearsal.Call> calls = new ArrayList<>();
        for (StepCommunication.Call call : step.calls()) {
            RankGroup group = new RankGroup(axesOf(mesh, call.axis()), call.members());
            calls.add(new Rehearsal.Call(
                    call.what(), group, call.collective(), call.bytes(), call.count(), call.isOverlapped()));
        }
        return new Rehearsal(mesh, step.computeSeconds(), calls);
    }

    /// Returns the axes of the mesh along which groups of a kind lie. With attention data parallelism, ranks of TP
    /// are neighbours among those that share experts; in training experts lie on ranks of TP, CP and DP together;
    /// context parallel ranks share weights as replicas do.
    private static List<String> axesOf(MeshSpec mesh, Axis axis) {
        List<String> wanted = switch (axis) {
            case TP -> List.of(mesh.has("tp") ? "tp" : "ep");
            case CP -> List.of("cp");
            case PP -> List.of("pp");
            case EP -> mesh.has("ep") ? List.of("ep") : List.of("tp", "cp", "dp");
            case DP -> List.of("cp", "dp");
        };
        return wanted.stream().filter(mesh::has).toList();
    }
}
