// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.Reading;
import dev.muster.core.RegistryDifference;
import dev.muster.core.RegistryDifference.Change;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Terminal;
import java.util.List;

/// `muster diff`: what changed between two registries.
final class DiffCommand implements Command {
    static final OptionSpec ALL =
            OptionSpec.flag("all", "compare passing facts too, such as temperature and free memory");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("diff", "show what changed between two registries")
                .taking(2, "A [B]")
                .with(ALL)
                .exiting("0  nothing changed", "1  something changed")
                .example("muster diff before.json after.json", "two saved registries")
                .example("muster diff before.json", "a saved one against this machine")
                .example(
                        "muster diff box.json --registry box.json --remove cuda:0",
                        "what a lost device would take with it");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        List<String> files = arguments.operands();
        if (files.isEmpty()) {
            throw new UsageException("diff needs a registry file to start from: muster diff A [B]");
        }
        if (files.size() > 1 && arguments.has(CommonOptions.REGISTRY)) {
            throw new UsageException("diff compares A with B or with --registry, not with both");
        }
        if (files.size() > 1) {
            arguments.refuse(CommonOptions.WHAT_IF, "diff compares A and B as they are");
        }
        AcceleratorRegistry before = session.readRegistry(files.getFirst());
        AcceleratorRegistry after =
                files.size() > 1 ? session.readRegistry(files.get(1)) : session.loadRegistry(arguments);
        RegistryDifference difference = arguments.has(ALL)
                ? RegistryDifference.between(before, after, _ -> true)
                : RegistryDifference.between(before, after);
        Report.print(arguments, session, () -> json(difference), terminal -> text(difference, terminal));
        return difference.isEmpty() ? ExitCode.OK : ExitCode.NO;
    }

    static String text(RegistryDifference difference, Terminal terminal) {
        if (difference.isEmpty()) {
            return "No difference.\n";
        }
        StringBuilder out = new StringBuilder();
        for (Change change : difference.changes()) {
            out.append(line(change, terminal)).append('\n');
        }
        return out.toString();
    }

    private static String line(Change change, Terminal terminal) {
        String arrow = " " + terminal.arrow() + " ";
        return switch (change) {
            case RegistryDifference.DeviceAdded(AcceleratorProfile profile) ->
                terminal.green("+ device " + describe(profile));
            case RegistryDifference.DeviceRemoved(AcceleratorProfile profile) ->
                terminal.red("- device " + describe(profile));
            case RegistryDifference.TypeChanged c ->
                "~ " + id(c.device()) + " type: " + c.before().display() + arrow
                        + c.after().display();
            case RegistryDifference.AvailabilityChanged c ->
                "~ " + id(c.device()) + (c.nowAvailable() ? " is available again" : " is no longer available");
            case RegistryDifference.FactChanged c ->
                "~ " + id(c.device()) + " " + c.fact().label() + ": " + change(c.before(), c.after(), arrow);
            case RegistryDifference.ItemAdded(String what, String item) ->
                terminal.green("+ " + what + " " + terminal.plain(Printable.of(item)));
            case RegistryDifference.ItemRemoved(String what, String item) ->
                terminal.red("- " + what + " " + terminal.plain(Printable.of(item)));
        };
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

    private static JsonValue json(RegistryDifference difference) {
        return JsonObject.document("difference")
                .put("changes", difference.changes(), DiffCommand::json)
                .build();
    }

    static JsonValue json(Change change) {
        return switch (change) {
            case RegistryDifference.DeviceAdded(AcceleratorProfile profile) ->
                of("device-added", profile.id()).build();
            case RegistryDifference.DeviceRemoved(AcceleratorProfile profile) ->
                of("device-removed", profile.id()).build();
            case RegistryDifference.TypeChanged c ->
                of("type-changed", c.device())
                        .put("before", c.before().display())
                        .put("after", c.after().display())
                        .build();
            case RegistryDifference.AvailabilityChanged c ->
                of("availability-changed", c.device())
                        .put("after", c.nowAvailable())
                        .build();
            case RegistryDifference.FactChanged c ->
                of("fact-changed", c.device())
                        .put("fact", c.fact().key())
                        .put("before", c.before().find(), Quantity::json)
                        .put("after", c.after().find(), Quantity::json)
                        .build();
            case RegistryDifference.ItemAdded(String what, String item) -> item("added", what, item);
            case RegistryDifference.ItemRemoved(String what, String item) -> item("removed", what, item);
        };
    }

    private static JsonObject.Builder of(String change, DeviceId device) {
        return JsonObject.builder().put("change", change).put("device", device.text());
    }

    private static JsonValue item(String change, String what, String item) {
        return JsonObject.builder()
                .put("change", change)
                .put("what", what)
                .put("item", item)
                .build();
    }
}
