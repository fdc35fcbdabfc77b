// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.PciInventory;
import dev.muster.detect.timed.TimedFiles;
import java.util.List;
import java.util.Optional;

/// A host and what detection says of it.
///
/// @param host the host
/// @param pci its PCI devices
/// @param registry the host's registry
/// @param files the host's files, which know who was late
record CheckContext(Host host, PciInventory pci, AcceleratorRegistry registry, TimedFiles files) {
    private static final String[] CONTAINER_MARKS = {"/.dockerenv", "/run/.containerenv"};

    /// The devices of a vendor that compute or draw.
    List<PciDevice> accelerators(int vendor) {
        return pci.ofVendor(vendor).stream()
                .filter(device -> device.isDisplay() || device.isAccelerator())
                .toList();
    }

    boolean isLinux() {
        return host.system() == OperatingSystem.LINUX;
    }

    boolean isInContainer() {
        for (String mark : CONTAINER_MARKS) {
            if (host.files().exists(mark)) {
                return true;
            }
        }
        Optional<RuntimeEnvironment> environment =
                registry.systemIo().environment().find();
        return host.variables().containsKey("KUBERNETES_SERVICE_HOST")
                || environment
                        .filter(known -> known.docker() || known.kubernetes())
                        .isPresent();
    }
}
