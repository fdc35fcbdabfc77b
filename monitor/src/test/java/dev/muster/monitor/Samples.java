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
import dev.muster.core.unit.Ratio;
import java.util.List;
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
