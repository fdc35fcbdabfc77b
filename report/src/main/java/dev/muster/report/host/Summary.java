// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.host;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceUsability;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.unit.Bytes;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.List;

/// The text below a table of devices: totals, interconnects, and gaps.
public final class Summary {
    private Summary() {}

    public static String of(AcceleratorRegistry registry, Terminal terminal) {
        StringBuilder out = new StringBuilder("\n");
        terminal.wrap(out, "", 0, totals(registry));
        List<Interconnect> interconnects = registry.systemIo().interconnects();
        for (int first = 0; first < interconnects.size(); ) {
            int next = first + 1;
            while (next < interconnects.size() && isAlike(interconnects.get(first), interconnects.get(next))) {
                next++;
            }
            terminal.wrap(out, "  ", 4, terminal.plain(describe(interconnects.subList(first, next))));
            first = next;
        }
        section(out, "Problems:", problems(registry), terminal);
        section(out, "Not detected:", gaps(registry, false), terminal);
        section(out, "Sources disagree (the first one is used):", gaps(registry, true), terminal);
        return out.toString();
    }

    private static List<String> problems(AcceleratorRegistry registry) {
        List<String> lines = new ArrayList<>();
        for (AcceleratorProfile device : registry.profiles()) {
            for (DeviceUsability.Reason fault : DeviceUsability.of(device).faults()) {
                lines.add(device.id().text() + " " + fault.words());
            }
        }
        return lines;
    }

    private static List<String> gaps(AcceleratorRegistry registry, boolean conflicts) {
        List<String> lines = new ArrayList<>();
        for (Gap gap : registry.gaps()) {
            if (gap instanceof Gap.Conflict == conflicts) {
                lines.add(gap.display());
            }
        }
        return lines;
    }

    private static void section(StringBuilder out, String title, List<String> lines, Terminal terminal) {
        out.append(lines.isEmpty() ? "" : terminal.bold(title) + "\n");
        for (String line : lines) {
            terminal.wrap(out, "  ", 4, terminal.plain(Printable.withoutControls(line)));
        }
    }

    /// Compares part by part, see docs/decisions/0004.
    private static boolean isAlike(Interconnect a, Interconnect b) {
        return a.kind() == b.kind() && rate(a).equals(rate(b)) && state(a).equals(state(b));
    }

    private static String state(Interconnect item) {
        return item.state().find().map(text -> " (" + Printable.of(text) + ")").orElse("");
    }

    /// Returns one interconnect, or several that are alike: an eight-GPU machine has dozens.
    private static String describe(List<Interconnect> alike) {
        Interconnect first = alike.getFirst();
        String kind = first.kind().display();
        String name = Printable.of(first.name().startsWith(kind) ? first.name() : kind + " " + first.name());
        String rate = rate(first);
        if (alike.size() == 1) {
            return name + ": " + rate + state(first);
        }
        String last = Printable.of(alike.getLast().name());
        return name + (alike.size() == 2 ? " and " : " to ") + last + ": " + rate + " each" + state(first);
    }

    private static String totals(AcceleratorRegistry registry) {
        List<AcceleratorProfile> whole = registry.wholeDevices();
        List<String> families = new ArrayList<>();
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            long count = whole.stream()
                    .filter(profile -> profile.accelerator().family() == family)
                    .count();
            if (family != AcceleratorFamily.CPU && count > 0) {
                families.add(count + " " + family.display() + (count == 1 ? "" : "s"));
            }
        }
        if (families.isEmpty()) {
            return registry.profiles().isEmpty() ? "No device." : none(registry);
        }
        return String.join(", ", families) + " with " + acceleratorMemory(whole) + ".";
    }

    private static String none(AcceleratorRegistry registry) {
        boolean some = registry.profiles().stream()
                .anyMatch(profile -> profile.accelerator().family() != AcceleratorFamily.CPU);
        return some ? "No accelerator is available." : "No accelerator, only a CPU.";
    }

    private static String acceleratorMemory(List<AcceleratorProfile> whole) {
        List<AcceleratorProfile> accelerators = whole.stream()
                .filter(profile -> profile.accelerator().family() != AcceleratorFamily.CPU)
                .toList();
        long silent = accelerators.stream()
                .filter(profile -> !profile.usableMemory().isKnown())
                .count();
        if (silent == accelerators.size()) {
            return "unknown memory";
        }
        String rest = silent == 0 ? "" : ", " + silent + " of unknown memory";
        try {
            return Quantity.of(usable(accelerators)) + " of memory" + rest;
        } catch (ArithmeticException _) {
            return "more memory than can be counted" + rest;
        }
    }

    /// The memory of all; what several of them share with the host counts once.
    private static Bytes usable(List<AcceleratorProfile> accelerators) {
        Bytes own = Bytes.ZERO;
        Bytes shared = Bytes.ZERO;
        for (AcceleratorProfile device : accelerators) {
            Bytes memory = device.usableMemory().find().orElse(Bytes.ZERO);
            if (!device.sharesHostMemory()) {
                own = own.plus(memory);
            } else if (memory.compareTo(shared) > 0) {
                shared = memory;
            }
        }
        return own.plus(shared);
    }

    private static String rate(Interconnect item) {
        return item.bandwidth().find().map(Quantity::of).orElse("unknown rate");
    }
}
