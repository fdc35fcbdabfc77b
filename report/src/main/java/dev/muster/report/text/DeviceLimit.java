// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import java.util.Optional;
import java.util.OptionalDouble;

/// The part of a device, or of the way to it, that limits its work now.
///
/// NVIDIA's documentation of DCGM's profiling metrics (2025) calls SM activity of 0.8 effective and below 0.5
/// ineffective, and 0.8 the most that memory reaches in practice: from three quarters of that on it counts as the limit
/// here, as links do from half of their rate on.
final class DeviceLimit {
    private static final double IDLE = 0.05;
    private static final double BUSY = 0.5;
    private static final double EFFECTIVE = 0.8;
    private static final double MEMORY = 0.6;
    private static final double TENSOR = 0.5;
    private static final double LINK = 0.5;
    private static final double PERCENT = 100;

    private final AcceleratorProfile device;

    private DeviceLimit(AcceleratorProfile device) {
        this.device = device;
    }

    /// Returns the limit in words; nothing if the device does not report enough.
    static Optional<String> of(AcceleratorProfile device) {
        return new DeviceLimit(device).find();
    }

    private Optional<String> find() {
        OptionalDouble compute = device.number(DeviceFact.COMPUTE_ACTIVE);
        OptionalDouble load = device.number(DeviceFact.UTILIZATION);
        if (compute.orElse(load.orElse(1)) < IDLE && load.orElse(0) < IDLE) {
            return Optional.of("idle");
        }
        double memory = device.number(DeviceFact.BANDWIDTH_UTILIZATION).orElse(0);
        double tensor = device.number(DeviceFact.TENSOR_ACTIVE).orElse(0);
        if (memory >= MEMORY && memory >= tensor) {
            return said("memory bandwidth", memory);
        }
        if (tensor >= TENSOR) {
            return said("compute, tensor cores", tensor);
        }
        double fabric = Math.max(
                share(DeviceFact.FABRIC_SEND_RATE, DeviceFact.FABRIC_BANDWIDTH),
                share(DeviceFact.FABRIC_RECEIVE_RATE, DeviceFact.FABRIC_BANDWIDTH));
        if (fabric >= LINK) {
            return said("network, device fabric", fabric);
        }
        double pcie = Math.max(
                share(DeviceFact.PCIE_SENT, DeviceFact.PCIE_BANDWIDTH),
                share(DeviceFact.PCIE_RECEIVED, DeviceFact.PCIE_BANDWIDTH));
        if (pcie >= LINK) {
            return said("host, PCIe", pcie);
        }
        if (compute.isEmpty()) {
            return Optional.empty();
        }
        if (compute.getAsDouble() >= EFFECTIVE) {
            return said("compute", compute.getAsDouble());
        }
        return compute.getAsDouble() < BUSY ? said("host, compute units", compute.getAsDouble()) : Optional.of("mixed");
    }

    private static Optional<String> said(String part, double share) {
        return Optional.of(part + " " + Math.round(share * PERCENT) + " %");
    }

    private double share(DeviceFact<?> part, DeviceFact<?> whole) {
        double all = device.number(whole).orElse(0);
        return all > 0 ? device.number(part).orElse(0) / all : 0;
    }
}
