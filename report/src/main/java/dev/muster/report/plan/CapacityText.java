// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.plan.Capacity;
import dev.muster.fleet.plan.Capacity.ModelShare;
import dev.muster.fleet.plan.Capacity.ReplicaGroup;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Table;
import java.util.List;
import java.util.stream.Collectors;

/// The number of replicas of several models that fit a fleet together.
///
/// @param capacity the result
public record CapacityText(Capacity capacity) implements Report {
    @Override
    public String text(Terminal terminal) {
        String proof = capacity.gap() == 0
                ? "no placement has more"
                : "no placement has more than " + capacity.bound() + ", which is a gap of " + capacity.gap();
        List<ModelShare> models = capacity.models();
        return Count.of(capacity.sets(), "replica") + " of each model on "
                + Count.of(capacity.freeDevices(), "free device") + "; " + proof + ".\n\n"
                + new Table<ModelShare>(terminal)
                        .left(
                                "MODEL",
                                model -> Printable.of(model.request().model().name()))
                        .left("FORMAT", model -> model.request().format().label())
                        .right("REPLICAS", ModelShare::replicas)
                        .flexible("WHERE", 1, CapacityText::where)
                        .render(models);
    }

    private static String where(ModelShare model) {
        return model.places().isEmpty()
                ? Printable.of(FactLines.SENTENCES.reason(model.problem().orElseThrow()))
                : model.places().stream().map(CapacityText::text).collect(Collectors.joining("; "));
    }

    private static String text(ReplicaGroup place) {
        return place.replicas() + " on " + place.devices() + " x " + Printable.of(place.kind())
                + (place.hosts() > 1 ? " of " + place.hosts() + " hosts" : "");
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("capacity")
                .put("sets", capacity.sets())
                .put("bound", capacity.bound())
                .put("freeDevices", capacity.freeDevices())
                .put(
                        "models",
                        capacity.models(),
                        model -> JsonObject.builder()
                                .put("model", model.request().model().name())
                                .put("format", model.request().format().label())
                                .put("replicas", model.replicas())
                                .put(
                                        "problem",
                                        model.problem()
                                                .map(DocumentParts::reason)
                                                .orElse(""))
                                .put(
                                        "places",
                                        model.places(),
                                        place -> JsonObject.builder()
                                                .put("kind", place.kind())
                                                .put("devices", place.devices())
                                                .put("hosts", place.hosts())
                                                .put("replicas", place.replicas())
                                                .build())
                                .build())
                .build();
    }
}
