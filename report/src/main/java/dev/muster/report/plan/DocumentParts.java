// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.RuledOut;
import dev.muster.plan.cost.StageLayers;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.UsedCoefficient;
import dev.muster.report.sentence.Sentences;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The common parts of plan documents.
final class DocumentParts {
    /// Sentences of documents, which are the same for all interfaces.
    static final Sentences SENTENCES = Sentences.of(Naming.KEYS);

    private DocumentParts() {}

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns a prediction with its interval.
    static JsonValue estimate(Estimate estimate) {
        return JsonObject.builder()
                .put("p10", estimate.p10())
                .put("p50", estimate.p50())
                .put("p90", estimate.p90())
                .build();
    }

    static JsonValue note(PlanNote note) {
        return JsonObject.builder()
                .put("kind", label(note.kind()))
                .put("code", label(note.topic()))
                .put("sentence", SENTENCES.note(note))
                .build();
    }

    static JsonValue remedy(Remedy remedy) {
        return new JsonString(SENTENCES.remedy(remedy));
    }

    static String reason(Shortfall shortfall) {
        return SENTENCES.reason(shortfall);
    }

    static JsonValue device(PlannedDevice device) {
        return JsonObject.builder()
                .put("id", device.id().text())
                .put("uuid", device.uuid().find(), JsonString::new)
                .build();
    }

    static JsonValue axis(Map.Entry<String, Integer> axis) {
        return JsonObject.builder()
                .put("axis", axis.getKey())
                .put("size", axis.getValue())
                .build();
    }

    static JsonValue communication(StepCommunication step) {
        return JsonObject.builder()
                .put("stepSeconds", step.stepSeconds())
                .put("computeSeconds", step.computeSeconds())
                .put("calls", step.calls(), DocumentParts::call)
                .build();
    }

    private static JsonValue call(StepCommunication.Call call) {
        return JsonObject.builder()
                .put("axis", call.axis().label())
                .put("collective", call.collective().text())
                .put("members", call.members())
                .put("bytes", call.bytes())
                .put("count", call.count())
                .put("overlapped", call.isOverlapped())
                .put("seconds", call.seconds())
                .put("exposedSeconds", call.exposedSeconds())
                .build();
    }

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

    /// Returns rented machines.
    static JsonValue rental(Rental rental) {
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("instance", rental.offer().instance())
                .put("provider", rental.offer().provider().text())
                .put("region", rental.offer().region())
                .put("instances", rental.instances())
                .put("usdPerHour", rental.usdPerHour())
                .put("priceDate", rental.offer().date().toString())
                .put("priceSource", rental.offer().source());
        rental.age().ifPresent(age -> object.put("priceAgeDays", age.days()).put("priceIsStale", age.isStale()));
        return object.build();
    }

    static JsonValue memory(MemoryTerm term) {
        return JsonObject.builder()
                .put("part", term.part().label())
                .put("what", term.what())
                .put("bytes", Math.round(term.bytes()))
                .put("because", term.how())
                .build();
    }

    static JsonValue coefficient(UsedCoefficient one) {
        return JsonObject.builder()
                .put("name", one.name())
                .put("value", one.value())
                .put("basis", one.basis().label())
                .build();
    }

    static JsonValue ruledOut(RuledOut one) {
        return JsonObject.builder()
                .put("layout", one.layout())
                .put("engine", one.engine())
                .put("rule", one.rule())
                .put("source", one.source())
                .build();
    }

    static JsonValue time(StepTerm term) {
        return JsonObject.builder()
                .put("part", term.part().label())
                .put("what", term.what())
                .put("seconds", term.seconds())
                .put("bytes", term.bytes())
                .put("bytesPerSecond", term.bytesPerSecond())
                .put("operations", term.operations())
                .put("operationsPerSecond", term.operationsPerSecond())
                .put("fixedSeconds", term.fixed())
                .build();
    }
}
