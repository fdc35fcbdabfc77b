package dev.muster.plan;

import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.answer.Estimate;
import dev.muster.plan.answer.MemoryTerm;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlannedDevice;
import dev.muster.plan.answer.Rental;
import dev.muster.plan.answer.UsedCoefficient;
import dev.muster.plan.cost.MeshAxis;
import dev.muster.plan.cost.StageLayers;
import dev.muster.plan.cost.StepTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What the documents of plans have in common.
final class DocumentParts {
    private DocumentParts() {}

    /// A prediction with its interval.
    static JsonValue estimate(Estimate estimate) {
        return JsonObject.builder()
                .put("p10", JsonNumber.of(estimate.p10()))
                .put("p50", JsonNumber.of(estimate.p50()))
                .put("p90", JsonNumber.of(estimate.p90()))
                .build();
    }

    static void put(JsonObject.Builder object, String key, Reading<Estimate> reading) {
        reading.find().ifPresent(one -> object.put(key, estimate(one)));
    }

    static List<JsonValue> texts(List<String> sentences) {
        List<JsonValue> texts = new ArrayList<>();
        sentences.forEach(sentence -> texts.add(new JsonString(sentence)));
        return texts;
    }

    static List<JsonValue> notes(List<PlanNote> notes) {
        List<JsonValue> texts = new ArrayList<>();
        notes.forEach(note -> texts.add(JsonObject.builder()
                .put("kind", note.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .put("sentence", note.sentence())
                .build()));
        return texts;
    }

    /// Which devices of a machine are meant.
    static List<JsonValue> devices(List<PlannedDevice> devices) {
        List<JsonValue> ids = new ArrayList<>();
        for (PlannedDevice device : devices) {
            JsonObject.Builder object =
                    JsonObject.builder().put("id", device.id().text());
            device.uuid().find().ifPresent(uuid -> object.put("uuid", uuid));
            ids.add(object.build());
        }
        return ids;
    }

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

    /// Machines that are rented.
    static JsonValue rental(Rental rental) {
        return JsonObject.builder()
                .put("instance", rental.offer().instance())
                .put("provider", rental.offer().provider().text())
                .put("region", rental.offer().region())
                .put("instances", rental.instances())
                .put("usdPerHour", JsonNumber.of(rental.usdPerHour()))
                .put("priceDate", rental.offer().date().toString())
                .put("priceSource", rental.offer().source())
                .build();
    }

    static List<JsonValue> memory(List<MemoryTerm> terms) {
        List<JsonValue> memory = new ArrayList<>();
        for (MemoryTerm term : terms) {
            memory.add(JsonObject.builder()
                    .put("part", term.part().label())
                    .put("what", term.what())
                    .put("bytes", Math.round(term.bytes()))
                    .put("because", term.how())
                    .build());
        }
        return memory;
    }

    static List<JsonValue> coefficients(List<UsedCoefficient> used) {
        List<JsonValue> coefficients = new ArrayList<>();
        for (UsedCoefficient one : used) {
            coefficients.add(JsonObject.builder()
                    .put("name", one.name())
                    .put("value", JsonNumber.of(one.value()))
                    .put("basis", one.basis().label())
                    .build());
        }
        return coefficients;
    }

    static List<JsonValue> times(List<StepTerm> terms) {
        List<JsonValue> times = new ArrayList<>();
        for (StepTerm term : terms) {
            times.add(JsonObject.builder()
                    .put("part", term.part().label())
                    .put("what", term.what())
                    .put("seconds", JsonNumber.of(term.seconds()))
                    .put("bytes", JsonNumber.of(term.bytes()))
                    .put("bytesPerSecond", JsonNumber.of(term.bytesPerSecond()))
                    .put("operations", JsonNumber.of(term.operations()))
                    .put("operationsPerSecond", JsonNumber.of(term.operationsPerSecond()))
                    .put("fixedSeconds", JsonNumber.of(term.fixed()))
                    .build());
        }
        return times;
    }
}
