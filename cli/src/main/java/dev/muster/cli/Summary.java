package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;

/// What stands below a table of devices: totals, interconnects, and what could not be learned.
final class Summary {
    private Summary() {}

    static String of(AcceleratorRegistry registry, Terminal terminal) {
        StringBuilder out = new StringBuilder("\n");
        out.append(totals(registry)).append('\n');
        for (Interconnect item : registry.systemIo().interconnects()) {
            out.append("  ").append(item.kind().display()).append(' ');
            out.append(Printable.of(item.name())).append(": ").append(Quantity.of(item.bandwidth()));
            item.state()
                    .find()
                    .ifPresent(state ->
                            out.append(" (").append(Printable.of(state)).append(')'));
            out.append('\n');
        }
        if (!registry.gaps().isEmpty()) {
            out.append(terminal.bold("Not learned:")).append('\n');
            for (Gap gap : registry.gaps()) {
                out.append("  ").append(Printable.of(gap.display())).append('\n');
            }
        }
        return out.toString();
    }

    private static String totals(AcceleratorRegistry registry) {
        List<String> families = new ArrayList<>();
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            int count = registry.byFamily(family).size();
            if (family != AcceleratorFamily.CPU && count > 0) {
                families.add(count + " " + family.display());
            }
        }
        if (families.isEmpty()) {
            return "No accelerator, only a CPU.";
        }
        return String.join(", ", families) + " with " + acceleratorMemory(registry) + ".";
    }

    private static String acceleratorMemory(AcceleratorRegistry registry) {
        try {
            Bytes total = registry.totalAcceleratorMemory();
            return Quantity.of(total) + " of memory";
        } catch (ArithmeticException _) {
            return "more memory than can be counted";
        }
    }
}
