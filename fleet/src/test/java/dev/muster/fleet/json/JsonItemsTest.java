// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.json.DocumentException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonItemsTest {
    private static final int ROOM = 1_000;

    private final List<String> pieces = new ArrayList<>();

    private final JsonItems.Visitor collector = new JsonItems.Visitor() {
        @Override
        public void member(String name, byte[] utf8) {
            pieces.add(name + "=" + new String(utf8, StandardCharsets.UTF_8));
        }

        @Override
        public void item(String name, byte[] utf8) {
            pieces.add(name + "[]" + new String(utf8, StandardCharsets.UTF_8));
        }
    };

    /// A stream that gives one byte at a time, so that every piece is cut everywhere.
    private static InputStream slow(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(1, length));
            }

            @Override
            public int read(byte[] into) {
                return read(into, 0, into.length);
            }
        };
    }

    private void read(String text, int maxBytes, int maxItemBytes, String... opened) throws IOException {
        new JsonItems(slow(text), maxBytes, maxItemBytes).readObject(collector, Set.of(opened));
    }

    @Test
    void membersAndItemsComeInTheirOrder() throws IOException {
        String text =
                " {\"a\" : 1.5 , \"list\":[{\"x\":\"}]\\\"\"}, [2] ,null],\"o\":{\"list\":[7]},\"\\u0062\":true}\n";
        List<String> expected = List.of("a=1.5", "list[]{\"x\":\"}]\\\"\"}", "list[][2]", "list[]null");
        read(text, ROOM, ROOM, "list");
        assertThat(pieces).startsWith(expected.toArray(String[]::new)).endsWith("o={\"list\":[7]}", "b=true");
        pieces.clear();
        JsonItems.of(text.getBytes(StandardCharsets.UTF_8)).readObject(collector, Set.of("list", "o"));
        assertThat(pieces).startsWith(expected.toArray(String[]::new)).endsWith("list[]7", "b=true");
    }

    @Test
    void objectsAreOpenedWithinObjectsWhereTheirPathIsNamed() throws IOException {
        JsonItems.Visitor paths = new JsonItems.Visitor() {
            @Override
            public void member(String name, byte[] utf8) {
                pieces.add(name + "=" + new String(utf8, StandardCharsets.UTF_8));
            }

            @Override
            public void item(String name, byte[] utf8) {
                pieces.add(name + "[]" + new String(utf8, StandardCharsets.UTF_8));
            }

            @Override
            public void begin(String path) {
                pieces.add("<" + path);
            }

            @Override
            public void end(String path) {
                pieces.add(path + ">");
            }
        };
        String text = "{\"o\":{\"p\":{\"a\":1,\"p\":{}},\"o\":{\"b\":2}},\"p\":{}}";
        JsonItems.of(text.getBytes(StandardCharsets.UTF_8)).readObject(paths, Set.of("o", "o/p"));
        assertThat(pieces).containsExactly("<o", "<o/p", "a=1", "p={}", "o/p>", "o={\"b\":2}", "o>", "p={}");
    }

    @Test
    void objectsInARow() throws IOException {
        JsonItems events = new JsonItems(slow("{\"a\":1}\n {\"b\":[2]}\n"), Long.MAX_VALUE, ROOM);
        assertThat(events.nextObject()).asString(StandardCharsets.UTF_8).isEqualTo("{\"a\":1}");
        assertThat(events.nextObject()).asString(StandardCharsets.UTF_8).isEqualTo("{\"b\":[2]}");
        assertThat(events.nextObject()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1",
                "{a:1}",
                "{\"a\":1,}",
                "{\"list\":[1,]}",
                "{\"list\":[1}",
                "{\"a\":\"x",
                "{\"a\":{\"b\":[1}",
                "{} {}",
                "{\"a\":1 2}"
            })
    void whatIsNoObjectIsRefused(String text) {
        assertThatExceptionOfType(DocumentException.class)
                .isThrownBy(() -> read(text, ROOM, ROOM, "list"))
                .withMessageContaining("byte");
    }

    @Test
    void nothingTooLargeIsKept() {
        String text = "{\"list\":[\"" + "x".repeat(100) + "\"]}";
        assertThatExceptionOfType(DocumentException.class)
                .isThrownBy(() -> read(text, ROOM, 100, "list"))
                .satisfies(e -> assertThat(e.code()).isEqualTo(DocumentException.DocumentErrorCode.TOO_LARGE));
        assertThatExceptionOfType(DocumentException.class)
                .isThrownBy(() -> read(text, 100, ROOM, "list"))
                .satisfies(e -> assertThat(e.code()).isEqualTo(DocumentException.DocumentErrorCode.TOO_LARGE));
    }
}
