// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.unit.Bytes;

/// A device as one of the two programs reports it.
///
/// @param profile all that it says
record SeenDevice(AcceleratorProfile profile) {
    AcceleratorKind kind() {
        return profile.accelerator().kind();
    }

    AcceleratorType type() {
        return profile.accelerator();
    }

    boolean knowsMemory() {
        return profile.memory().isKnown();
    }

    Bytes memory() {
        return profile.memory().find().orElseThrow();
    }

    String name() {
        return profile.deviceName().find().orElse("");
    }

    /// Reports whether kind, number, generation and memory agree.
    boolean agreesWith(SeenDevice other) {
        return type().equals(other.type()) && knowsMemory() && other.knowsMemory() && memory().equals(other.memory());
    }

    @Override
    public String toString() {
        return type().display() + " " + (knowsMemory() ? memory().toGib() + " GiB" : "of unknown memory")
                + (name().isEmpty() ? "" : " [" + name() + "]");
    }
}
