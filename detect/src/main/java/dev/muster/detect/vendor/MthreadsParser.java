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
import java.util.Optional;

/// Reads the JSON of `mthreads-gmi -q --json`. Pure.
final class MthreadsParser {
    private static final String MEMORY = "FB Memory Usage";

    private MthreadsParser() {}

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        Optional<JsonValue> root = Sighting.json(text);
        if (root.isEmpty()) {
            return List.of();
        }
        String driver = JsonFields.text(root.get(), "Driver Version").orElse("");
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (JsonValue item : JsonFields.items(root.get(), "GPU")) {
            if (devices.size() < Sighting.MAX_DEVICES
                    && item.find("Product Name").isPresent()) {
                long number =
                        JsonFields.count(item, "Index", Sighting.MAX_DEVICES).orElse((long) devices.size());
                devices.add(new Sighting(AcceleratorKind.MOORE_THREADS_GPU, number, source)
                        .text(DeviceFact.DEVICE_NAME, value(item, "Product Name"))
                        .text(DeviceFact.DRIVER_VERSION, driver)
                        .with(DeviceFact.MEMORY, Amount.bytes(value(item, MEMORY, "Total")))
                        .with(DeviceFact.MEMORY_USED, Amount.bytes(value(item, MEMORY, "Used")))
                        .with(DeviceFact.TEMPERATURE, Amount.celsius(value(item, "Temperature", "GPU Current Temp")))
                        .with(DeviceFact.UTILIZATION, Amount.percent(value(item, "Utilization", "Gpu")))
                        .build());
            }
        }
        return devices;
    }

    private static String value(JsonValue item, String... path) {
        return JsonFields.text(item, path).orElse("");
    }
}
