// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.synthetic;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.fleet.Claim;
import dev.muster.fleet.HostReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// Loads of made-up devices: held ones compute, in waves of two minutes, but for one job in eight that only holds
/// memory. The same host has the same load at the same time.
final class SyntheticLoad {
    private static final double IDLE_JOB = 0.125;
    private static final double WAVE_SECONDS = 120;
    private static final double IDLE_POWER = 0.14;
    private static final double COOL = 32;
    private static final double WARMING = 48;
    private static final double USUAL_WATTS = 500;
    private static final double MILLIS = 1000;
    private static final Provenance SOURCE =
            Provenance.of("synthetic", Provenance.Method.GIVEN, Provenance.Confidence.STATED);

    private SyntheticLoad() {}

    static HostReport of(HostReport host, long seed, Instant now) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean isIdle = random.nextDouble() < IDLE_JOB;
        double usual = 0.4 + 0.5 * random.nextDouble();
        double taken = 0.3 + 0.65 * random.nextDouble();
        double phase = random.nextDouble() + now.toEpochMilli() / MILLIS / WAVE_SECONDS;
        Set<DeviceId> held = new HashSet<>();
        for (Claim claim : host.claims()) {
            held.addAll(claim.devices());
        }
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (AcceleratorProfile device : host.registry().profiles()) {
            boolean works = held.contains(device.id()) && !isIdle;
            double wave = usual + 0.1 * Math.sin(2 * Math.PI * (phase + devices.size() / 16.0));
            double load = works ? Math.clamp(wave, 0, 1) : 0;
            devices.add(
                    device.available() && device.accelerator().kind() != AcceleratorKind.CPU
                            ? with(device, load, held.contains(device.id()) ? taken : 0)
                            : device);
        }
        return new HostReport(
                host.name(),
                host.registry().withDevices(devices),
                host.state(),
                host.claims(),
                host.domains(),
                host.restrictions(),
                host.labels());
    }

    private static AcceleratorProfile with(AcceleratorProfile device, double load, double taken) {
        double most =
                device.reading(DeviceFact.POWER_LIMIT).find().map(Watts::value).orElse(USUAL_WATTS);
        double total = device.memory().find().map(Bytes::toDouble).orElse(0.0);
        return device.toBuilder()
                .with(DeviceFact.UTILIZATION, known(new Ratio(Math.round(load * 100) / 100.0)))
                .with(DeviceFact.MEMORY_USED, known(new Bytes((long) (total * taken))))
                .with(DeviceFact.POWER, known(new Watts(Math.round(most * (IDLE_POWER + (1 - IDLE_POWER) * load)))))
                .with(DeviceFact.TEMPERATURE, known(new Celsius(Math.round(COOL + WARMING * load))))
                .build();
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, SOURCE);
    }
}
