// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A made-up recording: eight GPUs under a load that comes and goes, a sample every two seconds.
public final class LoadRecording {
    private static final Path MACHINE =
            Path.of("src/test/resources/fixtures/registry/h100x8-nvswitch-nic8__synthetic.own.json");
    private static final Instant START = Instant.parse("2026-11-15T08:30:00Z");
    private static final long SECONDS = 2;

    private LoadRecording() {}

    /// Writes so many samples, a line each.
    public static Path write(Path file, int samples) throws IOException {
        StringBuilder lines = new StringBuilder();
        AcceleratorRegistry machine = machine();
        for (int i = 0; i < samples; i++) {
            lines.append(RegistryDocument.write(sample(machine, i))).append('\n');
        }
        return Files.writeString(file, lines);
    }

    static AcceleratorRegistry machine() throws IOException {
        return RegistryDocument.read(Files.readAllBytes(MACHINE));
    }

    /// The state of a machine at a time.
    static AcceleratorRegistry sample(AcceleratorRegistry machine, int number) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (AcceleratorProfile device : machine.profiles()) {
            devices.add(device.accelerator().kind() == AcceleratorKind.CPU ? device : under(device, number));
        }
        return new AcceleratorRegistry(
                machine.referenceSchema(),
                devices,
                machine.gaps(),
                machine.systemIo(),
                machine.topology(),
                Reading.known(START.plusSeconds(SECONDS * number), Provenance.GIVEN));
    }

    private static AcceleratorProfile under(AcceleratorProfile device, int number) {
        long index = device.accelerator().deviceId();
        double wave = 0.5 + 0.5 * StrictMath.sin(number / 5.0 + index);
        double load = index == 6 ? 0 : Math.rint(wave * 100) / 100;
        long used = (index == 6 ? 1 : 20 + 7 * index) * (1L << 30);
        long total = device.memory().find().orElseThrow().unsigned();
        long sent = (long) (number * SECONDS * (40 + 30 * index) * 1e9);
        return device.toBuilder()
                .with(DeviceFact.UTILIZATION, known(new Ratio(load)))
                .with(DeviceFact.MEMORY_USED, known(Bytes.of(used)))
                .with(DeviceFact.MEMORY_FREE, known(Bytes.of(total - used)))
                .with(DeviceFact.POWER, known(new Watts(Math.rint(70 + 620 * load))))
                .with(DeviceFact.TEMPERATURE, known(new Celsius(Math.rint(32 + 4 * index + 35 * load))))
                .with(DeviceFact.CLOCK, known(new Hertz(load > 0 ? 1_980_000_000L : 345_000_000L)))
                .with(DeviceFact.PCIE_RECEIVED, known(new Bandwidth(load * 21)))
                .with(DeviceFact.PCIE_SENT, known(new Bandwidth(load * 4)))
                .with(DeviceFact.FABRIC_SENT, known(Bytes.of(sent)))
                .with(DeviceFact.FABRIC_RECEIVED, known(Bytes.of(sent / 2)))
                .with(DeviceFact.THROTTLING, known(index == 7 && load > 0.9 ? "sw thermal slowdown" : "none"))
                .with(DeviceFact.PROCESSES, known(processes(index, used)))
                .build();
    }

    private static ProcessList processes(long index, long used) {
        return index == 6
                ? new ProcessList(List.of())
                : new ProcessList(List.of(
                        new DeviceProcess(
                                41_200 + index,
                                index < 4 ? "vllm serve llama-3.1-70b" : "python3 train.py",
                                Bytes.of(used - (1L << 30))),
                        new DeviceProcess(9_000, "nvidia-cuda-mps-server", Bytes.ofMib(30))));
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }
}
