// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import java.util.List;
import java.util.Optional;

/// The facts of processor and memory on Windows.
record WindowsCpu(JsonValue document) {
    private static final int MAX_NAME = 256;
    private static final long MAX_KIB = Amount.MAX_MEMORY.unsigned() >> 10;

    /// Reads an object with `memory` in bytes, `free` in KiB and `processors`, one for each socket; nothing if this is
    /// no JSON object. PowerShell may begin with a byte order mark, and may write a list of one as that one.
    static Optional<WindowsCpu> parse(String text) {
        return JsonFields.parse(text)
                .filter(JsonValue.JsonObject.class::isInstance)
                .map(WindowsCpu::new);
    }

    Optional<Bytes> memory() {
        return JsonFields.count(document, "memory", Amount.MAX_MEMORY.unsigned())
                .filter(bytes -> bytes > 0)
                .map(Bytes::of);
    }

    Optional<Bytes> free() {
        return JsonFields.count(document, "free", MAX_KIB).map(Bytes::ofKib);
    }

    /// The name of the first processor; those of one machine are alike.
    Optional<String> name() {
        List<JsonValue> list = JsonFields.items(document, "processors");
        Optional<JsonValue> first = list.isEmpty() ? document.find("processors") : Optional.of(list.getFirst());
        return first.flatMap(processor -> JsonFields.text(processor, "Name"))
                .map(name -> name.substring(0, Math.min(name.length(), MAX_NAME)));
    }
}
