// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Watts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class OtlpDocumentTest {
    /// A field of a message: its number, and its value as a number or as bytes.
    private record Field(int number, long value, ByteBuffer bytes) {
        String text() {
            return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
        }

        List<Field> all(int number) {
            return fields(bytes).stream()
                    .filter(field -> field.number == number)
                    .toList();
        }

        Field one(int number) {
            assertThat(all(number)).hasSize(1);
            return all(number).getFirst();
        }
    }

    private static List<Field> fields(ByteBuffer message) {
        List<Field> fields = new ArrayList<>();
        ByteBuffer in = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            int key = (int) varint(in);
            switch (key & 7) {
                case 0 -> fields.add(new Field(key >> 3, varint(in), ByteBuffer.allocate(0)));
                case 1 -> fields.add(new Field(key >> 3, in.getLong(), ByteBuffer.allocate(0)));
                default -> {
                    byte[] bytes = new byte[(int) varint(in)];
                    in.get(bytes);
                    fields.add(new Field(key >> 3, 0, ByteBuffer.wrap(bytes)));
                }
            }
        }
        return fields;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static Field metric(Field scope, String name) {
        return scope.all(2).stream()
                .filter(metric -> metric.one(1).text().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void holdsNumbersAttributesAndKindsOfTheConventions() {
        AcceleratorRegistry registry =
                AcceleratorRegistry.of(List.of(AcceleratorProfile.cuda(0, Bytes.ofGib(80)).toBuilder()
                        .with(DeviceFact.POWER, Reading.known(new Watts(300.5), Provenance.GIVEN))
                        .build()));
        byte[] document =
                OtlpDocument.of("host-a", "1", Instant.ofEpochSecond(5)).of(Instant.ofEpochSecond(7, 9), registry);

        Field resourceMetrics = new Field(0, 0, ByteBuffer.wrap(document)).one(1);
        assertThat(resourceMetrics.one(1).all(1).stream()
                        .map(each ->
                                each.one(1).text() + "=" + each.one(2).one(1).text()))
                .containsExactlyInAnyOrder("host.name=host-a", "service.name=muster");
        Field scope = resourceMetrics.one(2);
        assertThat(scope.one(1).one(1).text()).isEqualTo("dev.muster");

        Field power = metric(scope, "hw.power");
        assertThat(power.one(3).text()).isEqualTo("W");
        Field point = power.one(5).one(1);
        assertThat(Double.longBitsToDouble(point.one(4).value())).isEqualTo(300.5);
        assertThat(point.one(2).value()).isEqualTo(5_000_000_000L);
        assertThat(point.one(3).value()).isEqualTo(7_000_000_009L);
        assertThat(point.all(7).stream().map(each -> each.one(1).text())).contains("hw.id");

        // An up-down counter: cumulative, and it may fall.
        Field limit = metric(scope, "hw.gpu.memory.limit").one(7);
        assertThat(limit.one(2).value()).isEqualTo(2);
        assertThat(limit.one(3).value()).isZero();
    }

    @Test
    void numbersHaveSevenBitsInAByte() {
        byte[] message = new ProtobufMessage().number(1, 300).text(20, "é").toBytes();
        assertThat(HexFormat.of().formatHex(message)).isEqualTo("08ac02" + "a20102c3a9");
    }
}
