// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.google;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TpuVersion;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The TPUs of a host as they are found, source by source. Confined to one thread.
final class TpuChips {
    private static final Provenance CATALOGUE = ProbeContext.fromCatalogue("TPU generations");

    private final ProbeContext context;
    private final ProbeReport.ReportBuilder report;
    private final List<AcceleratorProfile.ProfileBuilder> profiles = new ArrayList<>();
    private final List<AcceleratorType.Tpu> types = new ArrayList<>();
    private String words = "";

    TpuChips(ProbeContext context, ProbeReport.ReportBuilder report) {
        this.context = context;
        this.report = report;
    }

    boolean isEmpty() {
        return profiles.isEmpty();
    }

    /// Adds a device.
    ///
    /// @param named the source's name of the generation
    AcceleratorProfile.ProfileBuilder add(
            long number, long chips, TpuVersion version, String named, Provenance source) {
        AcceleratorType.Tpu type = new AcceleratorType.Tpu(number, chips, version);
        AcceleratorProfile.ProfileBuilder profile = AcceleratorProfile.builder(type)
                .with(DeviceFact.MEMORY, Reading.known(version.memoryPerChip().saturatingTimes(chips), CATALOGUE))
                .with(DeviceFact.COMPUTE_CAPABILITY, Reading.known("TPU " + version.display(), source));
        profiles.add(profile);
        types.add(type);
        words = words.isEmpty() ? named : words;
        return profile;
    }

    /// Adds one chip of the PCI bus.
    void add(PciDevice device, AttributeFolder folder, TpuVersion version) {
        PciFacts.identify(add(profiles.size(), 1, version, version.display(), folder.source("uevent")), device, folder);
    }

    /// Adds what `tpu-info` says.
    void add(TpuInfoParser.Listing listing) {
        if (isEmpty()) {
            addAll(listing);
        }
        List<TpuInfoParser.Listing.Chip> chips = listing.chips();
        long known = chipCount();
        if (!chips.isEmpty() && chips.size() != known) {
            report.add(new Gap.Conflict(
                    "tpu",
                    known + " chips according to the host's files, but " + chips.size() + " according to "
                            + TpuProbe.TPU_INFO.name()));
            return;
        }
        int next = 0;
        for (int i = 0; i < profiles.size(); i++) {
            AcceleratorProfile.ProfileBuilder profile = profiles.get(i);
            profile.with(DeviceFact.RUNTIME_VERSION, listing.runtime());
            if (!chips.isEmpty()) {
                int end = next + (int) types.get(i).chipCount();
                complete(profile, chips.subList(next, end));
                next = end;
            }
        }
    }

    private void addAll(TpuInfoParser.Listing listing) {
        for (TpuInfoParser.Listing.Chip chip : listing.chips()) {
            Optional<TpuVersion> version = TpuGeneration.find(chip.type())
                    .or(() -> listing.type().find().flatMap(TpuGeneration::find));
            if (version.isPresent()) {
                add(profiles.size(), 1, version.get(), version.get().display(), context.fromTool(TpuProbe.TPU_INFO));
            } else {
                report.add(TpuProbe.unknownGeneration(TpuProbe.TPU_INFO.name(), chip.type()));
            }
        }
    }

    private long chipCount() {
        long chips = 0;
        for (AcceleratorType.Tpu type : types) {
            chips += type.chipCount();
        }
        return chips;
    }

    private static void complete(AcceleratorProfile.ProfileBuilder profile, List<TpuInfoParser.Listing.Chip> chips) {
        Reading<Bytes> total = sum(chips, TpuInfoParser.Listing.Chip::memory);
        Reading<Bytes> used = sum(chips, TpuInfoParser.Listing.Chip::used);
        if (total.isKnown()) {
            profile.with(DeviceFact.MEMORY, total);
        }
        profile.with(DeviceFact.MEMORY_USED, used);
        used.find()
                .filter(taken ->
                        total.find().filter(all -> taken.compareTo(all) <= 0).isPresent())
                .ifPresent(taken -> profile.with(DeviceFact.MEMORY_FREE, total.map(all -> all.minus(taken))));
        if (chips.size() == 1) {
            profile.with(DeviceFact.UTILIZATION, chips.getFirst().duty());
        }
    }

    private static Reading<Bytes> sum(
            List<TpuInfoParser.Listing.Chip> chips, Function<TpuInfoParser.Listing.Chip, Reading<Bytes>> amount) {
        Reading<Bytes> sum = amount.apply(chips.getFirst());
        for (TpuInfoParser.Listing.Chip chip : chips.subList(1, chips.size())) {
            sum = TpuInfoParser.sum(sum, amount.apply(chip));
        }
        return sum;
    }

    /// Writes the devices and the fabric between their chips into the report.
    void finish() {
        profiles.forEach(profile -> report.add(profile.build()));
        long chips = chipCount();
        if (chips < 2) {
            return;
        }
        double rate = 0;
        for (AcceleratorType.Tpu type : types) {
            rate += type.version().interconnectPerChip().gigabytesPerSecond() * type.chipCount();
        }
        report.add(new Interconnect(
                Interconnect.InterconnectKind.ICI,
                "ICI (" + chips + " chips)",
                Reading.known(new Bandwidth(rate), CATALOGUE),
                Reading.known(chips + " chips, " + words, CATALOGUE)));
    }
}
