// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.pci.PcieLink;
import dev.muster.detect.text.Amount;
import java.util.Optional;

/// The facts of one GPU in the graphics driver's files.
record CardFacts(AttributeFolder folder, AcceleratorProfile.ProfileBuilder gpu) {

    void read() {
        memory();
        clocks();
        bus();
        identity();
        errors();
    }

    private void memory() {
        Reading<Bytes> total = folder.reading("mem_info_vram_total", AmdText::memory);
        Reading<Bytes> used = folder.reading("mem_info_vram_used", AmdText::used);
        gpu.with(DeviceFact.MEMORY, total)
                .with(DeviceFact.MEMORY_USED, used)
                .with(DeviceFact.MEMORY_VENDOR, folder.text("mem_info_vram_vendor"));
        if (total instanceof Reading.Known<Bytes>(Bytes all, var source)
                && used instanceof Reading.Known<Bytes>(Bytes taken, var _)
                && all.compareTo(taken) >= 0) {
            gpu.with(DeviceFact.MEMORY_FREE, Reading.known(all.minus(taken), AmdText.derived(source)));
        }
    }

    private void clocks() {
        gpu.with(DeviceFact.CLOCK, folder.reading("pp_dpm_sclk", AmdText::activeClock))
                .with(DeviceFact.CLOCK_MAX, folder.reading("pp_dpm_sclk", AmdText::fastestClock))
                .with(DeviceFact.MEMORY_CLOCK, folder.reading("pp_dpm_mclk", AmdText::activeClock))
                .with(DeviceFact.MEMORY_CLOCK_MAX, folder.reading("pp_dpm_mclk", AmdText::fastestClock))
                .with(DeviceFact.UTILIZATION, folder.reading("gpu_busy_percent", Amount::percent));
    }

    private void bus() {
        PcieLink.of(folder).addTo(gpu);
        gpu.with(DeviceFact.NUMA_NODE, folder.node("numa_node"));
    }

    private void identity() {
        gpu.with(DeviceFact.FIRMWARE_VERSION, folder.text("vbios_version"))
                .with(DeviceFact.UUID, folder.reading("unique_id", AmdText::uuidOfHex))
                .with(DeviceFact.FABRIC_DOMAIN, hive());
        Reading<String> compute = folder.text("current_compute_partition");
        String memory = folder.text("current_memory_partition").find().orElse("");
        gpu.with(DeviceFact.PARTITIONING, compute.map(mode -> AmdText.partitioning(mode, memory)));
    }

    /// The kernel has a folder of this name; some of its releases had a file, or another name.
    private Reading<String> hive() {
        if (folder.has("xgmi_hive_info/xgmi_hive_id")) {
            return folder.folder("xgmi_hive_info").reading("xgmi_hive_id", CardFacts::hive);
        }
        return folder.has("xgmi_hive_info")
                ? folder.reading("xgmi_hive_info", CardFacts::hive)
                : folder.reading("xgmi_hive_id", CardFacts::hive);
    }

    private static Optional<String> hive(String text) {
        return Optional.of(text).filter(value -> !value.equals("0") && !value.equals("0x0"));
    }

    /// Lines such as `ue: 0` and `ce: 3`.
    private void errors() {
        AttributeFolder errors = folder.folder("ras");
        if (errors.has("umc_err_count")) {
            gpu.with(
                            DeviceFact.ECC_CORRECTED,
                            errors.reading(
                                    "umc_err_count",
                                    text -> AmdText.line(text, "ce:").flatMap(AmdText::whole)))
                    .with(
                            DeviceFact.ECC_UNCORRECTED,
                            errors.reading(
                                    "umc_err_count",
                                    text -> AmdText.line(text, "ue:").flatMap(AmdText::whole)));
        }
    }
}
