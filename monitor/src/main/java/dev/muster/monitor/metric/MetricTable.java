// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import static dev.muster.monitor.metric.Metric.counter;
import static dev.muster.monitor.metric.Metric.flag;
import static dev.muster.monitor.metric.Metric.gauge;
import static dev.muster.monitor.metric.Metric.text;
import static dev.muster.monitor.metric.Metric.unless;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import java.util.List;
import java.util.OptionalDouble;

/// The table of metrics of device facts, in every naming: a new metric is a new row. Rows that share a name in a
/// naming differ in their labels and follow each other.
///
/// DCGM's names, units and descriptions are those of its exporter's default counters (release 4.5); those of
/// OpenTelemetry are of its semantic conventions for hardware, which are in development.
final class MetricTable {
    private static final double PERCENT = 100;
    private static final double KIBIBYTES = 1.0 / (1 << 10);
    private static final double MEBIBYTES = 1.0 / (1 << 20);
    private static final double MEGAHERTZ = 1e-6;
    private static final double MILLIJOULES = 1000;

    static final List<Metric> ROWS = List.of(
            // Memory
            gauge(DeviceFact.MEMORY, "accel_memory_total_bytes", "Memory of the device in bytes.")
                    .dcgm("DCGM_FI_DEV_FB_TOTAL", "Total Frame Buffer of the GPU in MiB.", MEBIBYTES)
                    .otel("hw.gpu.memory.limit", "By", "hw_gpu_memory_limit_bytes", "", "Size of the GPU memory."),
            gauge(DeviceFact.MEMORY_USED, "accel_memory_used_bytes", "Memory in use in bytes.")
                    .by(MetricTable::memoryUsed)
                    .dcgm("DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB).", MEBIBYTES)
                    .otel("hw.gpu.memory.usage", "By", "hw_gpu_memory_usage_bytes", "", "GPU memory used."),
            gauge(DeviceFact.MEMORY_FREE, "accel_memory_free_bytes", "Memory that can still be taken in bytes.")
                    .dcgm("DCGM_FI_DEV_FB_FREE", "Framebuffer memory free (in MiB).", MEBIBYTES),
            gauge(DeviceFact.MEMORY_RESERVED, "accel_memory_reserved_bytes", "Memory reserved by the driver in bytes.")
                    .dcgm("DCGM_FI_DEV_FB_RESERVED", "Framebuffer memory reserved (in MiB).", MEBIBYTES),
            gauge(DeviceFact.MEMORY_USED, "", "")
                    .by(MetricTable::memoryShare)
                    .otel(
                            "hw.gpu.memory.utilization",
                            "1",
                            "hw_gpu_memory_utilization_ratio",
                            "",
                            "Fraction of GPU memory used."),
            // Load
            gauge(DeviceFact.UTILIZATION, "accel_utilization_ratio", "Share of time the device was busy, 0 to 1.")
                    .dcgm("DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).", PERCENT)
                    .otel(
                            "hw.gpu.utilization",
                            "1",
                            "hw_gpu_utilization_ratio",
                            "hw_gpu_task=\"general\"",
                            "Fraction of time spent in a specific task."),
            gauge(
                            DeviceFact.ENCODER_UTILIZATION,
                            "accel_encoder_utilization_ratio",
                            "Share of time the video encoder was busy, 0 to 1.")
                    .dcgm("DCGM_FI_DEV_ENC_UTIL", "Encoder utilization (in %).", PERCENT)
                    .otel(
                            "hw.gpu.utilization",
                            "1",
                            "hw_gpu_utilization_ratio",
                            "hw_gpu_task=\"encoder\"",
                            "Fraction of time spent in a specific task."),
            gauge(
                            DeviceFact.DECODER_UTILIZATION,
                            "accel_decoder_utilization_ratio",
                            "Share of time the video decoder was busy, 0 to 1.")
                    .dcgm("DCGM_FI_DEV_DEC_UTIL", "Decoder utilization (in %).", PERCENT)
                    .otel(
                            "hw.gpu.utilization",
                            "1",
                            "hw_gpu_utilization_ratio",
                            "hw_gpu_task=\"decoder\"",
                            "Fraction of time spent in a specific task."),
            gauge(
                            DeviceFact.MEMORY_UTILIZATION,
                            "accel_memory_utilization_ratio",
                            "Share of time in which the memory was read or written, 0 to 1.")
                    .dcgm("DCGM_FI_DEV_MEM_COPY_UTIL", "Memory utilization (in %).", PERCENT),
            gauge(
                            DeviceFact.ENGINE_ACTIVE,
                            "accel_engine_active_ratio",
                            "Share of time in which any engine worked, 0 to 1.")
                    .dcgm("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "Ratio of time the graphics engine is active.", 1),
            gauge(
                            DeviceFact.COMPUTE_ACTIVE,
                            "accel_compute_active_ratio",
                            "Share of the compute units that were busy, 0 to 1.")
                    .dcgm("DCGM_FI_PROF_SM_ACTIVE", "The ratio of cycles an SM has at least 1 warp assigned.", 1),
            gauge(
                            DeviceFact.OCCUPANCY,
                            "accel_occupancy_ratio",
                            "Share of the threads that the compute units can hold, 0 to 1.")
                    .dcgm("DCGM_FI_PROF_SM_OCCUPANCY", "The ratio of number of warps resident on an SM.", 1),
            gauge(
                            DeviceFact.TENSOR_ACTIVE,
                            "accel_tensor_active_ratio",
                            "Share of time in which the matrix units worked, 0 to 1.")
                    .dcgm("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "Ratio of cycles the tensor (HMMA) pipe is active.", 1),
            gauge(
                            DeviceFact.BANDWIDTH_UTILIZATION,
                            "accel_memory_bandwidth_ratio",
                            "Share of the memory's peak bandwidth in use, 0 to 1.")
                    .dcgm(
                            "DCGM_FI_PROF_DRAM_ACTIVE",
                            "Ratio of cycles the device memory interface is active sending or receiving data.",
                            1),
            // Power, heat, clocks
            gauge(DeviceFact.POWER, "accel_power_watts", "Power drawn now in watts.")
                    .dcgm("DCGM_FI_DEV_POWER_USAGE", "Power draw (in W).", 1)
                    .otel("hw.power", "W", "hw_power_watts", "", "Instantaneous power consumed by the component."),
            gauge(DeviceFact.POWER_LIMIT, "accel_power_limit_watts", "Power that the device may draw in watts.")
                    .dcgm("DCGM_FI_DEV_POWER_MGMT_LIMIT", "Current Power limit for the device (in W).", 1),
            counter(DeviceFact.ENERGY, "accel_energy_joules", "Energy drawn since the driver was loaded in joules.")
                    .dcgm(
                            "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
                            "Total energy consumption since boot (in mJ).",
                            MILLIJOULES)
                    .otel("hw.energy", "J", "hw_energy_joules", "", "Energy consumed by the component."),
            gauge(DeviceFact.TEMPERATURE, "accel_temperature_celsius", "Temperature in degrees Celsius.")
                    .dcgm("DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C).", 1)
                    .otel(
                            "hw.temperature",
                            "Cel",
                            "hw_temperature_celsius",
                            "hw_sensor_location=\"gpu\"",
                            "Temperature in degrees Celsius."),
            gauge(
                            DeviceFact.MEMORY_TEMPERATURE,
                            "accel_memory_temperature_celsius",
                            "Temperature of the memory in degrees Celsius.")
                    .dcgm("DCGM_FI_DEV_MEMORY_TEMP", "Memory temperature (in C).", 1)
                    .otel(
                            "hw.temperature",
                            "Cel",
                            "hw_temperature_celsius",
                            "hw_sensor_location=\"memory\"",
                            "Temperature in degrees Celsius."),
            gauge(
                            DeviceFact.HOTSPOT_TEMPERATURE,
                            "accel_hotspot_temperature_celsius",
                            "Temperature of the chip's hottest point in degrees Celsius.")
                    .otel(
                            "hw.temperature",
                            "Cel",
                            "hw_temperature_celsius",
                            "hw_sensor_location=\"hotspot\"",
                            "Temperature in degrees Celsius."),
            gauge(DeviceFact.CLOCK, "accel_clock_hertz", "Clock now in hertz.")
                    .labelled("domain=\"compute\"")
                    .dcgm("DCGM_FI_DEV_SM_CLOCK", "SM clock frequency (in MHz).", MEGAHERTZ),
            gauge(DeviceFact.MEMORY_CLOCK, "accel_clock_hertz", "Clock now in hertz.")
                    .labelled("domain=\"memory\"")
                    .dcgm("DCGM_FI_DEV_MEM_CLOCK", "Memory clock frequency (in MHz).", MEGAHERTZ),
            gauge(DeviceFact.CLOCK_MAX, "accel_clock_max_hertz", "The fastest clock in hertz.")
                    .labelled("domain=\"compute\"")
                    .dcgm("DCGM_FI_DEV_MAX_SM_CLOCK", "Maximum supported SM clock (in MHz).", MEGAHERTZ),
            gauge(DeviceFact.MEMORY_CLOCK_MAX, "accel_clock_max_hertz", "The fastest clock in hertz.")
                    .labelled("domain=\"memory\"")
                    .dcgm("DCGM_FI_DEV_MAX_MEM_CLOCK", "Maximum supported memory clock (in MHz).", MEGAHERTZ),
            unless(DeviceFact.THROTTLING, "accel_throttled", "1 while the device is throttled, else 0.", "none"),
            text(DeviceFact.THROTTLING, "accel_throttling_reason", "Reason for throttling.", "reason", "none"),
            // Links
            gauge(DeviceFact.PCIE_SENT, "accel_pcie_throughput_bytes_per_second", "PCIe throughput now.")
                    .labelled("direction=\"sent\"")
                    .dcgm("DCGM_FI_PROF_PCIE_TX_BYTES", "The rate of data transmitted over the PCIe bus (in B/s).", 1),
            gauge(DeviceFact.PCIE_RECEIVED, "accel_pcie_throughput_bytes_per_second", "PCIe throughput now.")
                    .labelled("direction=\"received\"")
                    .dcgm("DCGM_FI_PROF_PCIE_RX_BYTES", "The rate of data received over the PCIe bus (in B/s).", 1),
            gauge(DeviceFact.PCIE_GENERATION, "accel_pcie_generation", "PCIe generation now.")
                    .dcgm("DCGM_FI_DEV_PCIE_LINK_GEN", "PCIe Current Link Generation.", 1),
            gauge(DeviceFact.PCIE_WIDTH, "accel_pcie_lanes", "PCIe lanes in use.")
                    .dcgm("DCGM_FI_DEV_PCIE_LINK_WIDTH", "PCIe Current Link Width.", 1),
            counter(DeviceFact.FABRIC_SENT, "accel_fabric_bytes", "Bytes over the links of the device's fabric.")
                    .labelled("direction=\"sent\"")
                    .otel(
                            "hw.gpu.io",
                            "By",
                            "hw_gpu_io_bytes",
                            "network_io_direction=\"transmit\"",
                            "Received and transmitted bytes by the GPU over its fabric."),
            counter(DeviceFact.FABRIC_RECEIVED, "accel_fabric_bytes", "Bytes over the links of the device's fabric.")
                    .labelled("direction=\"received\"")
                    .otel(
                            "hw.gpu.io",
                            "By",
                            "hw_gpu_io_bytes",
                            "network_io_direction=\"receive\"",
                            "Received and transmitted bytes by the GPU over its fabric."),
            gauge(
                            DeviceFact.FABRIC_SEND_RATE,
                            "accel_fabric_throughput_bytes_per_second",
                            "Throughput of the device's fabric now.")
                    .labelled("direction=\"sent\"")
                    .dcgm("DCGM_FI_PROF_NVLINK_TX_BYTES", "The rate of data transmitted over NVLink (in B/s).", 1),
            gauge(
                            DeviceFact.FABRIC_RECEIVE_RATE,
                            "accel_fabric_throughput_bytes_per_second",
                            "Throughput of the device's fabric now.")
                    .labelled("direction=\"received\"")
                    .dcgm("DCGM_FI_PROF_NVLINK_RX_BYTES", "The rate of data received over NVLink (in B/s).", 1),
            counter(DeviceFact.FABRIC_SENT, "", "")
                    .by(MetricTable::fabricBytes)
                    .dcgm(
                            "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
                            "Total number of NVLink bandwidth counters for all lanes (in KiB).",
                            KIBIBYTES),
            gauge(DeviceFact.FABRIC_LINKS, "accel_fabric_links", "Links of the device's fabric that are up."),
            // Health
            counter(DeviceFact.ECC_CORRECTED, "accel_ecc_errors", "Memory errors since the driver was loaded.")
                    .labelled("type=\"corrected\"")
                    .dcgm("DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "Total number of single-bit volatile ECC errors.", 1)
                    .otel(
                            "hw.errors",
                            "{error}",
                            "hw_errors",
                            "error_type=\"corrected\"",
                            "Number of errors encountered by the component."),
            counter(DeviceFact.ECC_UNCORRECTED, "accel_ecc_errors", "Memory errors since the driver was loaded.")
                    .labelled("type=\"uncorrected\"")
                    .dcgm("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "Total number of double-bit volatile ECC errors.", 1)
                    .otel(
                            "hw.errors",
                            "{error}",
                            "hw_errors",
                            "error_type=\"uncorrected\"",
                            "Number of errors encountered by the component."),
            counter(
                            DeviceFact.ECC_UNCORRECTED_LIFETIME,
                            "accel_ecc_errors_lifetime",
                            "Uncorrected memory errors since the device was made.")
                    .dcgm("DCGM_FI_DEV_ECC_DBE_AGG_TOTAL", "Total number of double-bit persistent ECC errors.", 1),
            counter(DeviceFact.PCIE_REPLAYS, "accel_pcie_replays", "Transfers over PCIe that were repeated.")
                    .dcgm("DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "Total number of PCIe retries.", 1),
            gauge(DeviceFact.FAN, "accel_fan_ratio", "Speed of the fan, 0 to 1.")
                    .dcgm("DCGM_FI_DEV_FAN_SPEED", "Fan speed (in %).", PERCENT),
            gauge(DeviceFact.REMAPPED_ROWS, "accel_remapped_rows", "Rows of the memory that were remapped."),
            flag(
                    DeviceFact.ROW_REMAPPING,
                    "accel_row_remapping_pending",
                    "1 where the device must be reset to remap rows, else 0.",
                    "pending"),
            flag(
                            DeviceFact.ROW_REMAPPING,
                            "accel_row_remapping_failed",
                            "1 where no spare row was left, else 0.",
                            "failed")
                    .dcgm("DCGM_FI_DEV_ROW_REMAP_FAILURE", "Whether remapping of rows has failed", 1),
            flag(DeviceFact.HEALTH, "accel_healthy", "1 if the device reports itself healthy, else 0.", "ok")
                    .otel(
                            "hw.status",
                            "1",
                            "hw_status",
                            "hw_state=\"ok\"",
                            "Operational status: 1 (true) or 0 (false) for each of the possible states."));

    private MetricTable() {}

    /// The used memory; the memory that is not free if a device reports only free memory.
    private static double memoryUsed(AcceleratorProfile device) {
        OptionalDouble used = device.number(DeviceFact.MEMORY_USED);
        if (used.isPresent()) {
            return used.getAsDouble();
        }
        return device.number(DeviceFact.MEMORY).orElse(Double.NaN)
                - device.number(DeviceFact.MEMORY_FREE).orElse(Double.NaN)
                - device.number(DeviceFact.MEMORY_RESERVED).orElse(0);
    }

    private static double fabricBytes(AcceleratorProfile device) {
        return device.number(DeviceFact.FABRIC_SENT).orElse(Double.NaN)
                + device.number(DeviceFact.FABRIC_RECEIVED).orElse(Double.NaN);
    }

    private static double memoryShare(AcceleratorProfile device) {
        double all = device.number(DeviceFact.MEMORY).orElse(Double.NaN);
        return all > 0 ? memoryUsed(device) / all : Double.NaN;
    }
}
