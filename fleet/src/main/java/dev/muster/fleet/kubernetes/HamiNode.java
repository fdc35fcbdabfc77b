// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// GPUs of a node that HAMi shares out. Its resource counts shares, ten of each GPU as a rule; the GPUs
/// themselves are in an annotation, as a JSON list with one object each (HAMi's protocol, 2026-08).
final class HamiNode {
    static final String ANNOTATION = "hami.io/node-nvidia-register";

    private static final String VENDOR = "NVIDIA-";

    private HamiNode() {}

    /// The GPUs of an annotation; empty if it is not such a list.
    static List<AcceleratorProfile> devices(String annotation, Provenance provenance) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (JsonValue gpu : list(annotation)) {
            String id = JsonFields.text(gpu, "id");
            if (id.isBlank() || devices.size() >= NodeDevices.MAX_DEVICES) {
                continue;
            }
            AcceleratorProfile.ProfileBuilder device = AcceleratorProfile.builder(
                            AcceleratorType.of(AcceleratorKind.CUDA_GPU, devices.size()))
                    .available(!JsonFields.text(gpu, "health").equals("false"))
                    .with(DeviceFact.UUID, Reading.known(id, provenance));
            OptionalLong mib = NodeOffer.wholeNumber(JsonFields.text(gpu, "devmem"));
            if (mib.isPresent() && mib.getAsLong() < 1L << 40) {
                device.with(DeviceFact.MEMORY, Reading.known(Bytes.ofMib(mib.getAsLong()), provenance));
            }
            String type = JsonFields.text(gpu, "type");
            if (!type.isBlank()) {
                // It puts the vendor before the driver's name of the model, and a dash between.
                String name = type.startsWith(VENDOR) ? "NVIDIA " + type.substring(VENDOR.length()) : type;
                device.with(DeviceFact.DEVICE_NAME, Reading.known(name, provenance));
            }
            devices.add(device.build());
        }
        return devices;
    }

    private static List<JsonValue> list(String annotation) {
        if (annotation.isBlank()) {
            return List.of();
        }
        try {
            return JsonValue.parse(annotation) instanceof JsonArray(List<JsonValue> items) ? items : List.of();
        } catch (DocumentException _) {
            return List.of();
        }
    }
}
