package dev.muster.cli.model;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.MeshAxis;
import dev.muster.plan.StageLayers;
import java.util.ArrayList;
import java.util.List;

/// Where a plan puts what, for machines.
final class PlacementJson {
    private PlacementJson() {}

    /// Axes of a mesh, the outermost first: ranks that differ in the last one follow each other.
    static List<JsonValue> mesh(List<MeshAxis> axes) {
        List<JsonValue> mesh = new ArrayList<>();
        for (MeshAxis axis : axes) {
            mesh.add(JsonObject.builder()
                    .put("axis", axis.name())
                    .put("size", axis.size())
                    .build());
        }
        return mesh;
    }

    /// The layers of each stage.
    static List<JsonValue> stages(StageLayers layers) {
        List<JsonValue> stages = new ArrayList<>();
        for (int stage = 0; stage < layers.stages(); stage++) {
            stages.add(JsonObject.builder()
                    .put("firstLayer", layers.first(stage))
                    .put("layers", layers.count(stage))
                    .build());
        }
        return stages;
    }
}
