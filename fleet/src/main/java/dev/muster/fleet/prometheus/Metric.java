// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/// A metric that tells of a device.
///
/// @param name its name
/// @param kind the kind of devices that have it; nothing where a label tells
/// @param fact the fact; empty if the metric only shows that the device exists
/// @param value the conversion of its number; empty for a number without a value
record Metric<T>(
        String name, Optional<AcceleratorKind> kind, Optional<DeviceFact<T>> fact, DoubleFunction<@Nullable T> value) {
    private static final double MIB = 1 << 20;
    private static final double MB = 1e6;
    private static final double MOST_BYTES = 1e18;
    private static final double MOST = 1e15;
    private static final Map<String, Metric<?>> ALL = new LinkedHashMap<>();

    static {
        dcgm();
        nvidiaSmi();
        amd();
        own();
    }

    /// The metric with that name, if it tells of devices. Exporters of AMD may put their own word before
    /// theirs.
    static Optional<Metric<?>> find(String name) {
        Metric<?> metric = ALL.get(name);
        return Optional.ofNullable(
                metric == null && name.startsWith("amd_gpu_") ? ALL.get(name.substring("amd_".length())) : metric);
    }

    /// All names, as a server is asked for them.
    static Collection<String> names() {
        return ALL.keySet();
    }

    /// Says what a value means. Values that are none, and those of things that do not exist, say nothing.
    void tell(AcceleratorProfile.ProfileBuilder device, double number, Provenance provenance) {
        if (fact.isEmpty() || !Double.isFinite(number) || number < 0 || isBlank(number)) {
            return;
        }
        T known = value.apply(number);
        if (known != null) {
            device.with(fact.get(), Reading.known(known, provenance));
        }
    }

    /// DCGM writes numbers near the largest of a type for a missing value (`DCGM_INT32_BLANK`,
    /// `DCGM_INT64_BLANK`, `DCGM_FP64_BLANK` of dcgm_structs.h); in a double they are one step of it apart.
    private static boolean isBlank(double number) {
        return (number >= 0x7FFF_FFF0L && number <= 0x7FFF_FFFFL)
                || number >= 0x7FFF_FFFF_FFFF_FC00L
                || (number >= 0x1p47 && number <= 0x1p47 + 16);
    }

    /// Names and units of dcgm-exporter's default counters (2026-05).
    private static void dcgm() {
        AcceleratorKind kind = AcceleratorKind.CUDA_GPU;
        String prefix = "DCGM_FI_DEV_";
        bytes(kind, prefix + "FB_TOTAL", DeviceFact.MEMORY, MIB);
        bytes(kind, prefix + "FB_USED", DeviceFact.MEMORY_USED, MIB);
        bytes(kind, prefix + "FB_FREE", DeviceFact.MEMORY_FREE, MIB);
        bytes(kind, prefix + "FB_RESERVED", DeviceFact.MEMORY_RESERVED, MIB);
        ratio(kind, prefix + "GPU_UTIL", 100);
        watts(kind, prefix + "POWER_USAGE", DeviceFact.POWER);
        watts(kind, prefix + "POWER_MGMT_LIMIT", DeviceFact.POWER_LIMIT);
        celsius(kind, prefix + "GPU_TEMP", DeviceFact.TEMPERATURE);
        celsius(kind, prefix + "MEMORY_TEMP", DeviceFact.MEMORY_TEMPERATURE);
        hertz(kind, prefix + "SM_CLOCK", DeviceFact.CLOCK, 1e6);
        hertz(kind, prefix + "MEM_CLOCK", DeviceFact.MEMORY_CLOCK, 1e6);
        joules(kind, prefix + "TOTAL_ENERGY_CONSUMPTION", 1e-3);
    }

    /// Names of nvidia_gpu_exporter (2026-08).
    private static void nvidiaSmi() {
        AcceleratorKind kind = AcceleratorKind.CUDA_GPU;
        String prefix = "nvidia_smi_";
        presence(kind, prefix + "gpu_info");
        presence(kind, prefix + "mig_info");
        for (String part : new String[] {"", "mig_"}) {
            bytes(kind, prefix + part + "memory_total_bytes", DeviceFact.MEMORY, 1);
            bytes(kind, prefix + part + "memory_used_bytes", DeviceFact.MEMORY_USED, 1);
            bytes(kind, prefix + part + "memory_free_bytes", DeviceFact.MEMORY_FREE, 1);
            bytes(kind, prefix + part + "memory_reserved_bytes", DeviceFact.MEMORY_RESERVED, 1);
        }
        add(kind, prefix + "mig_mode_current", DeviceFact.PARTITIONING, number -> number == 1 ? "MIG" : "none");
        ratio(kind, prefix + "utilization_gpu_ratio", 1);
        watts(kind, prefix + "power_draw_watts", DeviceFact.POWER);
        watts(kind, prefix + "enforced_power_limit_watts", DeviceFact.POWER_LIMIT);
        celsius(kind, prefix + "temperature_gpu", DeviceFact.TEMPERATURE);
        hertz(kind, prefix + "clocks_current_sm_clock_hz", DeviceFact.CLOCK, 1);
        hertz(kind, prefix + "clocks_current_memory_clock_hz", DeviceFact.MEMORY_CLOCK, 1);
        joules(kind, prefix + "energy_joules_total", 1);
    }

    /// Names of AMD's device-metrics-exporter (2026-08), and of its first releases. The first wrote decimal
    /// megabytes of memory; those of today write MiB, as the driver counts.
    private static void amd() {
        AcceleratorKind kind = AcceleratorKind.ROCM_GPU;
        bytes(kind, "gpu_total_vram", DeviceFact.MEMORY, MIB);
        bytes(kind, "gpu_used_vram", DeviceFact.MEMORY_USED, MIB);
        bytes(kind, "gpu_free_vram", DeviceFact.MEMORY_FREE, MIB);
        bytes(kind, "gpu_total_memory", DeviceFact.MEMORY, MB);
        ratio(kind, "gpu_gfx_activity", 100);
        ratio(kind, "gpu_usage", 100);
        watts(kind, "gpu_package_power", DeviceFact.POWER);
        watts(kind, "gpu_average_package_power", DeviceFact.POWER);
        watts(kind, "gpu_power_usage", DeviceFact.POWER);
        celsius(kind, "gpu_edge_temperature", DeviceFact.TEMPERATURE);
        celsius(kind, "gpu_junction_temperature", DeviceFact.HOTSPOT_TEMPERATURE);
        celsius(kind, "gpu_memory_temperature", DeviceFact.MEMORY_TEMPERATURE);
    }

    /// Muster's own.
    private static void own() {
        presence(null, "accel_info");
        bytes(null, "accel_memory_total_bytes", DeviceFact.MEMORY, 1);
        bytes(null, "accel_memory_used_bytes", DeviceFact.MEMORY_USED, 1);
        bytes(null, "accel_memory_free_bytes", DeviceFact.MEMORY_FREE, 1);
        ratio(null, "accel_utilization_ratio", 1);
        watts(null, "accel_power_watts", DeviceFact.POWER);
        watts(null, "accel_power_limit_watts", DeviceFact.POWER_LIMIT);
        celsius(null, "accel_temperature_celsius", DeviceFact.TEMPERATURE);
        joules(null, "accel_energy_joules_total", 1);
    }

    private static void presence(@Nullable AcceleratorKind kind, String name) {
        ALL.put(name, new Metric<String>(name, Optional.ofNullable(kind), Optional.empty(), _ -> null));
    }

    private static void bytes(@Nullable AcceleratorKind kind, String name, DeviceFact<Bytes> fact, double unit) {
        add(kind, name, fact, number -> number * unit < MOST_BYTES ? Bytes.of((long) (number * unit)) : null);
    }

    private static void ratio(@Nullable AcceleratorKind kind, String name, double all) {
        add(kind, name, DeviceFact.UTILIZATION, number -> number / all <= 1 ? new Ratio(number / all) : null);
    }

    private static void watts(@Nullable AcceleratorKind kind, String name, DeviceFact<Watts> fact) {
        add(kind, name, fact, number -> number < MOST ? new Watts(number) : null);
    }

    private static void celsius(@Nullable AcceleratorKind kind, String name, DeviceFact<Celsius> fact) {
        add(kind, name, fact, number -> number < 1000 ? new Celsius(number) : null);
    }

    private static void hertz(@Nullable AcceleratorKind kind, String name, DeviceFact<Hertz> fact, double unit) {
        add(kind, name, fact, number -> number * unit < MOST ? new Hertz((long) (number * unit)) : null);
    }

    private static void joules(@Nullable AcceleratorKind kind, String name, double unit) {
        add(kind, name, DeviceFact.ENERGY, number -> number < MOST ? new Joules(number * unit) : null);
    }

    private static <T> void add(
            @Nullable AcceleratorKind kind, String name, DeviceFact<T> fact, DoubleFunction<@Nullable T> value) {
        ALL.put(name, new Metric<>(name, Optional.ofNullable(kind), Optional.of(fact), value));
    }
}
