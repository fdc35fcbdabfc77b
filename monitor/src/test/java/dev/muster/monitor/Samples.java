// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/// Made-up registries.
final class Samples {
    private Samples() {}

    static DeviceId id(long index) {
        return new DeviceId("cuda:" + index);
    }

    /// GPUs with those numbers, all with the same load.
    static AcceleratorRegistry withLoad(double load, long... indices) {
        return AcceleratorRegistry.of(LongStream.of(indices)
                .mapToObj(index -> AcceleratorProfile.cuda(index, Bytes.ofGib(80)).toBuilder()
                        .with(DeviceFact.UTILIZATION, known(new Ratio(load)))
                        .build())
                .toList());
    }

    /// Eight GPUs of which everything that passes has changed.
    static AcceleratorRegistry busy(Random random, int second) {
        return AcceleratorRegistry.of(LongStream.range(0, 8)
                .mapToObj(index -> AcceleratorProfile.cuda(index, Bytes.ofGib(80)).toBuilder()
                        .with(DeviceFact.UTILIZATION, known(new Ratio(random.nextInt(101) / 100.0)))
                        .with(DeviceFact.MEMORY_UTILIZATION, known(new Ratio(random.nextInt(101) / 100.0)))
                        .with(DeviceFact.MEMORY_USED, known(Bytes.ofMib(random.nextInt(80_000))))
                        .with(DeviceFact.MEMORY_FREE, known(Bytes.ofMib(random.nextInt(80_000))))
                        .with(DeviceFact.TEMPERATURE, known(new Celsius(40 + random.nextInt(40))))
                        .with(DeviceFact.POWER, known(new Watts(random.nextInt(700_000) / 1000.0)))
                        .with(DeviceFact.CLOCK, known(Hertz.ofMegahertz(345 + 15 * random.nextInt(100))))
                        .with(DeviceFact.ENERGY, known(new Joules(1e6 + second * 700 + random.nextInt(700))))
                        .with(
                                DeviceFact.FABRIC_SENT,
                                known(Bytes.of(1_000_000_000L * second + random.nextInt(1 << 30))))
                        .with(
                                DeviceFact.FABRIC_RECEIVED,
                                known(Bytes.of(1_000_000_000L * second + random.nextInt(1 << 30))))
                        .with(DeviceFact.DRIVER_VERSION, known("580.159.04"))
                        .with(DeviceFact.UUID, known("GPU-0000000" + index + "-b33e-c22a-dc3f-5efe9098ec9c"))
                        .build())
                .toList());
    }

    static AcceleratorRegistry withSent(long bytes) {
        return AcceleratorRegistry.of(List.of(AcceleratorProfile.cuda(0, Bytes.ofGib(80)).toBuilder()
                .with(DeviceFact.FABRIC_SENT, known(Bytes.of(bytes)))
                .build()));
    }

    static AcceleratorProfile hot(double degrees) {
        return AcceleratorProfile.cuda(0, Bytes.ofGib(80)).toBuilder()
                .with(DeviceFact.TEMPERATURE, known(new Celsius(degrees)))
                .build();
    }

    static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }
}
