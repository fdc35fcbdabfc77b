// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.RandomRegistry;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TpuVersion;
import dev.muster.core.Trials;
import dev.muster.core.TypeSamples;
import dev.muster.core.UnknownReason;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryDocumentTest {
    private static final Provenance HAND_WRITTEN =
            Provenance.of("document", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);

    private static AcceleratorRegistry read(String text) {
        return RegistryDocument.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static AcceleratorRegistry of(AcceleratorProfile... profiles) {
        return AcceleratorRegistry.of(List.of(profiles));
    }

    @Test
    void readsBackWhatItWrites() {
        Trials.run(400, random -> {
            AcceleratorRegistry registry = RandomRegistry.own(random);
            String text = RegistryDocument.write(registry);
            assertThat(read(text)).isEqualTo(registry);
            assertThat(RegistryDocument.write(read(text))).isEqualTo(text);
            assertThat(read(RegistryDocument.writeIndented(registry))).isEqualTo(registry);
        });
    }

    @Test
    void readsBackWhatTheOtherFormsSaid() {
        for (String fixture : List.of(Fixture.TAGGED, Fixture.FLAT)) {
            AcceleratorRegistry registry = RegistryDocument.read(Fixture.bytes(fixture));
            assertThat(read(RegistryDocument.write(registry))).isEqualTo(registry);
        }
        Trials.run(150, random -> {
            AcceleratorRegistry registry = RandomRegistry.tagged(random, ReferenceReader.SOURCE);
            assertThat(read(RegistryDocument.write(registry))).isEqualTo(registry);
            assertThat(read(ReferenceDocument.write(registry))).isEqualTo(registry);
        });
    }

    @Test
    void theOrderOfKeysIsFree() {
        Trials.run(200, random -> {
            AcceleratorRegistry registry = RandomRegistry.own(random);
            JsonValue shuffled = shuffle(JsonValue.parse(RegistryDocument.write(registry)), random);
            assertThat(read(shuffled.toText())).isEqualTo(registry);
        });
    }

    private static JsonValue shuffle(JsonValue value, Random random) {
        return switch (value) {
            case JsonObject(var members) -> {
                List<String> names = new ArrayList<>(members.keySet());
                Collections.shuffle(names, random);
                Map<String, JsonValue> shuffled = new LinkedHashMap<>();
                names.forEach(name -> shuffled.put(name, shuffle(members.getOrDefault(name, value), random)));
                yield new JsonObject(shuffled);
            }
            case JsonArray(var items) ->
                new JsonArray(items.stream().map(item -> shuffle(item, random)).toList());
            default -> value;
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"sources\":[%s],\"schema\":1,\"kind\":\"registry\",\"devices\":[%s]}",
                "{\"schema\":1,\"kind\":\"registry\",\"devices\":[%2$s],\"sources\":[%1$s]}",
                "{\"devices\":[%2$s],\"sources\":[%1$s],\"kind\":\"registry\",\"schema\":1}"
            })
    void theSourcesMayStandFirstOrLast(String form) {
        String source = "{\"source\":\"nvml\",\"method\":\"native\",\"confidence\":\"measured\"}";
        String device = "{\"accelerator\":\"cuda\",\"memoryTotalBytes\":1,\"provenance\":{\"memoryTotalBytes\":0}}";
        assertThat(read(String.format(form, source, device)).profiles())
                .containsExactly(AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                        .with(
                                DeviceFact.MEMORY,
                                Reading.known(
                                        Bytes.of(1),
                                        Provenance.of(
                                                "nvml", Provenance.Method.NATIVE, Provenance.Confidence.MEASURED)))
                        .build());
    }

    @Test
    void unknownKeysAreReadOver() {
        Trials.run(150, random -> {
            AcceleratorRegistry registry = RandomRegistry.own(random);
            JsonValue later = withLaterKeys(JsonValue.parse(RegistryDocument.write(registry)));
            assertThat(read(later.toText())).isEqualTo(registry);
        });
    }

    private static JsonValue withLaterKeys(JsonValue value) {
        return switch (value) {
            case JsonObject(var members) -> {
                Map<String, JsonValue> more = new LinkedHashMap<>();
                more.put("later", JsonValue.parse("{\"a\":[1,{\"b\":null}]}"));
                // These two are maps by key, not objects with keys of their own.
                members.forEach((name, member) -> more.put(
                        name, name.equals("provenance") || name.equals("unknown") ? member : withLaterKeys(member)));
                yield new JsonObject(more);
            }
            case JsonArray(var items) ->
                new JsonArray(
                        items.stream().map(RegistryDocumentTest::withLaterKeys).toList());
            default -> value;
        };
    }

    @Test
    void looksLikeThis() {
        Provenance smi = Provenance.of("nvidia-smi", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED)
                .withObservedAt(Instant.parse("2026-11-15T08:30:00Z"));
        AcceleratorProfile gpu = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 1))
                .with(DeviceFact.MEMORY, Reading.known(Bytes.ofGib(80), smi))
                .with(DeviceFact.MEMORY_BANDWIDTH, Reading.known(new Bandwidth(3352.3), Provenance.GIVEN))
                .with(DeviceFact.POWER, Reading.unknown(UnknownReason.NOT_PERMITTED))
                .build();
        AcceleratorProfile slice = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 1))
                .available(false)
                .partition(new Partition(gpu.id(), "MIG-1", "1g.10gb"))
                .build();
        AcceleratorProfile tpu = AcceleratorProfile.builder(new AcceleratorType.Tpu(0, 4, TpuVersion.V5E))
                .build();
        AcceleratorRegistry registry = new AcceleratorRegistry(
                2,
                List.of(gpu, slice, tpu),
                List.of(new Gap.Timeout("vulkaninfo", 5)),
                SystemIo.EMPTY,
                TopologyGraph.EMPTY,
                Reading.unknown(UnknownReason.UNREADABLE, "no clock"));
        assertThat(RegistryDocument.writeIndented(registry)).isEqualTo("""
                {
                  "schema": 1,
                  "kind": "registry",
                  "referenceSchema": 2,
                  "devices": [
                    {
                      "id": "cuda:1",
                      "accelerator": "cuda",
                      "family": "gpu",
                      "index": 1,
                      "available": true,
                      "memoryTotalBytes": 85899345920,
                      "memoryBandwidthBytesPerSecond": 3352300000000,
                      "provenance": {
                        "memoryTotalBytes": 0,
                        "memoryBandwidthBytesPerSecond": 1
                      },
                      "unknown": {
                        "powerWatts": {
                          "reason": "not-permitted"
                        }
                      }
                    },
                    {
                      "id": "cuda:1/MIG-1",
                      "accelerator": "cuda",
                      "family": "gpu",
                      "index": 1,
                      "available": false,
                      "usable": false,
                      "reasons": [
                        {
                          "obstacle": "unavailable",
                          "words": "cannot be used"
                        }
                      ],
                      "partition": {
                        "parent": "cuda:1",
                        "id": "MIG-1",
                        "shape": "1g.10gb"
                      }
                    },
                    {
                      "id": "tpu:0",
                      "accelerator": "tpu",
                      "family": "tpu",
                      "index": 0,
                      "generation": "v5e",
                      "chipCount": 4,
                      "available": true
                    }
                  ],
                  "gaps": [
                    {
                      "kind": "timed-out",
                      "tool": "vulkaninfo",
                      "limitSeconds": 5.0
                    }
                  ],
                  "interconnects": [],
                  "storage": [],
                  "memoryDevices": [],
                  "topology": {
                    "nodes": [],
                    "links": []
                  },
                  "unknown": {
                    "observedAt": {
                      "reason": "unreadable",
                      "detail": "no clock"
                    }
                  },
                  "sources": [
                    {
                      "source": "nvidia-smi",
                      "method": "command",
                      "confidence": "measured",
                      "observedAt": "2026-11-15T08:30:00Z"
                    },
                    {
                      "source": "caller",
                      "method": "given",
                      "confidence": "stated"
                    }
                  ]
                }""");
    }

    @Test
    void everyTypeReadsBack() {
        List<AcceleratorProfile> profiles = TypeSamples.all().stream()
                .map(type -> AcceleratorProfile.builder(type).build())
                .toList();
        assertThat(read(RegistryDocument.write(AcceleratorRegistry.of(profiles)))
                        .profiles())
                .isEqualTo(profiles);
    }

    @Test
    void peopleNeedNotSayWhereAFactIsFrom() {
        AcceleratorRegistry registry = read("""
                {"schema": 1, "observedAt": "2026-11-15T08:30:00Z",
                 "devices": [{"accelerator": "gaudi", "generation": "Gaudi3", "memoryTotalBytes": 137438953472}]}
                """);
        assertThat(registry.profiles().getFirst().memory()).isEqualTo(Reading.known(Bytes.ofGib(128), HAND_WRITTEN));
        assertThat(registry.profiles().getFirst().available()).isTrue();
        assertThat(registry.observedAt()).isEqualTo(Reading.known(Instant.parse("2026-11-15T08:30:00Z"), HAND_WRITTEN));
        assertThat(registry.topology()).isEqualTo(TopologyGraph.EMPTY);
        assertThat(registry.systemIo()).isEqualTo(SystemIo.EMPTY);
        assertThat(registry.referenceSchema()).isEqualTo(3);
    }

    @Test
    void tellsTheFormsApart() {
        assertThat(read("{\"profiles\":[]}").referenceSchema()).isEqualTo(3);
        AcceleratorProfile tagged =
                read("{\"profiles\":[{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1}]}")
                        .profiles()
                        .getFirst();
        AcceleratorProfile flat =
                read("{\"profiles\":[{\"accelerator\":\"CPU\",\"accel_type_id\":0,\"memory_bytes\":1}]}")
                        .profiles()
                        .getFirst();
        AcceleratorProfile own = read("{\"schema\":1,\"devices\":[{\"accelerator\":\"cpu\",\"memoryTotalBytes\":1}]}")
                .profiles()
                .getFirst();
        assertThat(tagged.memory()).isEqualTo(Reading.known(Bytes.of(1), ReferenceReader.SOURCE));
        assertThat(flat.memory()).isEqualTo(Reading.known(Bytes.of(1), FlatReader.SOURCE));
        assertThat(own.memory()).isEqualTo(Reading.known(Bytes.of(1), HAND_WRITTEN));
    }

    @Test
    void theFormDoesNotDependOnTheOrderOfKeys() {
        assertThat(read("{\"profiles\":[{\"memory_bytes\":1,\"family\":\"GPU\",\"accel_type_id\":1}],"
                                + "\"schema_version\":5}")
                        .profiles()
                        .getFirst()
                        .accelerator())
                .isEqualTo(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0));
        assertThat(read("{\"system_io\":{\"later\":{\"schema\":7}},\"profiles\":[]}")
                        .profiles())
                .as("only the outermost schema counts")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.0, Double.MIN_VALUE, -1.5, 1e300, Double.MAX_VALUE, -Double.MAX_VALUE, 1e-300, 0.1})
    void anyBandwidthReadsBackTheSame(double gigabytesPerSecond) {
        AcceleratorRegistry registry = of(AcceleratorProfile.builder(AcceleratorType.cpu())
                .with(DeviceFact.MEMORY_BANDWIDTH, Reading.known(new Bandwidth(gigabytesPerSecond), Provenance.GIVEN))
                .build());
        assertThat(read(RegistryDocument.write(registry))).isEqualTo(registry);
    }

    @Test
    void anyBandwidthOfAMachineReadsBackTheSame() {
        Trials.run(10_000, random -> {
            Bandwidth bandwidth = new Bandwidth(random.nextDouble() * Math.pow(10, random.nextInt(40) - 20));
            assertThat(BandwidthText.read(JsonReader.of(BandwidthText.of(bandwidth))))
                    .isEqualTo(bandwidth);
        });
    }

    @Test
    void anyBandwidthOfFewDigitsIsAWholeNumberOfBytesAndReadsBackTheSame() {
        Trials.run(10_000, random -> {
            double rate = BigDecimal.valueOf(1 + random.nextInt(10_000_000), random.nextInt(10))
                    .doubleValue();
            String text = BandwidthText.of(new Bandwidth(rate));
            assertThat(text)
                    .isEqualTo(new BigDecimal(Double.toString(rate))
                            .movePointRight(9)
                            .stripTrailingZeros()
                            .toPlainString());
            assertThat(BandwidthText.read(JsonReader.of(text)).gigabytesPerSecond())
                    .isEqualTo(rate);
        });
    }
}
