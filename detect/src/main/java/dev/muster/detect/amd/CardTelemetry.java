// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.util.Optional;

/// The telemetry of one GPU in the graphics driver's files. The traffic of XGMI links is only in a binary
/// table whose layout differs from chip to chip, and is not read.
///
/// @param context the host
/// @param folder the device's folder
record CardTelemetry(ProbeContext context, AttributeFolder folder) {
    private static final int MAX_PAGES = 1 << 20;
    private static final String UNCOUNTED = "the driver has no text file for XGMI traffic";

    /// Adds what the files say.
    ///
    /// @param throughput being measured already
    void read(AcceleratorProfile.ProfileBuilder gpu, PcieThroughput throughput) {
        Sensors.find(context.files(), folder).ifPresent(sensors -> sensors.readEnergy(gpu));
        // One engine encodes and decodes.
        Reading<Ratio> video = folder.reading("vcn_busy_percent", Amount::percent);
        gpu.with(DeviceFact.MEMORY_UTILIZATION, folder.reading("mem_busy_percent", Amount::percent))
                .with(DeviceFact.ENCODER_UTILIZATION, video)
                .with(DeviceFact.DECODER_UTILIZATION, video)
                .with(DeviceFact.FABRIC_SENT, Reading.notSupported(UNCOUNTED))
                .with(DeviceFact.FABRIC_RECEIVED, Reading.notSupported(UNCOUNTED));
        retiredPages(gpu);
        throughput.addTo(gpu);
    }

    private void retiredPages(AcceleratorProfile.ProfileBuilder gpu) {
        String file = folder.path() + "/ras/gpu_vram_bad_pages";
        Optional<BadPages> pages = context.files().findText(file, MAX_PAGES).map(BadPages::parse);
        Provenance source = context.fromFile(file);
        gpu.with(DeviceFact.REMAPPED_ROWS, Reading.of(pages.map(BadPages::retired), source, file + " does not exist"))
                .with(
                        DeviceFact.ROW_REMAPPING,
                        Reading.of(pages.map(BadPages::state), source, file + " does not exist"));
    }
}
