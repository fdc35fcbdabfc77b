// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetSummary;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The endpoint of the fleet. The document is built once for a view of the fleet. Its tag is weak and leaves out when
/// sources were read: a client whose hosts are the same gets no second copy of them. Safe to share between threads.
final class FleetEndpoint {
    private static final String HOSTS = "\"hosts\":[";

    private final ServerSources sources;
    private @Nullable Made made;

    FleetEndpoint(ServerSources sources) {
        this.sources = sources;
    }

    List<Route> routes() {
        return List.of(Route.data(
                "/api/v1/fleet",
                Operation.of("readFleet", "The newest view of the fleet; without hosts if it has no source")
                        .answering("A summary of the fleet", "fleet-summary")
                        .orEmpty(304, "The hosts of If-None-Match"),
                new Endpoint.Now(_ -> answer())));
    }

    private record Made(Fleet fleet, Answer answer) {}

    @SuppressWarnings("ReferenceEquality") // a view that did not change is the same object, and comparing takes long
    private synchronized Answer answer() {
        if (sources.fleet().isEmpty()) {
            return Answer.json(
                    JsonObject.document("fleet-summary")
                                    .put("hosts", List.of())
                                    .put("sources", List.of())
                                    .build()
                                    .toText()
                            + "\n",
                    "");
        }
        Fleet fleet = sources.fleet().get().get();
        Made known = made;
        if (known == null || known.fleet != fleet) {
            known = new Made(fleet, answer(fleet));
            made = known;
        }
        return known.answer;
    }

    private Answer answer(Fleet fleet) {
        JsonValue document = FleetSummary.of(fleet, sources.clock().instant());
        String text = document.toText() + "\n";
        CRC32C sum = new CRC32C();
        for (Fleet.SourceState source : fleet.sources()) {
            sum.update(bytes(source.source() + source.failure() + source.gaps()));
        }
        // The hosts stand last, behind the sources with their times.
        sum.update(bytes(text.substring(Math.max(0, text.indexOf(HOSTS)))));
        return Answer.json(text, "W/\"" + HexFormat.of().toHexDigits(sum.getValue()) + "\"");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
