// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.host;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Reading;
import dev.muster.core.RegistryDifference;
import dev.muster.core.RegistryDifference.DeviceChange;
import dev.muster.core.RegistryDifference.ItemChange;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.List;

/// The differences between two registries.
///
/// @param difference the differences
public record DifferenceText(RegistryDifference difference) implements Report {
    @Override
    public String text(Terminal terminal) {
        if (difference.isEmpty()) {
            return "No differences.\n";
        }
        StringBuilder out = new StringBuilder();
        difference.devices().forEach(change -> lines(change, terminal, out));
        for (ItemChange change : difference.items()) {
            String line = change.kind() + " " + terminal.plain(Printable.of(change.item()));
            out.append(change.isAdded() ? terminal.green("+ " + line) : terminal.red("- " + line))
                    .append('\n');
        }
        return out.toString();
    }

    private static void lines(DeviceChange change, Terminal terminal, StringBuilder out) {
        AcceleratorProfile device = change.device();
        if (change.isAdded()) {
            out.append(terminal.green("+ device " + describe(device))).append('\n');
            return;
        }
        if (change.isRemoved()) {
            out.append(terminal.red("- device " + describe(device))).append('\n');
            return;
        }
        String arrow = " " + terminal.arrow() + " ";
        String start = "~ " + id(device.id()) + " ";
        AcceleratorProfile before = change.previous();
        if (change.hasNewType()) {
            out.append(start + "type: " + before.accelerator().display() + arrow
                    + device.accelerator().display() + "\n");
        }
        if (change.hasNewAvailability()) {
            out.append(start + (device.available() ? "is available again" : "is no longer available") + "\n");
        }
        for (DeviceFact<?> fact : change.facts()) {
            out.append(start + fact.label() + ": " + change(before.reading(fact), device.reading(fact), arrow) + "\n");
        }
    }

    private static String describe(AcceleratorProfile profile) {
        String name = profile.deviceName()
                .find()
                .map(text -> " " + Printable.of(text))
                .orElse("");
        return id(profile.id()) + name + " (" + show(profile.memory()) + ")";
    }

    /// Returns the id of a device as printable text: a partition's id comes from outside.
    private static String id(DeviceId id) {
        return Printable.of(id.text());
    }

    /// Values that differ only behind the digits that people see are shown in full.
    private static String change(Reading<?> before, Reading<?> after, String arrow) {
        if (!show(before).equals(show(after))) {
            return show(before) + arrow + show(after);
        }
        return full(before) + arrow + full(after);
    }

    private static String full(Reading<?> reading) {
        return reading.find().map(Quantity::exact).orElse("unknown");
    }

    private static String show(Reading<?> reading) {
        return reading.find().map(Quantity::of).orElse("unknown");
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("difference").put("changes", changes()).build();
    }

    List<JsonValue> changes() {
        List<JsonValue> all = new ArrayList<>();
        difference.devices().forEach(change -> addChanges(change, all));
        difference
                .items()
                .forEach(change -> all.add(JsonObject.builder()
                        .put("change", change.isAdded() ? "added" : "removed")
                        .put("what", change.kind())
                        .put("item", change.item())
                        .build()));
        return all;
    }

    private static void addChanges(DeviceChange change, List<JsonValue> all) {
        AcceleratorProfile device = change.device();
        if (change.isAdded() || change.isRemoved()) {
            all.add(of(change.isAdded() ? "device-added" : "device-removed", device.id())
                    .build());
            return;
        }
        AcceleratorProfile before = change.previous();
        if (change.hasNewType()) {
            all.add(of("type-changed", device.id())
                    .put("before", before.accelerator().display())
                    .put("after", device.accelerator().display())
                    .build());
        }
        if (change.hasNewAvailability()) {
            all.add(of("availability-changed", device.id())
                    .put("after", device.available())
                    .build());
        }
        for (DeviceFact<?> fact : change.facts()) {
            all.add(of("fact-changed", device.id())
                    .put("fact", fact.key())
                    .put("before", before.reading(fact).find(), Quantity::json)
                    .put("after", device.reading(fact).find(), Quantity::json)
                    .build());
        }
    }

    private static JsonObject.ObjectBuilder of(String change, DeviceId device) {
        return JsonObject.builder().put("change", change).put("device", device.text());
    }
}
