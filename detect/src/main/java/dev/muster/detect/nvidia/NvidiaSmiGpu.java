// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// One `<gpu>` of `nvidia-smi -q -x`. Tags are taken by name within their block, because blocks repeat each other's
/// tags and move from driver to driver.
///
/// @param log the document
/// @param gpu the GPU's block
/// @param index the GPU's number
record NvidiaSmiGpu(NvidiaSmiLog log, NvidiaElement gpu, int index) {
    private static final long MAX_GENERATION = 16;
    private static final long MAX_WIDTH = 64;
    private static final int MAX_PROCESSES = 4096;
    private static final int PCI_ID_DIGITS = 8;
    private static final String VENDOR = "10de";
    private static final String ROWS = "remapped_rows/remapped_row_";
    private static final String[] UNCORRECTED = {
        "double_bit/total",
        "sram_uncorrectable",
        "sram_uncorrectable_parity",
        "sram_uncorrectable_secded",
        "dram_uncorrectable"
    };
    private static final String NIL_UUID = "00000000-0000-0000-0000-000000000000";

    AcceleratorProfile profile() {
        AcceleratorProfile.ProfileBuilder device =
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, index));
        identify(device);
        addMemory(device);
        addLoad(device);
        addLink(device);
        addFabric(device);
        addRemapping(device);
        Reading<String> health = health();
        device.with(DeviceFact.HEALTH, NvidiaFabricHealth.of(this::value).judge(health));
        device.available(!new NvidiaValue(health.find().orElse(""), log.source()).reportsBrokenGpu());
        return device.build();
    }

    /// A value of the GPU's block.
    NvidiaValue value(String path) {
        return new NvidiaValue(gpu.value(path), log.source());
    }

    private void identify(AcceleratorProfile.ProfileBuilder device) {
        device.with(DeviceFact.DEVICE_NAME, value("product_name").deviceName())
                .with(DeviceFact.UUID, value("uuid").text())
                .with(DeviceFact.PCI_ADDRESS, address())
                .with(DeviceFact.PCI_ID, pciId(value("pci/pci_device_id")))
                .with(DeviceFact.ARCHITECTURE, value("product_architecture").text())
                .with(DeviceFact.FIRMWARE_VERSION, value("vbios_version").capitals())
                .with(DeviceFact.DRIVER_VERSION, log.driverVersion())
                .with(DeviceFact.RUNTIME_VERSION, log.cudaVersion())
                .with(DeviceFact.COMPUTE_CAPABILITY, value("compute_cap").text())
                .with(DeviceFact.PARTITIONING, partitioning(value("mig_mode/current_mig")))
                .with(DeviceFact.COMPUTE_MODE, value("compute_mode").text().map(NvmlHealth::computeMode))
                .with(
                        DeviceFact.VIRTUALIZATION,
                        value("gpu_virtualization_mode/virtualization_mode").word());
    }

    private Reading<PciAddress> address() {
        NvidiaValue bus = new NvidiaValue(gpu.id().isEmpty() ? gpu.value("pci/pci_bus_id") : gpu.id(), log.source());
        return address(bus);
    }

    /// An address as text; one that cannot be read is unknown.
    static Reading<PciAddress> address(NvidiaValue value) {
        return convert(value, PciAddress::find);
    }

    /// Device and vendor in one number, `233510DE` or `0x233510DE`, in the usual form: `10de:2335`.
    static Reading<String> pciId(NvidiaValue value) {
        return convert(value, text -> {
            String digits = text.toLowerCase(Locale.ROOT);
            digits = digits.startsWith("0x") ? digits.substring(2) : digits;
            return digits.length() == PCI_ID_DIGITS
                            && digits.endsWith(VENDOR)
                            && digits.chars().allMatch(c -> Character.digit(c, 16) >= 0)
                    ? Optional.of(digits.substring(4) + ":" + digits.substring(0, 4))
                    : Optional.empty();
        });
    }

    private static <T> Reading<T> convert(NvidiaValue value, Function<String, Optional<T>> conversion) {
        Reading<String> text = value.text();
        if (!text.isKnown()) {
            return Reading.<T>notSupported(value.source().source() + " does not report it");
        }
        return text.find()
                .flatMap(conversion)
                .map(converted -> Reading.known(converted, value.source()))
                .orElseGet(() -> Reading.unknown(
                        UnknownReason.UNREADABLE, value.source().source() + " reports '" + value.raw() + "'"));
    }

    /// `MIG` or `none`; unknown for GPUs that cannot be divided.
    static Reading<String> partitioning(NvidiaValue mode) {
        return mode.enabled().map(enabled -> enabled ? "MIG" : "none");
    }

    private void addMemory(AcceleratorProfile.ProfileBuilder device) {
        device.with(DeviceFact.MEMORY, value("fb_memory_usage/total").mebibytes())
                .with(
                        DeviceFact.MEMORY_RESERVED,
                        value("fb_memory_usage/reserved").mebibytes())
                .with(DeviceFact.MEMORY_USED, value("fb_memory_usage/used").mebibytes())
                .with(DeviceFact.MEMORY_FREE, value("fb_memory_usage/free").mebibytes())
                .with(DeviceFact.ECC, value("ecc_mode/current_ecc").enabled());
        device.with(
                        DeviceFact.ECC_CORRECTED,
                        errors("volatile", "single_bit/total", "sram_correctable", "dram_correctable"))
                .with(DeviceFact.ECC_UNCORRECTED, errors("volatile", UNCORRECTED))
                .with(DeviceFact.ECC_UNCORRECTED_LIFETIME, errors("aggregate", UNCORRECTED))
                .with(DeviceFact.SRAM_THRESHOLD_EXCEEDED, isYes("ecc_errors/aggregate/sram_threshold_exceeded"));
    }

    private Reading<Boolean> isYes(String path) {
        return value(path).text().map("Yes"::equals);
    }

    /// Older GPUs retire pages of their memory instead of rows.
    private void addRemapping(AcceleratorProfile.ProfileBuilder device) {
        Reading<Long> corrected = value(ROWS + "corr").count("", Integer.MAX_VALUE);
        Reading<Long> uncorrected = value(ROWS + "unc").count("", Integer.MAX_VALUE);
        long first = corrected.find().orElse(0L);
        device.with(
                DeviceFact.REMAPPED_ROWS, corrected.isKnown() ? uncorrected.map(second -> first + second) : corrected);
        Reading<Boolean> rowsPending = isYes(ROWS + "pending");
        Reading<Boolean> pending = rowsPending.isKnown() ? rowsPending : isYes("retired_pages/pending_retirement");
        boolean failed = isYes(ROWS + "failure").find().orElse(false);
        device.with(DeviceFact.ROW_REMAPPING, pending.map(waits -> NvmlHealth.remapping(waits, failed)));
    }

    /// Memory errors: `volatile` since the driver started, `aggregate` since the GPU was made. Older drivers print
    /// totals, newer ones a counter for each kind of
    /// memory: the sum of what there is. A counter that the GPU does not have counts nothing. One that cannot be
    /// read makes a sum of 0 unknown, but does not undo errors that others counted.
    private Reading<Long> errors(String counter, String... tags) {
        Reading<Long> sum = Reading.notSupported(log.source().source() + " does not report it");
        Reading<Long> unreadable = Reading.notProbed();
        for (String tag : tags) {
            String path = "ecc_errors/" + counter + "/" + tag;
            Reading<Long> count = value(path).count("", Long.MAX_VALUE / tags.length);
            if (count.isKnown()) {
                long before = sum.find().orElse(0L);
                sum = count.map(more -> before + more);
            } else if (count instanceof Reading.Unknown<Long>(UnknownReason reason, var _)
                    && reason != UnknownReason.NOT_SUPPORTED) {
                unreadable = count;
            }
        }
        return unreadable.isNotProbed() || sum.matches(errors -> errors > 0) ? sum : unreadable;
    }

    private void addLoad(AcceleratorProfile.ProfileBuilder device) {
        device.with(DeviceFact.TEMPERATURE, value("temperature/gpu_temp").celsius())
                .with(
                        DeviceFact.MEMORY_TEMPERATURE,
                        value("temperature/memory_temp").celsius())
                .with(DeviceFact.UTILIZATION, value("utilization/gpu_util").percent())
                .with(
                        DeviceFact.POWER,
                        power("power_draw", "average_power_draw", "instant_power_draw")
                                .watts())
                .with(
                        DeviceFact.POWER_LIMIT,
                        power("enforced_power_limit", "current_power_limit", "power_limit")
                                .watts())
                .with(DeviceFact.CLOCK, clock("clocks").megahertz())
                .with(DeviceFact.CLOCK_MAX, clock("max_clocks").megahertz())
                .with(DeviceFact.MEMORY_CLOCK, value("clocks/mem_clock").megahertz())
                .with(DeviceFact.MEMORY_CLOCK_MAX, value("max_clocks/mem_clock").megahertz())
                .with(DeviceFact.THROTTLING, throttling())
                .with(DeviceFact.PROCESSES, processes(_ -> true));
    }

    /// Drivers before 535 call the events throttling. An idle GPU, and clocks that a user set, are none.
    private Reading<String> throttling() {
        String word = gpu.find("clocks_event_reasons").isPresent() ? "event" : "throttle";
        List<String> reasons = new ArrayList<>();
        boolean told = false;
        for (String reason : NvidiaThrottling.REASONS) {
            Reading<String> state = value(
                            "clocks_" + word + "_reasons/clocks_" + word + "_reason_" + reason.replace(' ', '_'))
                    .text();
            told = told || state.isKnown();
            if (state.matches("Active"::equals)) {
                reasons.add(reason);
            }
        }
        return told
                ? Reading.known(NvidiaThrottling.text(reasons), log.source())
                : Reading.notSupported(log.source().source() + " does not report it");
    }

    /// The first of some tags that has a value, in whichever block this driver has for the GPU alone; the block for
    /// the whole module is another thing. Branch 610 of the driver puts the limits one block deeper.
    NvidiaValue power(String... tags) {
        String raw = "";
        for (String block : new String[] {"gpu_power_readings", "power_readings"}) {
            for (String tag : tags) {
                String text = gpu.find(block)
                        .flatMap(readings -> readings.findWithin(tag))
                        .map(NvidiaElement::text)
                        .orElse("");
                NvidiaValue candidate = new NvidiaValue(text, log.source());
                if (candidate.watts().isKnown()) {
                    return candidate;
                }
                raw = raw.isEmpty() ? text : raw;
            }
        }
        return new NvidiaValue(raw, log.source());
    }

    private NvidiaValue clock(String block) {
        NvidiaValue multiprocessors = value(block + "/sm_clock");
        return multiprocessors.megahertz().isKnown() ? multiprocessors : value(block + "/graphics_clock");
    }

    private void addLink(AcceleratorProfile.ProfileBuilder device) {
        String link = "pci/pci_gpu_link_info/";
        device.with(DeviceFact.PCIE_GENERATION_MAX, generation(value(link + "pcie_gen/max_link_gen")))
                .with(DeviceFact.PCIE_GENERATION, generation(value(link + "pcie_gen/current_link_gen")))
                .with(DeviceFact.PCIE_WIDTH_MAX, width(value(link + "link_widths/max_link_width")))
                .with(DeviceFact.PCIE_WIDTH, width(value(link + "link_widths/current_link_width")));
    }

    static Reading<Long> generation(NvidiaValue value) {
        return value.count("", MAX_GENERATION);
    }

    /// Lanes, such as `16x`.
    static Reading<Long> width(NvidiaValue value) {
        return value.count("x", MAX_WIDTH);
    }

    private void addFabric(AcceleratorProfile.ProfileBuilder device) {
        NvidiaFabricHealth health = NvidiaFabricHealth.of(this::value);
        device.with(
                DeviceFact.FABRIC_STATE,
                health.describe(NvidiaFabricHealth.state(value("fabric/state"), value("fabric/status"))));
        Reading<String> clique = value("fabric/cliqueId").text();
        Reading<String> cluster = value("fabric/clusterUuid").text();
        // Without a cluster of several hosts the id is all zeros.
        boolean alone = cluster.matches(NIL_UUID::equals);
        device.with(
                DeviceFact.FABRIC_DOMAIN,
                alone
                        ? Reading.notSupported("the fabric spans no other host")
                        : cluster.map(
                                id -> id + clique.find().map(text -> "/" + text).orElse("")));
    }

    private Reading<String> health() {
        for (String path : new String[] {"fb_memory_usage/total", "temperature/gpu_temp", "product_name"}) {
            if (value(path).reportsBrokenGpu()) {
                String words =
                        value(path).raw().replace("[", "").replace("]", "").strip();
                return Reading.known(words, log.source());
            }
        }
        if (isYes("ecc_errors/unrepairable_memory").find().orElse(false)) {
            return Reading.known("its memory cannot be repaired", log.source());
        }
        Reading<String> action = value("gpu_recovery_action").text();
        if (action.isKnown()) {
            return action.map(text -> text.equals("None") ? "ok" : "recovery action: " + text);
        }
        return value("gpu_reset_status/reset_required").text().map(text -> text.equals("No") ? "ok" : "reset required");
    }

    /// Programs that hold memory of the GPU or of one of its MIG devices.
    ///
    /// @param wanted the elements that are taken
    Reading<ProcessList> processes(Predicate<NvidiaElement> wanted) {
        Provenance source = log.source();
        Optional<NvidiaElement> block = gpu.find("processes");
        if (block.isEmpty()) {
            return Reading.notSupported(source.source() + " does not report it");
        }
        Reading<String> remark = new NvidiaValue(block.get().text(), source).text();
        if (!block.get().text().isEmpty() && !remark.isKnown()) {
            return remark.map(_ -> new ProcessList(List.of()));
        }
        List<DeviceProcess> found = new ArrayList<>();
        for (NvidiaElement process : block.get().all("process_info")) {
            Optional<Long> pid = Amount.count(process.value("pid"), Long.MAX_VALUE);
            if (wanted.test(process) && pid.isPresent() && found.size() < MAX_PROCESSES) {
                NvidiaValue name = new NvidiaValue(process.value("process_name"), source);
                NvidiaValue memory = new NvidiaValue(process.value("used_memory"), source);
                found.add(new DeviceProcess(
                        pid.get(),
                        name.text().find().orElse(null),
                        memory.mebibytes().find().orElse(null)));
            }
        }
        return Reading.known(new ProcessList(found), source);
    }
}
