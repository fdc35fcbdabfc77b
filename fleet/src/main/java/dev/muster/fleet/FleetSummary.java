// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// A fleet in few words, for pages: of each host its state, what is free, who holds what and what sources contradict
/// each other in; of each device its name, memory and load. [FleetDocument] has all of it.
///
/// @since 0.2
public final class FleetSummary {
    private static final List<DeviceFact<?>> SHOWN = List.of(
            DeviceFact.MEMORY,
            DeviceFact.MEMORY_USED,
            DeviceFact.UTILIZATION,
            DeviceFact.POWER,
            DeviceFact.TEMPERATURE);

    private FleetSummary() {}

    /// The document.
    ///
    /// @param now the time; what a source that failed said before has an age
    public static JsonValue of(Fleet fleet, Instant now) {
        return JsonObject.document("fleet-summary")
                .put("sources", fleet.sources(), source -> source(source, now))
                .put("hosts", fleet.hosts(), FleetSummary::host)
                .build();
    }

    private static JsonValue source(Fleet.SourceState source, Instant now) {
        JsonObject.ObjectBuilder json = JsonObject.builder().put("source", source.source());
        Optional<Instant> observed = source.observedAt().find();
        observed.ifPresent(time -> json.put("observedAt", time.toString()));
        if (!source.failure().isBlank()) {
            json.put("failure", source.failure());
            observed.ifPresent(time -> json.put(
                    "ageSeconds", Math.max(0, Duration.between(time, now).toSeconds())));
        }
        return json.put("gaps", source.gaps(), gap -> new JsonValue.JsonString(gap.display()))
                .build();
    }

    private static JsonValue host(FleetHost host) {
        return JsonObject.builder()
                .put("name", host.name())
                .put(
                        "state",
                        JsonObject.builder()
                                .put("kind", host.state().kind().text())
                                .put("text", host.state().text())
                                .put("reason", host.state().reason())
                                .build())
                .put("freeDevices", host.free().size())
                .put("devices", host.accelerators(), FleetSummary::device)
                .put("claims", host.claims(), FleetSummary::claim)
                .put(
                        "domains",
                        host.domains(),
                        domain -> new JsonValue.JsonString(domain.kind().text() + " " + domain.name()))
                .put("conflicts", host.conflicts(), FleetSummary::conflict)
                .build();
    }

    private static JsonValue device(AcceleratorProfile device) {
        JsonObject.ObjectBuilder json =
                JsonObject.builder().put("id", device.id().text());
        device.deviceName().find().ifPresent(name -> json.put("deviceName", name));
        for (DeviceFact<?> fact : SHOWN) {
            OptionalDouble number = device.number(fact);
            if (number.isPresent()) {
                json.put(fact.key(), JsonValue.JsonNumber.shortest(number.getAsDouble()));
            }
        }
        return json.build();
    }

    private static JsonValue claim(Claim claim) {
        JsonObject.ObjectBuilder json = JsonObject.builder()
                .put("holder", claim.holder())
                .put("user", claim.user())
                .put("count", claim.count());
        if (!claim.devices().isEmpty()) {
            json.put("devices", claim.devices(), device -> new JsonValue.JsonString(device.text()));
        }
        return json.build();
    }

    private static JsonValue conflict(FleetHost.Contradiction conflict) {
        return JsonObject.builder()
                .put("what", conflict.what())
                .put(
                        "statements",
                        conflict.statements(),
                        said -> JsonObject.builder()
                                .put("source", said.source())
                                .put("value", said.value())
                                .build())
                .build();
    }
}
