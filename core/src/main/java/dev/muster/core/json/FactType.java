// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;

/// The type of a fact's value in documents.
enum FactType {
    /// Amount of memory.
    BYTES(Bytes.class),
    /// Rate of data.
    BANDWIDTH(Bandwidth.class),
    /// Text.
    TEXT(String.class),
    /// Number of things, from 0.
    COUNT(Long.class),
    /// Temperature.
    CELSIUS(Celsius.class),
    /// Power.
    WATTS(Watts.class),
    /// Energy.
    JOULES(Joules.class),
    /// Share.
    RATIO(Ratio.class),
    /// Place on the PCI bus.
    PCI_ADDRESS(PciAddress.class),
    /// Frequency.
    HERTZ(Hertz.class),
    /// Yes or no.
    FLAG(Boolean.class),
    /// Programs that use a device.
    PROCESSES(ProcessList.class);

    /// The types of all facts, in the order of [DeviceFact#all].
    private static final FactType[] BY_FACT = new FactType[DeviceFact.all().size()];

    static {
        for (DeviceFact<?> fact : DeviceFact.all()) {
            BY_FACT[fact.index()] = of(fact.javaType());
        }
    }

    private final Class<?> javaType;

    FactType(Class<?> javaType) {
        this.javaType = javaType;
    }

    static FactType of(DeviceFact<?> fact) {
        return BY_FACT[fact.index()];
    }

    private static FactType of(Class<?> javaType) {
        for (FactType type : values()) {
            if (type.javaType == javaType) {
                return type;
            }
        }
        throw new AssertionError(javaType);
    }
}
