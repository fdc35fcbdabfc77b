package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import java.util.ArrayList;
import java.util.List;

/// What stands below a table of devices: totals, interconnects, and what could not be learned.
final class Summary {
    private Summary() {}

    static String of(AcceleratorRegistry registry, Terminal terminal) {
        StringBuilder out = new StringBuilder("\n");
        terminal.wrap(out, "", 0, totals(registry));
        for (Interconnect item : registry.systemIo().interconnects()) {
            String state = item.state()
                    .find()
                    .map(text -> " (" + Printable.of(text) + ")")
                    .orElse("");
            String rate = item.bandwidth().find().map(Quantity::of).orElse("unknown rate");
            String name = item.kind().display() + " " + Printable.of(item.name());
            terminal.wrap(out, "  ", 4, terminal.plain(name + ": " + rate + state));
        }
        if (!registry.gaps().isEmpty()) {
            out.append(terminal.bold("Not learned:")).append('\n');
            for (Gap gap : registry.gaps()) {
                terminal.wrap(out, "  ", 4, terminal.plain(Printable.of(gap.display())));
            }
        }
        return out.toString();
    }

    private static String totals(AcceleratorRegistry registry) {
        List<AcceleratorProfile> whole = registry.available().stream()
                .filter(profile -> profile.partition().isEmpty())
                .toList();
        List<String> families = new ArrayList<>();
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            long count = whole.stream()
                    .filter(profile -> profile.accelerator().family() == family)
                    .count();
            if (family != AcceleratorFamily.CPU && count > 0) {
                families.add(count + " " + family.display());
            }
        }
        if (families.isEmpty()) {
            return registry.profiles().isEmpty() ? "No device." : none(registry);
        }
        return String.join(", ", families) + " with " + acceleratorMemory(registry, whole) + ".";
    }

    private static String none(AcceleratorRegistry registry) {
        boolean some = registry.profiles().stream()
                .anyMatch(profile -> profile.accelerator().family() != AcceleratorFamily.CPU);
        return some ? "No accelerator is available." : "No accelerator, only a CPU.";
    }

    private static String acceleratorMemory(AcceleratorRegistry registry, List<AcceleratorProfile> whole) {
        List<AcceleratorProfile> accelerators = whole.stream()
                .filter(profile -> profile.accelerator().family() != AcceleratorFamily.CPU)
                .toList();
        long silent = accelerators.stream()
                .filter(profile -> !profile.memory().isKnown())
                .count();
        if (silent == accelerators.size()) {
            return "unknown memory";
        }
        String rest = silent == 0 ? "" : ", " + silent + " of unknown memory";
        try {
            return Quantity.of(registry.totalAcceleratorMemory()) + " of memory" + rest;
        } catch (ArithmeticException _) {
            return "more memory than can be counted" + rest;
        }
    }
}
