// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.normalise;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Makes one profile of two that describe the same device.
public final class ProfileMerge {
    private ProfileMerge() {}

    /// The first profile, completed by the second. Where both know a steady fact and disagree, the first is believed
    /// and the conflict is reported. Facts that pass by themselves differ because time passed between the two.
    ///
    /// @param gaps told of each conflict
    public static AcceleratorProfile merge(AcceleratorProfile first, AcceleratorProfile second, Consumer<Gap> gaps) {
        AcceleratorProfile.ProfileBuilder merged = first.toBuilder();
        for (DeviceFact<?> fact : DeviceFact.all()) {
            merge(merged, first, second, fact, gaps);
        }
        return merged.build();
    }

    private static <T> void merge(
            AcceleratorProfile.ProfileBuilder merged,
            AcceleratorProfile first,
            AcceleratorProfile second,
            DeviceFact<T> fact,
            Consumer<Gap> gaps) {
        Reading<T> one = first.reading(fact);
        Reading<T> other = second.reading(fact);
        if (!(other instanceof Reading.Known<T>(T otherValue, var otherSource))) {
            // A reason says more than "not asked".
            if (one.isNotProbed()) {
                merged.with(fact, other);
            }
            return;
        }
        if (!(one instanceof Reading.Known<T>(T value, var source))) {
            merged.with(fact, other);
        } else if (!fact.isVolatile() && !value.equals(otherValue)) {
            gaps.accept(new Gap.Conflict(
                    first.id().text(),
                    fact.label() + " is " + value + " according to " + source.source() + ", but " + otherValue
                            + " according to " + otherSource.source()));
        }
    }

    /// The one of some devices that sits at an address.
    public static Optional<AcceleratorProfile> findAt(List<AcceleratorProfile> profiles, PciAddress address) {
        return profiles.stream()
                .filter(profile -> profile.reading(DeviceFact.PCI_ADDRESS).matches(address::equals))
                .findFirst();
    }
}
