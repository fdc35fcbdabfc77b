// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.RegistryDocument;
import dev.muster.monitor.SampleHistory.HistoryPoint;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.Sampler.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/// Endpoints of devices: all of them, one, its history, and its processes.
final class DeviceEndpoints {
    private static final int MOST_FACTS = 32;
    /// More owners are not looked up in one sample: each takes three reads.
    private static final int MOST_OWNERS = 1024;

    private static final int MOST_MINUTES = 7 * 24 * 60;
    private static final int USUAL_MINUTES = 10;
    private static final String ID = "a device's id, such as cuda:0";

    private final SampleDocuments documents;
    private final Sampler sampler;
    private final LongFunction<JsonObject> owners;

    /// @param owners owner of a process by its number
    DeviceEndpoints(SampleDocuments documents, Sampler sampler, LongFunction<JsonObject> owners) {
        this.documents = documents;
        this.sampler = sampler;
        this.owners = owners;
    }

    List<Route> routes() {
        return List.of(
                Route.data(
                        "/api/v1/devices",
                        Operation.of("listDevices", "Devices as the registry has them")
                                .answering("Devices", "devices"),
                        new Endpoint.Now(_ -> list())),
                Route.data(
                        "/api/v1/devices/{id}",
                        Operation.of("readDevice", "A device")
                                .taking("id", ID)
                                .answering("The device", "device")
                                .refusing(404),
                        new Endpoint.Now(this::one)),
                Route.data(
                        "/api/v1/devices/{id}/history",
                        Operation.of("readHistory", "Facts of a device over time; null where one was unknown")
                                .taking("id", ID)
                                .taking("facts", "keys such as utilizationRatio,powerWatts (default: all that change)")
                                .taking(
                                        "minutes",
                                        "length of the history (default: " + USUAL_MINUTES + ")",
                                        JsonObject.builder()
                                                .put("type", "integer")
                                                .put("minimum", 1L)
                                                .put("maximum", (long) MOST_MINUTES)
                                                .build())
                                .answering(
                                        "Times in milliseconds since 1970, and a list of numbers for each fact",
                                        "history")
                                .refusing(400, 404),
                        new Endpoint.Now(this::history)),
                Route.data(
                        "/api/v1/processes",
                        Operation.of(
                                        "listProcesses",
                                        "Programs that hold memory of devices, with their owners on this machine")
                                .answering("Processes", "processes"),
                        new Endpoint.Now(_ -> processes())));
    }

    private Answer list() {
        return documents.answer(
                "devices",
                sample -> json(
                        JsonObject.document("devices")
                                .put("number", sample.number())
                                .put("devices", devices(sample))
                                .build(),
                        sample));
    }

    private Answer one(ServerRequest asked) {
        AcceleratorProfile device = require(asked);
        return documents.answer(
                "device " + device.id().text(),
                sample -> json(
                        JsonObject.document("device")
                                .put("number", sample.number())
                                .put("device", find(sample, device.id().text()))
                                .build(),
                        sample));
    }

    /// Returns devices as in the registry's document: one writer, one form.
    private static List<JsonValue> devices(Sample sample) {
        return JsonValue.parse(RegistryDocument.write(sample.registry())).requireItems("devices");
    }

    private static JsonValue find(Sample sample, String id) {
        for (JsonValue device : devices(sample)) {
            if (device.requireText("id").equals(id)) {
                return device;
            }
        }
        throw noDevice();
    }

    private AcceleratorProfile require(ServerRequest asked) {
        String id = String.valueOf(asked.parts().get("id"));
        return documents.newest().registry().profiles().stream()
                .filter(device -> device.id().text().equals(id))
                .findFirst()
                .orElseThrow(DeviceEndpoints::noDevice);
    }

    private static Refusal noDevice() {
        return Refusal.of(404, "no-device", "no device has this id; see /api/v1/devices");
    }

    /// Returns the history of some facts: times once, and a list of numbers for each fact, null for unknown ones.
    private Answer history(ServerRequest asked) {
        DeviceId id = require(asked).id();
        long minutes = asked.number("minutes", USUAL_MINUTES, 1, MOST_MINUTES);
        long most = Math.max(
                1,
                Duration.ofMinutes(minutes).toMillis()
                        / Math.max(1, sampler.interval().toMillis()));
        JsonObject.ObjectBuilder series = JsonObject.builder();
        List<JsonValue> times = List.of();
        for (DeviceFact<?> fact : facts(asked.find("facts"))) {
            List<HistoryPoint> points = sampler.history().series(id, fact, (int) Math.min(most, Integer.MAX_VALUE));
            if (!points.isEmpty()) {
                series.put(
                        fact.key(),
                        new JsonArray(
                                points.stream().map(DeviceEndpoints::number).toList()));
                times = points.size() <= times.size()
                        ? times
                        : points.stream()
                                .<JsonValue>map(
                                        point -> JsonNumber.of(point.at().toEpochMilli()))
                                .toList();
            }
        }
        return Answer.json(
                JsonObject.document("history")
                                .put("device", id.text())
                                .put("intervalMillis", sampler.interval().toMillis())
                                .put("atMillis", new JsonArray(times))
                                .put("facts", series.build())
                                .build()
                                .toText()
                        + "\n",
                "");
    }

    private static JsonValue number(HistoryPoint point) {
        return point.value().isPresent() ? JsonNumber.of(point.value().getAsDouble()) : new JsonNull();
    }

    private static List<DeviceFact<?>> facts(Optional<String> names) {
        if (names.isEmpty()) {
            return DeviceFact.all().stream()
                    .<DeviceFact<?>>map(fact -> fact)
                    .filter(DeviceFact::isVolatile)
                    .toList();
        }
        List<DeviceFact<?>> facts = new ArrayList<>();
        for (String name : names.get().split(",", MOST_FACTS)) {
            facts.add(DeviceFact.findByKey(name)
                    .filter(DeviceFact::isVolatile)
                    .orElseThrow(() -> Refusal.badRequest(
                            "'facts' are keys of the registry that change over time, separated by commas, such as "
                                    + "utilizationRatio,powerWatts")));
        }
        return facts;
    }

    private Answer processes() {
        return documents.answer("processes", sample -> {
            List<JsonValue> rows = new ArrayList<>();
            for (AcceleratorProfile device : sample.registry().profiles()) {
                Optional<ProcessList> known =
                        device.reading(DeviceFact.PROCESSES).find();
                for (DeviceProcess each : known.map(ProcessList::processes).orElse(List.of())) {
                    JsonObject.ObjectBuilder row = JsonObject.builder()
                            .put("device", device.id().text())
                            .put("pid", each.pid());
                    each.findName().ifPresent(name -> row.put("name", name));
                    each.findMemory().ifPresent(memory -> row.put("memoryBytes", memory.unsigned()));
                    each.findLoad().ifPresent(load -> row.put("utilizationRatio", load.value()));
                    if (rows.size() < MOST_OWNERS) {
                        owners.apply(each.pid()).members().forEach(row::put);
                    }
                    rows.add(row.build());
                }
            }
            return json(
                    JsonObject.document("processes")
                            .put("number", sample.number())
                            .put("processes", rows)
                            .build(),
                    sample);
        });
    }

    private Answer json(JsonValue document, Sample sample) {
        return Answer.json(document.toText() + "\n", documents.tag(sample));
    }
}
