package dev.muster.cli.mesh;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.mesh.GroupFamily;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshDimension;
import dev.muster.mesh.MeshGroup;
import dev.muster.mesh.MeshPlacement;
import dev.muster.mesh.MeshPlacement.HybridSplit;
import dev.muster.mesh.MeshSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// A mesh for machines.
public final class MeshPlanJson {
    private static final long SCHEMA = 1;

    /// Larger meshes are told by their sizes and strides alone, from which every group follows.
    private static final int MOST_LISTED = 4096;

    private MeshPlanJson() {}

    /// The document.
    public static JsonValue of(MeshAnswer answer) {
        MeshSpec spec = answer.mesh().spec();
        boolean listed = spec.worldSize() <= MOST_LISTED;
        JsonObject.Builder document = JsonObject.builder()
                .put("schema", SCHEMA)
                .put("kind", "mesh-plan")
                .put("mesh", spec.toString())
                .put("order", spec.order())
                .put("worldSize", spec.worldSize())
                .put("planHash", answer.mesh().planHash())
                .put("dimensions", dimensions(spec))
                .put("families", families(answer))
                .put("groupsListed", listed);
        if (listed) {
            document.put("groups", groups(answer));
        }
        answer.findPlacement().ifPresent(placement -> document.put("placement", placement(placement, listed)));
        if (!answer.problem().isEmpty()) {
            document.put("problem", answer.problem());
        }
        return document.build();
    }

    private static List<JsonValue> dimensions(MeshSpec spec) {
        List<JsonValue> items = new ArrayList<>();
        for (MeshDimension dimension : spec.dimensions()) {
            items.add(JsonObject.builder()
                    .put("name", dimension.name())
                    .put("size", dimension.size())
                    .put("stride", spec.stride(dimension.name()))
                    .build());
        }
        return items;
    }

    private static List<JsonValue> families(MeshAnswer answer) {
        List<JsonValue> items = new ArrayList<>();
        for (GroupFamily family : answer.shown()) {
            items.add(JsonObject.builder()
                    .put("label", family.label())
                    .put("dimensions", texts(family.dimensions()))
                    .put("groups", family.count())
                    .put("ranksEach", family.groupSize())
                    .build());
        }
        return items;
    }

    private static List<JsonValue> groups(MeshAnswer answer) {
        List<JsonValue> items = new ArrayList<>();
        for (GroupFamily family : answer.shown()) {
            for (MeshGroup group : family.groups()) {
                items.add(JsonObject.builder()
                        .put("name", group.name())
                        .put("ranks", numbers(group.ranks().asList()))
                        .build());
            }
        }
        return items;
    }

    private static JsonValue placement(MeshPlacement placement, boolean listed) {
        JsonObject.Builder object = JsonObject.builder()
                .put("communicationOrder", texts(placement.communicationOrder()))
                .put("crossings", crossings(placement))
                .put(
                        "idle",
                        texts(placement.idle().stream().map(MeshDevice::label).toList()))
                .put("warnings", texts(placement.warnings()));
        Optional<HybridSplit> split = placement.findHybridSplit();
        split.ifPresent(parts -> object.put("insideHost", parts.inner().toString())
                .put("betweenHosts", parts.outer().toString()));
        if (listed) {
            object.put("devices", devices(placement.devices()));
        }
        return object.build();
    }

    private static List<JsonValue> crossings(MeshPlacement placement) {
        List<JsonValue> items = new ArrayList<>();
        for (MeshPlacement.Crossing crossing : placement.crossings()) {
            items.add(JsonObject.builder()
                    .put("dimension", crossing.dimension())
                    .put("groups", crossing.groups())
                    .put("crossHosts", crossing.hosts())
                    .put("crossFabrics", crossing.islands())
                    .put("crossNumaNodes", crossing.numaNodes())
                    .build());
        }
        return items;
    }

    private static List<JsonValue> devices(List<MeshDevice> devices) {
        List<JsonValue> items = new ArrayList<>();
        for (int rank = 0; rank < devices.size(); rank++) {
            MeshDevice device = devices.get(rank);
            JsonObject.Builder item = JsonObject.builder().put("rank", rank);
            if (!device.host().isBlank()) {
                item.put("host", device.host());
            }
            item.put("device", device.localLabel()).put("name", device.name());
            device.numaNode().find().ifPresent(node -> item.put("numaNode", node));
            device.fabricDomain().find().ifPresent(domain -> item.put("fabricDomain", domain));
            items.add(item.build());
        }
        return items;
    }

    private static List<JsonValue> texts(Collection<String> texts) {
        List<JsonValue> items = new ArrayList<>();
        texts.forEach(text -> items.add(new JsonString(text)));
        return items;
    }

    private static List<JsonValue> numbers(Collection<Integer> numbers) {
        List<JsonValue> items = new ArrayList<>();
        numbers.forEach(number -> items.add(JsonNumber.of((long) number)));
        return items;
    }
}
