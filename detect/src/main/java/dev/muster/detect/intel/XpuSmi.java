package dev.muster.detect.intel;

import dev.muster.core.Gap;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Asks Intel's `xpu-smi`. Baidu's tool of the same name answers otherwise and is not believed. Once a run of it took
/// too long, nothing more is asked. Confined to one thread.
final class XpuSmi {
    static final Tool TOOL = Tool.of("xpu-smi");

    /// What one device's details may cost; an answer takes about half a second.
    private static final Duration ENOUGH = Duration.ofSeconds(1);

    private final ProbeContext context;
    private final Consumer<Gap> gaps;
    private final List<Gap> refusals = new ArrayList<>();
    private boolean timedOut;

    XpuSmi(ProbeContext context, Consumer<Gap> gaps) {
        this.context = context;
        this.gaps = gaps;
    }

    /// The devices that the tool lists, with memory where any of its forms tells it.
    List<XpuSmiDevice> list() {
        Optional<List<XpuSmiDevice>> listed = ask(XpuSmiJsonParser::parse, "discovery", "-j");
        Optional<List<XpuSmiDevice>> dumped = ask(XpuSmiDumpParser::parse, "discovery", "--dump", "1,2,8,11,16");
        if (listed.isEmpty() && dumped.isEmpty()) {
            // What ai-hwaccel asks; believed only where a column says that it is memory.
            dumped = ask(XpuSmiDumpParser::parse, "discovery", "--dump", "1,2,18,19");
        }
        if (listed.isEmpty() && dumped.isEmpty()) {
            refusals.forEach(gaps);
            return List.of();
        }
        List<XpuSmiDevice> second = dumped.orElse(List.of());
        return listed.map(first -> complete(first, second)).orElse(second).stream()
                .filter(XpuSmiDevice::isIntel)
                .map(this::withDetails)
                .toList();
    }

    /// How the tiles are joined.
    Optional<XpuSmiTopology> findTopology() {
        return ask(XpuSmiTopologyParser::parse, "topology", "-m");
    }

    private XpuSmiDevice withDetails(XpuSmiDevice device) {
        if (context.deadline().remaining().compareTo(ENOUGH) < 0) {
            return device;
        }
        return ask(XpuSmiTableParser::parse, "discovery", "-d", Long.toString(device.id()))
                .map(detailed -> complete(List.of(device), detailed).getFirst())
                .orElse(device);
    }

    private static List<XpuSmiDevice> complete(List<XpuSmiDevice> first, List<XpuSmiDevice> second) {
        return first.stream()
                .map(device -> second.stream()
                        .filter(other -> other.id() == device.id())
                        .findFirst()
                        .map(device::with)
                        .orElse(device))
                .toList();
    }

    private <T> Optional<T> ask(Function<String, Optional<T>> parser, String... arguments) {
        if (timedOut) {
            return Optional.empty();
        }
        CommandOutcome outcome = context.run(TOOL, arguments);
        if (outcome instanceof CommandOutcome.TimedOut) {
            timedOut = true;
            outcome.findGap(TOOL.name()).ifPresent(gaps);
        }
        if (!(outcome instanceof CommandOutcome.Completed completed) || !outcome.isSuccess()) {
            outcome.findGap(TOOL.name()).ifPresent(refusals::add);
            return Optional.empty();
        }
        Optional<T> answer = parser.apply(completed.output());
        if (answer.isEmpty()) {
            refusals.add(new Gap.Unparsable(
                    IntelGpuProbe.NAME,
                    "xpu-smi " + String.join(" ", arguments) + " printed something that Intel's does not print"));
        }
        return answer;
    }
}
