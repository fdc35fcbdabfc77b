// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.google;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.TpuVersion;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.DeviceSearch;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds Google TPUs. A node called `accel` proves nothing, since NPUs have it too: a TPU is what the driver, the
/// PCI id, the variables of a TPU machine or `tpu-info` call one.
public final class TpuProbe implements DeviceSearch {
    static final String NAME = "tpu";

    static final Tool TPU_INFO = Tool.of("tpu-info");
    static final String TYPE = "TPU_ACCELERATOR_TYPE";

    private static final String ACCEL = "/sys/class/accel";
    private static final String VERSION = "tpu_version";
    private static final String BOUNDS = "TPU_CHIPS_PER_HOST_BOUNDS";
    private static final long MAX_CHIPS = 1024;

    @Override
    public boolean hasSigns(ProbeContext context) {
        if (context.pci().has(TpuProbe::isTpu)
                || context.host().variables().containsKey(TYPE)
                || context.isInstalled(TPU_INFO)) {
            return true;
        }
        for (String node : context.files().names(ACCEL)) {
            if (context.files().exists(ACCEL + "/" + node + "/device/" + VERSION)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isTpu(PciDevice device) {
        return device.vendor() == TpuGeneration.VENDOR && TpuGeneration.isTpu(device.device());
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        TpuChips found = new TpuChips(context, report);
        addFromDriver(context, report, found);
        if (found.isEmpty()) {
            addFromBus(context, report, found);
        }
        if (found.isEmpty()) {
            addFromVariables(context, report, found);
        }
        askTool(context, report, found);
        found.finish();
        return report.build();
    }

    private static void addFromDriver(ProbeContext context, ProbeReport.ReportBuilder report, TpuChips found) {
        Set<String> slots = new HashSet<>();
        for (String node : context.files().numbered(ACCEL, "accel")) {
            AttributeFolder folder = context.folder(ACCEL + "/" + node + "/device", report::add);
            if (!folder.has(VERSION)) {
                continue;
            }
            long number =
                    Amount.count(node.substring("accel".length()), MAX_CHIPS).orElse(0L);
            String words = folder.text(VERSION).find().orElse("");
            Optional<TpuVersion> version = TpuGeneration.find(words).or(() -> fromIds(folder));
            if (version.isEmpty()) {
                report.add(unknownGeneration(folder.path() + "/" + VERSION, words));
                continue;
            }
            if (isSecondFunction(
                    version.get(), context.files().findLinkName(folder.path()).orElse(node), slots)) {
                continue;
            }
            long chips = folder.count("chip_count")
                    .find()
                    .filter(count -> count > 0 && count <= 0xFFFF_FFFFL)
                    // A node of its own is at least a chip of its own.
                    .orElse(1L);
            found.add(number, chips, version.get(), words, folder.source(VERSION));
        }
    }

    /// A chip of TPU v7 has two PCI functions, with a node each.
    private static boolean isSecondFunction(TpuVersion version, String address, Set<String> slots) {
        int dot = address.lastIndexOf('.');
        return version == TpuVersion.V7 && dot > 0 && !slots.add(address.substring(0, dot));
    }

    private static Optional<TpuVersion> fromIds(AttributeFolder folder) {
        return folder.hex("device")
                .find()
                .flatMap(device -> TpuGeneration.find(
                        device.intValue(), folder.hex("subsystem_device").find().orElse(0L)));
    }

    private static void addFromBus(ProbeContext context, ProbeReport.ReportBuilder report, TpuChips found) {
        Set<String> slots = new HashSet<>();
        for (PciDevice device : context.pci().ofVendor(TpuGeneration.VENDOR)) {
            if (!TpuGeneration.isTpu(device.device())) {
                continue;
            }
            AttributeFolder folder = context.folder(device.folder(), report::add);
            long subsystem = folder.hex("subsystem_device").find().orElse(0L);
            Optional<TpuVersion> version = TpuGeneration.find(device.device(), subsystem);
            if (version.isPresent()
                    && isSecondFunction(version.get(), device.address().toString(), slots)) {
                continue;
            }
            if (version.isPresent()) {
                found.add(device, folder, version.get());
            } else {
                report.add(unknownGeneration(device.folder(), device.id()));
            }
        }
    }

    /// In a container the bus may be hidden; the variables tell the type, the nodes tell that chips are there.
    private static void addFromVariables(ProbeContext context, ProbeReport.ReportBuilder report, TpuChips found) {
        String type = context.host().variables().getOrDefault(TYPE, "");
        List<String> nodes = context.files().numbered("/dev/vfio", "");
        if (nodes.isEmpty()) {
            nodes = context.files().numbered("/dev", "accel");
        }
        if (type.isBlank() || nodes.isEmpty()) {
            return;
        }
        Optional<TpuVersion> version = TpuGeneration.find(type);
        if (version.isEmpty()) {
            report.add(unknownGeneration(TYPE, type));
            return;
        }
        // Other devices may be handed through by VFIO too: never more chips than the machine is said to have.
        long chips = Math.min(
                nodes.size(),
                chipsOf(context.host().variables().getOrDefault(BOUNDS, "")).orElse(MAX_CHIPS));
        Provenance source = context.fromVariable(TYPE);
        for (int i = 0; i < chips; i++) {
            found.add(i, 1, version.get(), version.get().display(), source);
        }
    }

    /// The chips of a machine whose sides are written as `2,2,1`.
    private static Optional<Long> chipsOf(String bounds) {
        long chips = 1;
        for (String side : bounds.split(",")) {
            Optional<Long> length = Amount.count(side, MAX_CHIPS);
            if (length.isEmpty() || length.get() == 0 || chips * length.get() > MAX_CHIPS) {
                return Optional.empty();
            }
            chips *= length.get();
        }
        return Optional.of(chips);
    }

    private static void askTool(ProbeContext context, ProbeReport.ReportBuilder report, TpuChips found) {
        context.ask(TPU_INFO, report::add)
                .map(text -> TpuInfoParser.parse(text, context.fromTool(TPU_INFO)))
                .ifPresent(listing -> found.add(withRuntime(context, listing)));
    }

    private static TpuInfoParser.Listing withRuntime(ProbeContext context, TpuInfoParser.Listing listing) {
        if (!listing.runtime().isNotProbed() || listing.chips().isEmpty()) {
            return listing;
        }
        return context.run(TPU_INFO, "--version")
                .findOutput()
                .map(text -> TpuInfoParser.parse(text, context.fromTool(TPU_INFO)))
                .map(versions -> new TpuInfoParser.Listing(versions.runtime(), versions.type(), listing.chips()))
                .orElse(listing);
    }

    static Gap unknownGeneration(String where, String words) {
        return new Gap.Unparsable(NAME, where + " names no known generation of TPU: '" + words + "'");
    }
}
