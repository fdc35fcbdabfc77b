// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.mesh.GroupFamily;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshDimension;
import dev.muster.mesh.MeshGroup;
import dev.muster.mesh.MeshPlacement;
import dev.muster.mesh.MeshSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A mesh as JSON.
final class MeshPlanJson {
    /// The largest mesh with listed groups; larger ones have only sizes and strides, from which every group follows.
    private static final int MOST_LISTED = 4096;

    private MeshPlanJson() {}

    static JsonValue of(MeshAnswer answer) {
        MeshSpec spec = answer.mesh().spec();
        boolean listed = spec.worldSize() <= MOST_LISTED;
        JsonObject.ObjectBuilder document = JsonObject.document("mesh-plan")
                .put("mesh", spec.toString())
                .put("order", spec.order())
                .put("worldSize", spec.worldSize())
                .put("planHash", answer.mesh().planHash())
                .put("dimensions", spec.dimensions(), dimension -> dimension(dimension, spec))
                .put("families", answer.shown(), MeshPlanJson::family)
                .put("groupsListed", listed);
        if (listed) {
            document.put(
                    "groups",
                    answer.shown().stream()
                            .flatMap(family -> family.groups().stream())
                            .toList(),
                    MeshPlanJson::group);
        }
        return document.put("placement", answer.findPlacement(), placement -> placement(placement, listed))
                .put("problem", notBlank(answer.problem()), JsonString::new)
                .build();
    }

    private static JsonValue dimension(MeshDimension dimension, MeshSpec spec) {
        return JsonObject.builder()
                .put("name", dimension.name())
                .put("size", dimension.size())
                .put("stride", spec.stride(dimension.name()))
                .build();
    }

    private static JsonValue family(GroupFamily family) {
        return JsonObject.builder()
                .put("label", family.label())
                .put("dimensions", family.dimensions(), JsonString::new)
                .put("groups", family.count())
                .put("ranksEach", family.groupSize())
                .build();
    }

    private static JsonValue group(MeshGroup group) {
        return JsonObject.builder()
                .put("name", group.name())
                .put("ranks", group.ranks().asList(), rank -> JsonNumber.of((long) rank))
                .build();
    }

    private static JsonValue placement(MeshPlacement placement, boolean listed) {
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("communicationOrder", placement.communicationOrder(), JsonString::new)
                .put("crossings", placement.crossings(), MeshPlanJson::crossing)
                .put("idle", placement.idle(), device -> new JsonString(device.label()))
                .put("warnings", placement.warnings(), JsonString::new);
        placement
                .findHybridSplit()
                .ifPresent(parts -> object.put("insideHost", parts.inner().toString())
                        .put("betweenHosts", parts.outer().toString()));
        if (listed) {
            List<MeshDevice> devices = placement.devices();
            object.put(
                    "devices",
                    IntStream.range(0, devices.size()).boxed().toList(),
                    rank -> device(rank, devices.get(rank)));
        }
        return object.build();
    }

    private static JsonValue crossing(MeshPlacement.Crossing crossing) {
        return JsonObject.builder()
                .put("dimension", crossing.dimension())
                .put("groups", crossing.groups())
                .put("crossHosts", crossing.hosts())
                .put("crossFabrics", crossing.islands())
                .put("crossNumaNodes", crossing.numaNodes())
                .build();
    }

    private static JsonValue device(int rank, MeshDevice device) {
        return JsonObject.builder()
                .put("rank", rank)
                .put("host", notBlank(device.host()), JsonString::new)
                .put("device", device.localLabel())
                .put("name", device.name())
                .put("numaNode", device.numaNode().find(), JsonNumber::of)
                .put("fabricDomain", device.fabricDomain().find(), JsonString::new)
                .build();
    }

    private static Optional<String> notBlank(String text) {
        return Optional.of(text).filter(known -> !known.isBlank());
    }
}
