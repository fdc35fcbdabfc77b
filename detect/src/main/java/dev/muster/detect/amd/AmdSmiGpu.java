// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.json.JsonValue;
import dev.muster.detect.text.JsonFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The facts of one GPU in `amd-smi`. With `--json`, `list`, `static` and `metric` print an array with one object for
/// each, which newer releases wrap in `gpu_data`. A value is plain, or an object of `value` and `unit`.
///
/// @param index the tool's number for it
/// @param values values with their units by path, such as `32 GT/s` by `pcie.speed`; all in lower case
record AmdSmiGpu(int index, Map<String, String> values) {
    private static final int MAX_GPUS = 1024;
    private static final int MAX_VALUES = 4096;

    AmdSmiGpu {
        values = Map.copyOf(values);
    }

    /// The value at the first of some paths that says anything; names moved between releases.
    Optional<String> find(String... paths) {
        for (String path : paths) {
            String value = values.getOrDefault(path, "").strip();
            if (!value.isEmpty() && !value.startsWith("N/A")) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    /// The same GPU, with what another of the tool's answers says of it.
    AmdSmiGpu with(AmdSmiGpu other) {
        Map<String, String> all = new HashMap<>(other.values);
        all.putAll(values);
        return new AmdSmiGpu(index, all);
    }

    /// @throws dev.muster.core.json.DocumentException if the text is not JSON
    static List<AmdSmiGpu> parse(String text) {
        JsonValue document = JsonValue.parse(JsonFields.documentIn(text));
        JsonValue list = document.find("gpu_data").orElse(document);
        List<AmdSmiGpu> gpus = new ArrayList<>();
        for (JsonValue item : list instanceof JsonValue.JsonArray array ? array.items() : List.of(list)) {
            Optional<Long> index = item.find("gpu").flatMap(AmdSmiGpu::plain).flatMap(AmdText::whole);
            if (index.filter(value -> value < MAX_GPUS).isPresent() && gpus.size() < MAX_GPUS) {
                Map<String, String> values = new HashMap<>();
                flatten("", item, values);
                gpus.add(new AmdSmiGpu(index.get().intValue(), values));
            }
        }
        return gpus;
    }

    private static void flatten(String path, JsonValue value, Map<String, String> values) {
        Optional<String> plain = plain(value);
        if (plain.isPresent()) {
            if (values.size() < MAX_VALUES) {
                values.put(path, plain.get());
            }
        } else if (value instanceof JsonValue.JsonObject object) {
            object.members().forEach((name, member) -> {
                String key = name.toLowerCase(Locale.ROOT);
                flatten(path.isEmpty() ? key : path + "." + key, member, values);
            });
        }
    }

    private static Optional<String> plain(JsonValue value) {
        return switch (value) {
            case JsonValue.JsonString text -> Optional.of(text.value());
            case JsonValue.JsonNumber number -> Optional.of(number.text());
            case JsonValue.JsonBoolean truth -> Optional.of(Boolean.toString(truth.value()));
            case JsonValue.JsonObject object -> {
                Optional<String> number = object.find("value").flatMap(AmdSmiGpu::plain);
                Optional<String> unit = object.find("unit").flatMap(AmdSmiGpu::plain);
                yield number.map(digits -> unit.map(word -> digits + " " + word).orElse(digits));
            }
            case JsonValue.JsonArray _, JsonValue.JsonNull _ -> Optional.empty();
        };
    }
}
