// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.PciInventory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Processing accelerators on the PCI bus that no probe knows. They have no kind, so they are gaps and not devices.
final class UnknownAccelerators {
    private UnknownAccelerators() {}

    /// Returns a gap for each. Where the place of a known accelerator is unknown, it may be one of these.
    static List<Gap> gaps(PciInventory bus, List<AcceleratorProfile> profiles) {
        Set<PciAddress> known = new HashSet<>();
        boolean isSure = true;
        for (AcceleratorProfile profile : profiles) {
            profile.reading(DeviceFact.PCI_ADDRESS).find().ifPresent(known::add);
            isSure = isSure
                    && (profile.accelerator().kind() == AcceleratorKind.CPU
                            || profile.reading(DeviceFact.PCI_ADDRESS).isKnown());
        }
        List<Gap> gaps = new ArrayList<>();
        for (PciDevice device : bus.devices()) {
            if (isSure && device.isAccelerator() && !known.contains(device.address())) {
                gaps.add(new Gap.Unparsable(
                        "pci", "no probe knows the processing accelerator " + device.id() + " at " + device.address()));
            }
        }
        return gaps;
    }
}
