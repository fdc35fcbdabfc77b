package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import dev.muster.detect.tool.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the JSON of `hy-smi --showproductname --json`: an object for each card. Pure.
final class HySmiParser {
    private static final String CARD = "card";

    private HySmiParser() {}

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        if (!(Sighting.json(text).orElse(new JsonValue.JsonNull())
                instanceof JsonValue.JsonObject(Map<String, JsonValue> cards))) {
            return devices;
        }
        cards.forEach((name, card) -> {
            Optional<Long> number = name.startsWith(CARD)
                    ? Amount.count(name.substring(CARD.length()), Sighting.MAX_DEVICES)
                    : Optional.empty();
            if (number.isPresent() && devices.size() < Sighting.MAX_DEVICES) {
                devices.add(new Sighting(AcceleratorKind.HYGON_DCU, number.get(), source)
                        .text(
                                DeviceFact.DEVICE_NAME,
                                JsonFields.text(card, "Card Series").orElse(""))
                        .build());
            }
        });
        return devices;
    }
}
