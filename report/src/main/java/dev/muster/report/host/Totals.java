// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.host;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceFact;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bytes;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.DeviceField;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The totals of a registry. Only devices that can be used now are counted.
///
/// @param version the program's version
public record Totals(AcceleratorRegistry registry, String version) implements Report {
    private static final List<AcceleratorFamily> FAMILIES =
            List.of(AcceleratorFamily.GPU, AcceleratorFamily.TPU, AcceleratorFamily.NPU, AcceleratorFamily.AI_ASIC);

    @Override
    public JsonValue json() {
        JsonObject.ObjectBuilder families = JsonObject.builder();
        FAMILIES.forEach(family -> families.put(key(family), count(family)));
        return JsonObject.document("summary")
                .put("version", version)
                .put("deviceCount", registry.available().size())
                .put("hasAccelerator", registry.hasAccelerator())
                .put("totalMemoryBytes", memory(registry::totalMemory))
                .put("acceleratorMemoryBytes", memory(registry::totalAcceleratorMemory))
                .put("families", families.build())
                .put("bestDevice", best(), Totals::device)
                .put("gaps", registry.gaps(), gap -> new JsonString(gap.display()))
                .build();
    }

    private static JsonValue device(AcceleratorProfile best) {
        JsonObject.ObjectBuilder device =
                JsonObject.builder().put("id", best.id().text()).put("name", DeviceField.nameOf(best));
        for (DeviceFact<?> fact :
                List.of(DeviceFact.MEMORY, DeviceFact.COMPUTE_CAPABILITY, DeviceFact.DRIVER_VERSION)) {
            device.put(fact.key(), best.reading(fact).find(), Quantity::json);
        }
        return device.build();
    }

    /// Returns the best of the devices that work may be given to; of all where that is none.
    private Optional<AcceleratorProfile> best() {
        AcceleratorRegistry usable = DeviceChoice.defaults(registry).restrict(registry);
        return (usable.hasAccelerator() ? usable : registry).findBest();
    }

    private static String key(AcceleratorFamily family) {
        return family == AcceleratorFamily.AI_ASIC ? "aiAsic" : family.text();
    }

    /// Returns the very keys of ai-hwaccel, in their order.
    public JsonValue reference() {
        JsonObject.ObjectBuilder families = JsonObject.builder();
        for (AcceleratorFamily family : List.of(
                AcceleratorFamily.AI_ASIC, AcceleratorFamily.GPU, AcceleratorFamily.NPU, AcceleratorFamily.TPU)) {
            families.put(family.text().replace('-', '_'), count(family));
        }
        Optional<JsonValue> best = registry.findBest().map(Totals::referenceDevice);
        return JsonObject.builder()
                .put("accelerator_memory_bytes", memory(registry::totalAcceleratorMemory))
                .put("best_device", best.orElse(new JsonNull()))
                .put("device_count", registry.available().size())
                .put("families", families.build())
                .put("has_accelerator", registry.hasAccelerator())
                .put("schema_version", registry.referenceSchema())
                .put("total_memory_bytes", memory(registry::totalMemory))
                .put("version", version)
                .put("warnings", registry.gaps(), gap -> new JsonString(gap.display()))
                .build();
    }

    private static JsonValue referenceDevice(AcceleratorProfile best) {
        return JsonObject.builder()
                .put("accelerator", best.accelerator().display())
                .put("compute_capability", orNull(best, DeviceFact.COMPUTE_CAPABILITY))
                .put("driver_version", orNull(best, DeviceFact.DRIVER_VERSION))
                .put("memory_bytes", orNull(best, DeviceFact.MEMORY))
                .build();
    }

    private static JsonValue orNull(AcceleratorProfile device, DeviceFact<?> fact) {
        Optional<JsonValue> value = device.reading(fact).find().map(Quantity::json);
        return value.orElse(new JsonNull());
    }

    /// Returns a sum past 2^64-1 bytes, which no machine has, stops there.
    private static JsonValue memory(Supplier<Bytes> sum) {
        return Quantity.json(bytes(sum));
    }

    private static Bytes bytes(Supplier<Bytes> sum) {
        try {
            return sum.get();
        } catch (ArithmeticException _) {
            return Bytes.MAX;
        }
    }

    private long count(AcceleratorFamily family) {
        return registry.byFamily(family).size();
    }

    @Override
    public String text(Terminal terminal) {
        StringBuilder out = new StringBuilder();
        line(out, "Devices", registry.available().size() + " available");
        for (AcceleratorFamily family : FAMILIES) {
            long count = count(family);
            if (count > 0) {
                line(out, family.display(), Long.toString(count));
            }
        }
        line(out, "Accelerator memory", Quantity.of(bytes(registry::totalAcceleratorMemory)));
        line(out, "Memory with the CPU's", Quantity.of(bytes(registry::totalMemory)));
        best().ifPresent(best -> line(
                out, "Best device", Printable.of(best.id().text()) + ", " + Printable.of(DeviceField.nameOf(best))));
        line(
                out,
                "Gaps",
                registry.gaps().isEmpty() ? "none" : Count.of(registry.gaps().size(), "gap"));
        return terminal.plain(out.toString());
    }

    private static void line(StringBuilder out, String title, String value) {
        out.append(title).append(": ").append(value).append('\n');
    }
}
