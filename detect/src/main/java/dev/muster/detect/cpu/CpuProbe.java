// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.MeminfoParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Finds the host's processor: there always is one, even if all its facts are unknown.
public final class CpuProbe {
    private static final String MEMINFO = "/proc/meminfo";
    private static final int MAX_MEMINFO = 64 << 10;
    private static final String CPUINFO = "/proc/cpuinfo";
    private static final Tool SYSCTL = Tool.of("sysctl");
    private static final String PERMISSION = "permission denied";
    /// A machine of a thousand processors has some 1.5 MB here.
    private static final int MAX_CPUINFO = 8 << 20;

    private static final long MAX_THREADS = 1 << 16;

    private static final String NODES = "/sys/devices/system/node/node";

    private final List<Long> deviceMemory;

    /// A probe of a host whose memory is all its own.
    public CpuProbe() {
        this(List.of());
    }

    /// A probe of a host that counts memory of its devices with its own.
    ///
    /// @param deviceMemory the NUMA nodes that are memory of devices
    public CpuProbe(List<Long> deviceMemory) {
        this.deviceMemory = List.copyOf(deviceMemory);
    }

    /// Asks the host.
    public ProbeReport probe(ProbeContext context) {
        return context.host().system() == OperatingSystem.WINDOWS
                ? new WindowsCpuProbe(context).probe()
                : probeFiles(context);
    }

    private ProbeReport probeFiles(ProbeContext context) {
        List<Gap> gaps = new ArrayList<>();
        AcceleratorProfile.ProfileBuilder cpu = AcceleratorProfile.builder(AcceleratorType.cpu());
        Source memory = new Source(context, MEMINFO, MAX_MEMINFO, gaps);
        cpu.with(
                DeviceFact.MEMORY,
                withoutProc(context, memory, "hw.memsize", text -> Amount.bytes(text, "B"))
                        .orElseGet(() -> withoutDevices(context, memory.bytes("MemTotal"), "MemTotal")));
        cpu.with(DeviceFact.MEMORY_FREE, withoutDevices(context, memory.bytes("MemAvailable"), "MemFree"));
        Source processor = new Source(context, CPUINFO, MAX_CPUINFO, gaps);
        CpuinfoParser.Cpu info = CpuinfoParser.parse(processor.text());
        cpu.with(
                DeviceFact.DEVICE_NAME,
                withoutProc(context, processor, "machdep.cpu.brand_string", Optional::of)
                        .orElseGet(() -> processor.reading(info.findModelName())));
        cpu.with(
                DeviceFact.THREADS,
                withoutProc(context, processor, "hw.logicalcpu", CpuProbe::count)
                        .orElseGet(() -> processor.reading(info.countThreads())));
        cpu.with(DeviceFact.EXTENSIONS, processor.reading(Extensions.findNamed(info.flags())));
        CpuFolders folders = new CpuFolders(context, gaps::add);
        Reading<Long> cores = withoutProc(context, processor, "hw.physicalcpu", CpuProbe::count)
                .orElseGet(() -> processor.reading(info.countCores()));
        cpu.with(DeviceFact.COMPUTE_UNITS, info.cores() > 0 ? cores : known(folders.cores(), cores));
        Reading<Long> sockets = processor.reading(info.countSockets());
        cpu.with(DeviceFact.SOCKETS, info.sockets() > 0 ? sockets : known(folders.sockets(), sockets));
        cpu.with(DeviceFact.LAST_CACHE, folders.lastCache());
        cpu.with(DeviceFact.CLOCK_MAX, folders.clockMax());
        cpu.with(DeviceFact.CORE_KINDS, folders.coreKinds());
        cpu.with(DeviceFact.MEMORY_CHANNELS, new MemoryChannels(context, gaps::add).count());
        ProbeReport.ReportBuilder report = ProbeReport.builder().add(cpu.build());
        gaps.forEach(report::add);
        return report.build();
    }

    /// The kernel's sum without what devices have of it.
    ///
    /// @param key a node's key of its share
    private Reading<Bytes> withoutDevices(ProbeContext context, Reading<Bytes> all, String key) {
        Reading<Bytes> own = all;
        for (long node : deviceMemory) {
            Bytes share = context.files()
                    .findText(NODES + node + "/meminfo", MAX_MEMINFO)
                    .flatMap(text -> MeminfoParser.find(text, key))
                    .orElse(Bytes.ZERO);
            own = own.map(sum -> sum.compareTo(share) > 0 ? sum.minus(share) : sum);
        }
        return own;
    }

    /// The answer of a system without `/proc`, such as macOS.
    private static <T> Optional<Reading<T>> withoutProc(
            ProbeContext context, Source source, String key, Function<String, Optional<T>> parse) {
        return source.isMissing()
                ? context.run(SYSCTL, "-n", key)
                        .findOutput()
                        .map(String::strip)
                        .filter(text -> !text.isEmpty())
                        .flatMap(parse)
                        .map(value -> Reading.known(value, context.fromTool(SYSCTL)))
                : Optional.empty();
    }

    private static Optional<Long> count(String text) {
        return Amount.count(text, MAX_THREADS);
    }

    private static <T> Reading<T> known(Reading<T> first, Reading<T> otherwise) {
        return first.isKnown() ? first : otherwise;
    }

    /// One file, read once; facts are looked up in it.
    private static final class Source {
        private final HostAnswer<String> outcome;
        private final Provenance provenance;

        Source(ProbeContext context, String path, int maxBytes, List<Gap> gaps) {
            this.outcome = context.files().read(path, maxBytes);
            this.provenance = context.fromFile(path);
            if (outcome instanceof HostAnswer.Unreadable(String message)) {
                gaps.add(new Gap.FileUnreadable(path, message));
            } else if (outcome instanceof HostAnswer.NotPermitted<String>) {
                gaps.add(new Gap.FileUnreadable(path, PERMISSION));
            }
        }

        boolean isMissing() {
            return outcome instanceof HostAnswer.Missing<String>;
        }

        Reading<Bytes> bytes(String key) {
            return reading(MeminfoParser.find(text(), key));
        }

        /// The text; blank where there is none.
        String text() {
            return outcome instanceof HostAnswer.Found(String text) ? text : "";
        }

        /// Returns the value found in the text, or the reason for its absence.
        <T> Reading<T> reading(Optional<T> found) {
            String source = provenance.source();
            if (outcome instanceof HostAnswer.Found<String>) {
                return found.isPresent()
                        ? Reading.known(found.get(), provenance)
                        : Reading.notSupported(source + " does not report it");
            }
            if (outcome instanceof HostAnswer.Unreadable(String message)) {
                return Reading.unknown(UnknownReason.UNREADABLE, source + ": " + message);
            }
            if (outcome instanceof HostAnswer.NotPermitted<String>) {
                return Reading.unknown(UnknownReason.NOT_PERMITTED, source + ": " + PERMISSION);
            }
            return Reading.notSupported(source + " does not exist");
        }
    }
}
