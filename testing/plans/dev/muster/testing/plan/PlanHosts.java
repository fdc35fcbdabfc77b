// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing.plan;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Machines and models that tests of planners share.
public final class PlanHosts {
    /// A fact as detection reports it.
    public static final Provenance DETECTED =
            Provenance.of("test", Provenance.Method.NATIVE, Provenance.Confidence.STATED);

    private PlanHosts() {}

    /// The machines that a text describes, such as `h100-sxm:8`.
    public static AcceleratorRegistry hosts(String text) {
        return WhatIf.synthetic(text, DeviceCatalogue.builtIn());
    }

    /// A model of the catalogue.
    public static ModelSummary model(String name) {
        return ModelCatalogue.builtIn().find(name).orElseThrow().toSummary();
    }

    /// A fact as detection states it.
    public static <T> Reading<T> known(T value) {
        return Reading.known(value, DETECTED);
    }

    /// The same machine, of which one device says something else.
    public static AcceleratorRegistry with(
            AcceleratorRegistry registry, String id, UnaryOperator<AcceleratorProfile.ProfileBuilder> change) {
        return registry.withDevices(registry.profiles().stream()
                .map(device -> device.id().text().equals(id)
                        ? change.apply(device.toBuilder()).build()
                        : device)
                .toList());
    }

    /// The same machine with one fact of one device.
    public static <T> AcceleratorRegistry with(AcceleratorRegistry registry, String id, DeviceFact<T> fact, T value) {
        return with(registry, id, device -> device.with(fact, known(value)));
    }

    /// The same machine, of whose devices each has a UUID: `GPU-0`, `GPU-1` and so on.
    public static AcceleratorRegistry withUuids(AcceleratorRegistry registry) {
        return registry.withDevices(registry.profiles().stream()
                .map(device -> device.accelerator().kind() == AcceleratorKind.CPU
                        ? device
                        : device.toBuilder()
                                .with(
                                        DeviceFact.UUID,
                                        known("GPU-" + device.accelerator().deviceId()))
                                .build())
                .toList());
    }

    /// Eight H100, of which the first is busy and the last has memory errors.
    public static AcceleratorRegistry busyAndUnwell() {
        AcceleratorRegistry busy = with(
                hosts("h100-sxm:8 cpu:1TiB"),
                "cuda:0",
                device -> device.with(DeviceFact.UTILIZATION, known(new Ratio(0.98)))
                        .with(DeviceFact.MEMORY_FREE, known(Bytes.ofGib(8))));
        return with(busy, "cuda:7", DeviceFact.ECC_UNCORRECTED, 3L);
    }

    /// Two H100 of which the first is divided into slices of 4 and 3 sevenths.
    public static AcceleratorRegistry divided() {
        AcceleratorRegistry whole =
                with(withUuids(hosts("h100-sxm:2 cpu:1TiB")), "cuda:0", DeviceFact.PARTITIONING, "MIG enabled");
        List<AcceleratorProfile> devices = new ArrayList<>(whole.profiles());
        AcceleratorProfile parent = devices.get(1);
        devices.add(2, slice(parent, "MIG-a", "4g.40gb"));
        devices.add(3, slice(parent, "MIG-b", "3g.40gb"));
        return whole.withDevices(devices);
    }

    private static AcceleratorProfile slice(AcceleratorProfile parent, String id, String shape) {
        return AcceleratorProfile.builder(parent.accelerator())
                .partition(new Partition(parent.id(), id, shape))
                .with(DeviceFact.DEVICE_NAME, parent.deviceName())
                .with(DeviceFact.MEMORY, known(Bytes.ofMib(40_448)))
                .build();
    }

    /// A machine without accelerators.
    public static AcceleratorRegistry processor(AcceleratorProfile.ProfileBuilder cpu) {
        return AcceleratorRegistry.of(List.of(cpu.build()));
    }

    /// A processor with 64 GiB, 16 cores and AVX2.
    public static AcceleratorProfile.ProfileBuilder desktop() {
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CPU, 0))
                .with(DeviceFact.MEMORY, known(Bytes.ofGib(64)))
                .with(DeviceFact.COMPUTE_UNITS, known(16L))
                .with(DeviceFact.EXTENSIONS, known("sse4_2 avx avx2 fma"));
    }

    /// A GPU of a kind that may stand in no catalogue.
    public static AcceleratorProfile.ProfileBuilder gpu(AcceleratorKind kind, String name) {
        return AcceleratorProfile.builder(AcceleratorType.of(kind, 0)).with(DeviceFact.DEVICE_NAME, known(name));
    }
}
