// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import java.util.Locale;
import java.util.Optional;

/// A choice among GPUs. Immutable.
sealed interface GpuPreference {
    /// Reads a preference: `mig:ID` or `partition:ID`, `cuda:2`, a PCI address, or a part of a name, in
    /// this order. Blank text means no preference.
    static Optional<GpuPreference> parse(String text) {
        String bare = text.strip();
        if (bare.isEmpty()) {
            return Optional.empty();
        }
        int colon = bare.indexOf(':');
        if (colon > 0) {
            String name = bare.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            String rest = bare.substring(colon + 1).strip();
            if ((name.equals("mig") || name.equals("partition")) && !rest.isEmpty()) {
                return Optional.of(new Partition(rest));
            }
            if (isNumber(rest)) {
                return Optional.of(new BackendId(name, Integer.parseInt(rest)));
            }
        }
        if (colon >= 0 && bare.indexOf('.') >= 0) {
            return Optional.of(new PciBusId(bare));
        }
        return Optional.of(new NameContains(bare.toLowerCase(Locale.ROOT)));
    }

    /// Nine digits always fit; no host has a thousand million devices.
    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /// Reports whether a device is what was asked for; one that lacks the fact in question never is.
    boolean matches(MeshDevice device);

    /// The device or slice with a lasting id.
    ///
    /// @param id the id; letters of either case match
    record Partition(String id) implements GpuPreference {
        @Override
        public boolean matches(MeshDevice device) {
            return device.partitionId().matches(id::equalsIgnoreCase);
        }
    }

    /// The device of a backend with a number.
    ///
    /// @param backend the backend in lower case
    /// @param id the number
    record BackendId(String backend, int id) implements GpuPreference {
        @Override
        public boolean matches(MeshDevice device) {
            return device.backend().text().equalsIgnoreCase(backend) && device.id() == id;
        }
    }

    /// The device at a place of the PCI bus.
    ///
    /// @param text the place as it was written; another way of writing the same place matches too
    record PciBusId(String text) implements GpuPreference {
        @Override
        public boolean matches(MeshDevice device) {
            Optional<PciAddress> asked = PciAddress.find(text);
            return asked.isPresent()
                    && asked.equals(
                            device.profile().reading(DeviceFact.PCI_ADDRESS).find());
        }
    }

    /// A device whose name contains a text.
    ///
    /// @param fragment the text in lower case
    record NameContains(String fragment) implements GpuPreference {
        @Override
        public boolean matches(MeshDevice device) {
            return device.name().toLowerCase(Locale.ROOT).contains(fragment);
        }
    }
}
