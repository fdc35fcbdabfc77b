// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.UsageException;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceSelection;
import dev.muster.core.TopologyNode;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceList;
import dev.muster.plan.catalogue.DeviceTextException;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The hypothetical changes of a machine: `--synthetic` in its place, then `--remove`, then
/// `--replace` or `--add`.
record Hypothesis(
        @Nullable AcceleratorRegistry madeUp,
        @Nullable DeviceSelection removed,
        @Nullable DeviceList replaced,
        @Nullable DeviceList added) {
    /// More than a description has.
    private static final Pattern MANY_HOSTS = Pattern.compile("[0-9]{4,}[xX]\\[");

    /// Reads the options.
    ///
    /// @throws UsageException if one of them cannot be understood
    static Hypothesis of(Arguments arguments) {
        DeviceCatalogue catalogue = Catalogues.devices(arguments);
        Function<String, DeviceList> devices = text -> DeviceList.parse(text, catalogue);
        return new Hypothesis(
                arguments
                        .read(CommonOptions.SYNTHETIC, text -> synthetic(text, catalogue))
                        .orElse(null),
                arguments.read(CommonOptions.REMOVE, DeviceSelection::parse).orElse(null),
                arguments.read(CommonOptions.REPLACE, devices).orElse(null),
                arguments.read(CommonOptions.ADD, devices).orElse(null));
    }

    /// @throws UsageException if there are more hosts than a description may have
    private static AcceleratorRegistry synthetic(String text, DeviceCatalogue catalogue) {
        try {
            return WhatIf.synthetic(text, catalogue);
        } catch (DeviceTextException e) {
            if (MANY_HOSTS.matcher(text).find()) {
                throw new UsageException("--" + CommonOptions.SYNTHETIC.name() + ": " + e.getMessage()
                        + "; for more hosts of one kind, describe one and give their number with --hosts"
                        + " (plan, train, mesh plan)");
            }
            throw e;
        }
    }

    /// Reports whether no machine is asked at all.
    boolean isMadeUp() {
        return madeUp != null;
    }

    /// Returns the synthetic machine, with all other changes.
    AcceleratorRegistry makeUp(Consumer<String> note) {
        if (madeUp == null) {
            throw new IllegalStateException("no machine was made up");
        }
        return apply(madeUp, note);
    }

    /// Applies the changes to a registry.
    ///
    /// @param note gets a line that says so
    /// @throws CommandException if devices should go that are not there
    AcceleratorRegistry apply(AcceleratorRegistry registry, Consumer<String> note) {
        List<String> changes = new ArrayList<>();
        AcceleratorRegistry changed = registry;
        if (madeUp != null) {
            changes.add(describe(madeUp) + " (synthetic)");
        }
        if (removed != null) {
            List<AcceleratorProfile> gone = select(removed, changed);
            changes.add(Count.of(gone.size(), "device") + " removed");
            changed = WhatIf.remove(changed, gone::contains);
        }
        if (replaced != null) {
            changes.add("all accelerators replaced by " + replaced.display());
            changed = WhatIf.replace(changed, replaced);
        }
        if (added != null) {
            changes.add(added.display() + " added");
            changed = WhatIf.add(changed, added);
        }
        note.accept("muster: hypothetical: " + String.join("; ", changes));
        return changed;
    }

    private static List<AcceleratorProfile> select(DeviceSelection selection, AcceleratorRegistry registry) {
        List<String> unmatched = selection.findUnmatched(registry.profiles());
        if (!unmatched.isEmpty()) {
            throw new CommandException("--remove: no device matches '" + Printable.of(unmatched.getFirst())
                    + "'; the registry has " + Count.of(registry.profiles().size(), "device"));
        }
        return selection.select(registry.profiles());
    }

    private static String describe(AcceleratorRegistry registry) {
        long hosts = registry.topology().nodes().stream()
                .filter(TopologyNode.HostNode.class::isInstance)
                .count();
        // By name, since a short one such as a100 may mean another device than intended.
        Map<String, Integer> accelerators = new LinkedHashMap<>();
        for (AcceleratorProfile device : registry.profiles()) {
            if (device.accelerator().kind() != AcceleratorKind.CPU) {
                accelerators.merge(device.deviceName().find().orElse("?"), 1, Integer::sum);
            }
        }
        List<String> counted = new ArrayList<>();
        accelerators.forEach((name, count) -> counted.add(count + " x " + Printable.of(name)));
        return Count.of(hosts, "host") + (counted.isEmpty() ? "" : " with " + String.join(", ", counted));
    }
}
