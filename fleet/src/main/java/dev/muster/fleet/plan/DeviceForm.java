// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Schedulers call devices by short words: `h100` may be one of several forms. Where neither the name nor what else is
/// known tells which, the form with the least memory is taken, of those the one for boards of many (SXM): what fits
/// there fits on the others. Immutable.
///
/// @param catalogue the forms that there are
record DeviceForm(DeviceCatalogue catalogue) {
    /// The device with the name of its form, or as it is where that needs no guess or none is possible.
    AcceleratorProfile completed(AcceleratorProfile device) {
        return find(device)
                .map(form -> device.toBuilder()
                        .with(
                                DeviceFact.DEVICE_NAME,
                                Reading.known(
                                        form.name(),
                                        Provenance.of(
                                                "device catalogue, least form of "
                                                        + device.deviceName()
                                                                .find()
                                                                .orElse(""),
                                                Provenance.Method.DERIVED,
                                                Provenance.Confidence.ASSUMED)))
                        .build())
                .orElse(device);
    }

    /// The form that is assumed of a device; empty where none has to be.
    Optional<DeviceEntry> find(AcceleratorProfile device) {
        if (device.memory().isKnown()
                || device.deviceName().find().isEmpty()
                || catalogue.match(device).isPresent()) {
            return Optional.empty();
        }
        String word = device.deviceName()
                .find()
                .orElseThrow()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[ _]+", "-");
        return catalogue.entries().stream()
                .filter(entry -> entry.id().startsWith(word + "-")
                        && entry.findKind()
                                .equals(Optional.of(device.accelerator().kind())))
                .min(Comparator.<DeviceEntry>comparingDouble(
                                entry -> entry.memory().total().toDouble())
                        .thenComparing(entry -> !entry.id().contains("sxm"))
                        .thenComparing(DeviceEntry::id));
    }
}
