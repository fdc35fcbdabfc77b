package dev.muster.detect.nvidia;

import dev.muster.detect.ProbeContext;
import dev.muster.detect.ProbeReport;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.LibraryOutcome;
import java.lang.foreign.Arena;
import java.util.List;

/// Goes through a conversation with NVML without NVML, while the JVM records its start-up cache: on a machine without
/// the driver none of this would be recorded, and the first call through a linker takes longest of all.
public final class NvmlRehearsal {
    private static final List<String> LIBC = List.of("libc.so.6");

    private NvmlRehearsal() {}

    /// Does, in the background, what a first call takes longest for, where a driver is loaded.
    public static void prepare(HostFiles files) {
        if (files.exists("/proc/driver/nvidia/version")) {
            startLinking();
        }
    }

    private static Thread startLinking() {
        return Thread.ofPlatform().daemon().name("muster-link").start(NvmlLibrary::prepare);
    }

    /// Calls a harmless function of the C library in the way of NVML, then asks for facts that it does not have.
    public static void run(ProbeContext context) {
        if (context.host().libraries().find(LIBC, List.of()) instanceof LibraryOutcome.Found(var file)) {
            try (Arena arena = Arena.ofConfined()) {
                NvmlLibrary library = NvmlLibrary.load(file, arena);
                startLinking().join();
                ProbeReport.Builder report = ProbeReport.builder();
                NvidiaSmi smi = new NvidiaSmi(context, report::add);
                NvidiaProbe.join(context, smi, new NvmlSource().rehearse(library), report);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
