// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Shortcuts of the tests in this package.
final class Smi {
    static final Provenance SOURCE =
            Provenance.of("nvidia-smi", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED);

    private Smi() {}

    static List<AcceleratorProfile> devices(String xml) throws NvidiaFormatException {
        return devices(NvidiaSmiXmlParser.parse(xml), NvidiaListing.EMPTY, new ArrayList<>());
    }

    static List<AcceleratorProfile> devices(NvidiaElement root, NvidiaListing listing, List<Gap> gaps) {
        return new NvidiaSmiLog(root, SOURCE).profiles(listing, gaps::add);
    }

    static <T> Optional<T> value(AcceleratorProfile device, DeviceFact<T> fact) {
        return device.reading(fact).find();
    }

    /// A document with one GPU.
    static String document(String gpu) {
        return "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v13.dtd\">\n<nvidia_smi_log>\n"
                + "<driver_version>580.1</driver_version><attached_gpus>1</attached_gpus>\n"
                + "<gpu id=\"00000000:01:00.0\">" + gpu + "</gpu>\n</nvidia_smi_log>\n";
    }
}
