// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A device named by text, as people and scripts name one: `cuda:1`, a PCI address, a part of its name, or
/// `mig:<id>` for a partition. Letter case does not matter.
sealed interface DeviceSelector {
    /// Reports whether a device is meant. A device of which the asked fact is unknown is not.
    boolean matches(AcceleratorProfile profile);

    /// Reads a selector. The forms are tried in this order: `mig:<id>` or `partition:<id>`, `<kind>:<number>`, a
    /// text with `:` and `.` as PCI address, and anything else as part of a name. Nothing for a blank text.
    static Optional<DeviceSelector> find(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty()) {
            return Optional.empty();
        }
        Matcher partition = PartitionId.FORM.matcher(trimmed);
        if (partition.matches()) {
            return Optional.of(new PartitionId(partition.group(1).strip()));
        }
        Matcher numbered = KindNumber.FORM.matcher(trimmed);
        if (numbered.matches()) {
            String kind = numbered.group(1).toLowerCase(Locale.ROOT);
            return Optional.of(new KindNumber(kind, Long.parseLong(numbered.group(2))));
        }
        boolean isAddress = trimmed.contains(":") && trimmed.contains(".");
        return Optional.of(isAddress ? new BusAddress(trimmed) : new NamePart(trimmed.toLowerCase(Locale.ROOT)));
    }

    /// A partition or whole device by its unique id.
    ///
    /// @param id the id in its own letter case
    record PartitionId(String id) implements DeviceSelector {
        private static final Pattern FORM = Pattern.compile("(?i)(?:mig|partition):\\s*(\\S.*)");

        @Override
        public boolean matches(AcceleratorProfile profile) {
            return profile.partition()
                            .filter(one -> one.id().equalsIgnoreCase(id))
                            .isPresent()
                    || profile.reading(DeviceFact.UUID).matches(id::equalsIgnoreCase);
        }
    }

    /// A device by kind and number.
    ///
    /// @param kind the kind in lower case, such as `cuda`
    /// @param number the number among devices of that kind
    record KindNumber(String kind, long number) implements DeviceSelector {
        private static final Pattern FORM = Pattern.compile("\\s*(\\S[^:]*?)\\s*:\\s*([0-9]{1,10})\\s*");

        @Override
        public boolean matches(AcceleratorProfile profile) {
            AcceleratorType type = profile.accelerator();
            return profile.partition().isEmpty() && type.text().equals(kind) && type.deviceId() == number;
        }
    }

    /// A device by its place on the PCI bus.
    ///
    /// @param text the address as given; without its domain it means domain 0
    record BusAddress(String text) implements DeviceSelector {

        @Override
        public boolean matches(AcceleratorProfile profile) {
            Optional<PciAddress> wanted = PciAddress.find(text);
            return wanted.isPresent()
                    && wanted.equals(profile.reading(DeviceFact.PCI_ADDRESS).find());
        }
    }

    /// A device by a part of its name.
    ///
    /// @param fragment the part in lower case
    record NamePart(String fragment) implements DeviceSelector {
        @Override
        public boolean matches(AcceleratorProfile profile) {
            return profile.deviceName()
                    .matches(name -> name.toLowerCase(Locale.ROOT).contains(fragment));
        }
    }
}
