// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.Provenance;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.fleet.json.JsonItems;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Readers of answers of API servers, kubeconfigs and nodes end as they declare, for any text.
final class KubernetesFuzzTest {
    private static final int MOST_DEVICES = 16 * NodeDevices.MAX_DEVICES;
    private static final Provenance SOURCE =
            Provenance.of("fuzz", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);

    @FuzzTest
    void node(byte[] data) {
        new NodeReader(SOURCE)
                .read(json(data))
                .ifPresent(node -> assertThat(node.devices()).hasSizeLessThanOrEqualTo(MOST_DEVICES));
    }

    @FuzzTest
    void pod(byte[] data) {
        PodClaim.isWorthReading(data);
        PodClaim.find(json(data)).ifPresent(pod -> assertThat(pod.devices(1)).isBetween(0, NodeDevices.MAX_DEVICES));
    }

    @FuzzTest
    void slice(byte[] data) {
        ClusterState state = new ClusterState("fuzz", SOURCE);
        JsonValue json = json(data);
        state.changingSlices().put("s", DraSlice.read(json));
        DraGrant.find(json).ifPresent(grant -> state.grants().put("g", grant));
        state.nodes()
                .put(
                        "node-1",
                        new NodeRecord(
                                "node-1",
                                dev.muster.fleet.HostState.UNKNOWN,
                                List.of(),
                                1,
                                List.of(),
                                List.of(),
                                java.util.Map.of()));
        assertThat(state.hosts()).hasSize(1);
        assertThat(state.gaps()).isNotNull();
    }

    @FuzzTest
    void quantity(byte[] data) {
        Quantity.find(new String(data, StandardCharsets.UTF_8))
                .ifPresent(amount -> assertThat(amount).isNotNegative());
    }

    @FuzzTest
    void yaml(byte[] data) {
        try {
            YamlReader.readAll(new String(data, StandardCharsets.UTF_8)).forEach(JsonValue::toText);
        } catch (YamlReader.YamlException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    /// A list that is read in pieces has the items that it has as a whole.
    @FuzzTest
    void list(byte[] data) {
        List<JsonValue> items = new ArrayList<>();
        JsonItems.Visitor reader = new JsonItems.Visitor() {
            @Override
            public void item(String name, byte[] text) {
                items.add(JsonValue.parse(text));
            }

            @Override
            public void member(String name, byte[] text) {}
        };
        try {
            new JsonItems(new ByteArrayInputStream(data), 1 << 20, 1 << 20).readObject(reader, Set.of("items"));
        } catch (IOException | DocumentException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        try {
            JsonValue whole = JsonValue.parse(data);
            if (whole.find("items").orElse(null) instanceof JsonValue.JsonArray(List<JsonValue> expected)) {
                assertThat(items).containsAll(expected);
            }
        } catch (DocumentException _) {
            // The pieces are taken one after another, and what follows the last is not looked at.
        }
    }

    private static JsonValue json(byte[] data) {
        try {
            return JsonValue.parse(data);
        } catch (DocumentException _) {
            return new JsonValue.JsonNull();
        }
    }
}
