package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads what `rocm-smi -a --json` prints: an object for each card, `card0` and so on, and one for the system.
final class RocmSmiJsonParser {
    private static final String CARD = "card";
    private static final String SYSTEM = "system";
    private static final String DRIVER = "Driver version";
    private static final int MAX_GPUS = 1024;

    private RocmSmiJsonParser() {}

    /// The GPUs, numbered as the tool does.
    ///
    /// @throws dev.muster.core.json.DocumentException if the text is not JSON
    static List<AcceleratorProfile> parse(String text, Provenance source) {
        JsonValue document = JsonValue.parse(text);
        Map<String, String> system =
                document.find(SYSTEM).map(RocmSmiJsonParser::texts).orElse(Map.of());
        List<AcceleratorProfile> gpus = new ArrayList<>();
        if (document instanceof JsonValue.JsonObject object) {
            object.members().forEach((name, value) -> {
                Optional<Long> number = Amount.numbered(name, CARD, MAX_GPUS);
                if (number.isPresent() && gpus.size() < MAX_GPUS) {
                    Map<String, String> values = new HashMap<>(texts(value));
                    values.putIfAbsent(DRIVER, system.getOrDefault(DRIVER, ""));
                    RocmSmiFacts.find(number.get().intValue(), values, source).ifPresent(gpus::add);
                }
            });
        }
        return gpus;
    }

    private static Map<String, String> texts(JsonValue value) {
        Map<String, String> texts = new HashMap<>();
        if (value instanceof JsonValue.JsonObject object) {
            object.members().forEach((name, member) -> {
                if (member instanceof JsonValue.JsonString(String text)) {
                    texts.put(name, text);
                }
            });
        }
        return texts;
    }
}
