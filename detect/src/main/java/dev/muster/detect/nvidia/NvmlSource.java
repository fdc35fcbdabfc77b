// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.normalise.ProfileMerge;
import dev.muster.detect.probe.ProbeContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Asks NVML about all GPUs of the machine. Confined to one thread, as [NvidiaAnswer.Source] is asked once.
public final class NvmlSource implements NvidiaAnswer.Source {
    static final String NAME = "NVML";

    private static final List<String> FILES = List.of("libnvidia-ml.so.1");
    /// The folders of drivers' libraries beside the usual ones.
    public static final List<String> FOLDERS = List.of(
            "/usr/lib/wsl/lib",
            "/usr/local/nvidia/lib64",
            "/usr/lib/x86_64-linux-gnu/nvidia/current",
            "/usr/lib/aarch64-linux-gnu/nvidia/current",
            "/run/opengl-driver/lib");
    private static final int MAX_DEVICES = 1024;
    private static final int TEXT = 96;
    private static final int CLOCK_SM = 1;
    private static final int CLOCK_MEMORY = 2;
    private static final double PERCENT = 100.0;
    private static final int CUDA_MAJOR = 1000;
    private static final int CUDA_MINOR = 10;

    /// Each GPU is asked on a thread of its own: the driver answers one after the other about one GPU only.
    private static final int MOST_AT_ONCE = 16;

    private boolean asksTelemetry;
    private Provenance source = Provenance.of(NAME, Provenance.Method.NATIVE, Provenance.Confidence.MEASURED);
    private Consumer<Gap> gaps = _ -> {};
    private final List<AcceleratorProfile> profiles = new ArrayList<>();
    private final Map<Integer, List<NvmlNvlink.ActiveLink>> links = new HashMap<>();

    /// Begins in the background what takes longest, where the driver is loaded.
    static void prepare(Host host) {
        if (host.files().exists("/proc/driver/nvidia/version")) {
            NvmlSession.begin(() -> host.libraries().find(FILES, FOLDERS) instanceof HostAnswer.Found<Path> found
                    ? Optional.of(found.content())
                    : Optional.empty());
        }
    }

    @Override
    public NvidiaAnswer ask(ProbeContext context, NvidiaSmi smi, Consumer<Gap> told) {
        source = context.fromLibrary(NAME);
        gaps = told;
        asksTelemetry = context.asksTelemetry();
        // Not a switch: one over types makes classes at start-up (docs/decisions/0004).
        HostAnswer<Path> outcome = context.host().libraries().find(FILES, FOLDERS);
        if (outcome instanceof HostAnswer.Found<Path> found) {
            return ask(found.content());
        }
        return outcome instanceof HostAnswer.NotPermitted<Path> refused
                ? failed(refused.reason())
                : new NvidiaAnswer.NotAsked();
    }

    private NvidiaAnswer failed(String message) {
        gaps.accept(new Gap.Unparsable(NAME, message));
        return new NvidiaAnswer.Refused(message);
    }

    private NvidiaAnswer ask(Path file) {
        try (NvmlSession session = NvmlSession.open(file)) {
            NvidiaAnswer answer = read(session.library());
            if (Thread.currentThread().isInterrupted()) {
                session.lose();
            }
            return answer;
        } catch (NvmlSession.Refused e) {
            return failed(String.valueOf(e.getMessage()));
        }
    }

    /// Asks about a device whose handle is 0.
    NvidiaAnswer warmUp(NvmlLibrary library) {
        try (NvmlSession session = NvmlSession.warmUp(library)) {
            Reading<String> unknown = driverVersion(library);
            readDevice(session.library(), 0, new NvmlDevice(library, 0, source), unknown, unknown);
            return new NvidiaAnswer.Devices(profiles, NvmlNvlink.topology(profiles, links));
        } catch (NvmlSession.Refused e) {
            return failed(String.valueOf(e.getMessage()));
        }
    }

    private NvidiaAnswer read(NvmlLibrary nvml) {
        Reading<String> driver = driverVersion(nvml);
        Reading<String> cuda = cudaVersion(nvml);
        int status = nvml.call("nvmlDeviceGetCount_v2", nvml.address(0));
        if (status != NvmlLibrary.SUCCESS) {
            return failed("nvmlDeviceGetCount_v2: " + NvmlStatus.text(status));
        }
        int count = Math.min(nvml.intAt(0), MAX_DEVICES);
        for (int first = 0; first < count; first += MOST_AT_ONCE) {
            readDevices(nvml, first, Math.min(count, first + MOST_AT_ONCE), driver, cuda);
        }
        return new NvidiaAnswer.Devices(profiles, NvmlNvlink.topology(profiles, links));
    }

    /// One GPU needs no thread of its own, and there is none for the first.
    private void readDevices(NvmlLibrary nvml, int from, int to, Reading<String> driver, Reading<String> cuda) {
        List<OneGpu> others = new ArrayList<>();
        for (int i = from + 1; i < to; i++) {
            others.add(new OneGpu(nvml, i, driver, cuda));
        }
        readDevice(nvml, from, driver, cuda);
        for (OneGpu other : others) {
            other.addTo(this);
        }
    }

    private void readDevice(NvmlLibrary nvml, int index, Reading<String> driver, Reading<String> cuda) {
        int status = nvml.call("nvmlDeviceGetHandleByIndex_v2", index, nvml.address(0));
        if (status == NvmlLibrary.SUCCESS) {
            readDevice(nvml, index, new NvmlDevice(nvml, nvml.longAt(0), source), driver, cuda);
        } else {
            // The bus still knows the device: it is reported from there.
            gaps.accept(new Gap.Unparsable(NAME, "GPU " + index + ": " + NvmlStatus.text(status)));
        }
    }

    /// One of several GPUs, asked beside the others.
    private final class OneGpu {
        private final NvmlSource answer = new NvmlSource();
        private final List<Gap> told = new ArrayList<>();
        private final Thread thread;

        OneGpu(NvmlLibrary nvml, int index, Reading<String> driver, Reading<String> cuda) {
            answer.source = source;
            answer.gaps = told::add;
            answer.asksTelemetry = asksTelemetry;
            thread = Thread.ofPlatform().daemon().name("muster-nvml-" + index).start(() -> {
                try (NvmlLibrary own = nvml.withOwnScratch()) {
                    answer.readDevice(own, index, driver, cuda);
                }
            });
        }

        /// All threads hang together when the driver hangs; the detection's deadline ends the wait for them.
        void addTo(NvmlSource all) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
            all.profiles.addAll(answer.profiles);
            all.links.putAll(answer.links);
            told.forEach(all.gaps);
        }
    }

    private Reading<String> driverVersion(NvmlLibrary nvml) {
        return nvml.ask(source, "nvmlSystemGetDriverVersion", () -> nvml.textAt(0, TEXT), nvml.address(0), TEXT);
    }

    private Reading<String> cudaVersion(NvmlLibrary nvml) {
        return nvml.ask(source, "nvmlSystemGetCudaDriverVersion_v2", () -> nvml.intAt(0), nvml.address(0))
                .map(version -> version / CUDA_MAJOR + "." + version % CUDA_MAJOR / CUDA_MINOR);
    }

    private void readDevice(
            NvmlLibrary nvml, int index, NvmlDevice device, Reading<String> driver, Reading<String> cuda) {
        AcceleratorType type = AcceleratorType.of(AcceleratorKind.CUDA_GPU, index);
        AcceleratorProfile.ProfileBuilder profile = AcceleratorProfile.builder(type);
        // The driver answers about one GPU one after the other, but what is made of its answers takes time too: half
        // of them are asked for beside the other half.
        try (LoadQuery load = new LoadQuery(nvml, device, type)) {
            profile.with(DeviceFact.DRIVER_VERSION, driver).with(DeviceFact.RUNTIME_VERSION, cuda);
            Reading<String> capability = device.computeCapability();
            profile.with(DeviceFact.COMPUTE_CAPABILITY, capability);
            identity(device, profile);
            memory(device, profile);
            limits(device, capability, profile);
            NvmlNvlink.Links found = NvmlNvlink.list(nvml, device);
            fabric(found, profile);
            links.put(index, found.active());
            profile.with(DeviceFact.HEALTH, Reading.known("ok", source));
            new NvmlFabric(nvml, source).read(device.handle(), profile);
            Reading<Boolean> mig = device.isOn("nvmlDeviceGetMigMode");
            profile.with(DeviceFact.PARTITIONING, mig.map(on -> on ? "MIG" : "none"));
            if (asksTelemetry) {
                NvmlTelemetry.read(device, mig.find().orElse(false), profile);
            }
            AcceleratorProfile built = ProfileMerge.merge(profile.build(), load.profile(), gaps);
            profiles.add(built);
            if (mig.find().orElse(false)) {
                readPartitions(nvml, device, built);
            }
        }
    }

    /// Asks about the load of a device on a thread of its own.
    private final class LoadQuery implements AutoCloseable {
        private final AcceleratorProfile.ProfileBuilder profile;
        private final Thread thread;

        LoadQuery(NvmlLibrary nvml, NvmlDevice device, AcceleratorType type) {
            this.profile = AcceleratorProfile.builder(type);
            this.thread = Thread.ofPlatform().daemon().name("muster-nvml").start(() -> {
                try (NvmlLibrary own = nvml.withOwnScratch()) {
                    load(new NvmlDevice(own, device.handle(), source), profile);
                }
            });
        }

        AcceleratorProfile profile() {
            close();
            return profile.build();
        }

        /// Both threads hang together when the driver hangs; the detection's deadline ends the wait for them.
        @Override
        public void close() {
            try {
                thread.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void identity(NvmlDevice device, AcceleratorProfile.ProfileBuilder profile) {
        NvmlDevice.Pci pci = device.pci();
        profile.with(DeviceFact.DEVICE_NAME, device.text("nvmlDeviceGetName", TEXT))
                .with(DeviceFact.UUID, device.text("nvmlDeviceGetUUID", TEXT))
                .with(DeviceFact.PCI_ADDRESS, pci.address())
                .with(DeviceFact.PCI_ID, pci.id())
                .with(
                        DeviceFact.ARCHITECTURE,
                        device.number("nvmlDeviceGetArchitecture").map(NvidiaArchitecture::name))
                .with(DeviceFact.FIRMWARE_VERSION, device.text("nvmlDeviceGetVbiosVersion", TEXT))
                .with(DeviceFact.VIRTUALIZATION, device.virtualization());
    }

    private void memory(NvmlDevice device, AcceleratorProfile.ProfileBuilder profile) {
        NvmlDevice.Memory memory = device.memory();
        Reading<Hertz> clock = maxClock(device, CLOCK_MEMORY);
        profile.with(DeviceFact.MEMORY, memory.total())
                .with(DeviceFact.MEMORY_RESERVED, memory.reserved())
                .with(DeviceFact.MEMORY_FREE, memory.free())
                .with(DeviceFact.MEMORY_USED, memory.used())
                .with(DeviceFact.MEMORY_CLOCK_MAX, clock)
                .with(DeviceFact.MEMORY_BANDWIDTH, bandwidth(clock, device.steady("nvmlDeviceGetMemoryBusWidth")));
    }

    /// The driver counts the clock so that two transfers happen per cycle, for HBM and GDDR alike.
    private static Reading<Bandwidth> bandwidth(Reading<Hertz> clock, Reading<Long> busWidth) {
        if (clock instanceof Reading.Known<Hertz>(Hertz hertz, var _)
                && busWidth instanceof Reading.Known<Long>(Long bits, Provenance from)) {
            Provenance derived = Provenance.of(
                    from.source() + ": memory clock and bus width",
                    Provenance.Method.DERIVED,
                    Provenance.Confidence.STATED);
            return Reading.known(new Bandwidth(Math.round(hertz.toMegahertz() * bits * 2 / 8 / 100) / 10.0), derived);
        }
        return Reading.notSupported("NVML reports no clock or bus width");
    }

    private void load(NvmlDevice device, AcceleratorProfile.ProfileBuilder profile) {
        profile.with(DeviceFact.UTILIZATION, device.utilization().map(percent -> new Ratio(percent / PERCENT)))
                .with(DeviceFact.TEMPERATURE, device.temperature())
                .with(DeviceFact.MEMORY_TEMPERATURE, device.memoryTemperature())
                .with(DeviceFact.POWER, device.milliwatts("nvmlDeviceGetPowerUsage"))
                .with(DeviceFact.CLOCK, device.megahertz("nvmlDeviceGetClockInfo", CLOCK_SM))
                .with(DeviceFact.PCIE_GENERATION, device.number("nvmlDeviceGetCurrPcieLinkGeneration"))
                .with(DeviceFact.PCIE_WIDTH, device.number("nvmlDeviceGetCurrPcieLinkWidth"))
                .with(DeviceFact.THROTTLING, device.throttling())
                .with(DeviceFact.PROCESSES, asksTelemetry ? device.processesWithLoad() : device.processes())
                .with(DeviceFact.MEMORY_CLOCK, device.megahertz("nvmlDeviceGetClockInfo", CLOCK_MEMORY))
                .with(DeviceFact.ECC, device.isOn("nvmlDeviceGetEccMode"))
                .with(DeviceFact.ECC_CORRECTED, device.eccErrors(0))
                .with(DeviceFact.ECC_UNCORRECTED, device.eccErrors(1));
        new NvmlHealth(device).read(profile);
    }

    private static void limits(
            NvmlDevice device, Reading<String> capability, AcceleratorProfile.ProfileBuilder profile) {
        profile.with(DeviceFact.POWER_LIMIT, device.milliwatts("nvmlDeviceGetEnforcedPowerLimit"))
                .with(DeviceFact.CLOCK_MAX, maxClock(device, CLOCK_SM))
                .with(DeviceFact.PCIE_GENERATION_MAX, device.steady("nvmlDeviceGetMaxPcieLinkGeneration"))
                .with(DeviceFact.PCIE_WIDTH_MAX, device.steady("nvmlDeviceGetMaxPcieLinkWidth"))
                .with(DeviceFact.COMPUTE_UNITS, computeUnits(device, capability));
    }

    private static Reading<Hertz> maxClock(NvmlDevice device, long clock) {
        return device.steady("nvmlDeviceGetMaxClockInfo", clock).map(Hertz::ofMegahertz);
    }

    private static Reading<Long> computeUnits(NvmlDevice device, Reading<String> capability) {
        Reading<Long> cores = device.steady("nvmlDeviceGetNumGpuCores");
        long perUnit = capability
                .find()
                .flatMap(NvidiaArchitecture::coresPerMultiprocessor)
                .orElse(0L);
        Reading<Long> units = cores.map(count -> count / Math.max(1, perUnit));
        return perUnit > 0 ? units : Reading.notSupported("cores per multiprocessor not known");
    }

    private void fabric(NvmlNvlink.Links found, AcceleratorProfile.ProfileBuilder profile) {
        List<NvmlNvlink.ActiveLink> active = found.active();
        if (active.isEmpty()) {
            profile.with(DeviceFact.FABRIC_LINKS, Reading.notSupported("NVML lists no NVLink that is up"));
            return;
        }
        profile.with(DeviceFact.FABRIC_LINKS, Reading.known((long) active.size(), source))
                .with(DeviceFact.FABRIC_LINKS_DOWN, Reading.known((long) found.inactive(), source));
        double rate = 0;
        for (NvmlNvlink.ActiveLink link : active) {
            rate += link.gigabytesPerSecond();
        }
        if (rate > 0) {
            profile.with(DeviceFact.FABRIC_BANDWIDTH, Reading.known(new Bandwidth(rate), source));
        }
    }

    private void readPartitions(NvmlLibrary nvml, NvmlDevice parent, AcceleratorProfile whole) {
        long most = parent.number("nvmlDeviceGetMaxMigDeviceCount").find().orElse(0L);
        for (int i = 0; i < most; i++) {
            if (nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", parent.handle(), i, nvml.address(0))
                    == NvmlLibrary.SUCCESS) {
                readPartition(new NvmlDevice(nvml, nvml.longAt(0), source), whole);
            }
        }
    }

    private void readPartition(NvmlDevice device, AcceleratorProfile whole) {
        Reading<String> uuid = device.text("nvmlDeviceGetUUID", TEXT);
        Reading<String> name = device.text("nvmlDeviceGetName", TEXT);
        long instance = device.number("nvmlDeviceGetGpuInstanceId").find().orElse(0L);
        long compute = device.number("nvmlDeviceGetComputeInstanceId").find().orElse(0L);
        String id = uuid.find().orElse("gi" + instance + ".ci" + compute);
        NvmlDevice.Memory memory = device.memory();
        Reading<Bytes> total = memory.total();
        profiles.add(AcceleratorProfile.builder(whole.accelerator())
                .partition(new Partition(
                        whole.id(), id, name.find().map(NvmlSource::shape).orElse("")))
                .with(DeviceFact.DEVICE_NAME, name)
                .with(DeviceFact.UUID, uuid)
                .with(DeviceFact.MEMORY, total)
                .with(DeviceFact.MEMORY_RESERVED, memory.reserved())
                .with(DeviceFact.MEMORY_FREE, memory.free())
                .with(DeviceFact.MEMORY_USED, memory.used())
                .with(DeviceFact.DRIVER_VERSION, whole.reading(DeviceFact.DRIVER_VERSION))
                .with(DeviceFact.COMPUTE_CAPABILITY, whole.reading(DeviceFact.COMPUTE_CAPABILITY))
                .with(DeviceFact.PROCESSES, device.processes())
                .build());
    }

    /// The kind of a MIG device: `1g.18gb` of `NVIDIA H200 MIG 1g.18gb`, or the whole name where it has no such part.
    private static String shape(String name) {
        int mark = name.lastIndexOf("MIG ");
        return mark < 0 ? name : name.substring(mark + 4).strip();
    }
}
