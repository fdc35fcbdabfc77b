// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.aws;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Gap;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NeuronChip;
import dev.muster.core.NodeId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The Neuron devices of a host as they are found, source by source. Confined to one thread.
final class NeuronDevices {
    private static final Provenance CATALOGUE = ProbeContext.fromCatalogue("AWS Neuron devices");
    /// A device without any description has at least one core.
    private static final long LEAST_CORES = 1;

    private final ProbeContext context;
    private final ProbeReport.ReportBuilder report;
    private final List<PciDevice> bus;
    private final Reading<NeuronChip> evidence;
    private final TreeMap<Long, AcceleratorProfile.ProfileBuilder> profiles = new TreeMap<>();
    private final TreeMap<Long, List<Long>> neighbours = new TreeMap<>();
    private boolean listed;

    /// Starts without devices.
    ///
    /// @param bus the host's Neuron devices on the PCI bus
    /// @param chip the chip that the host is known to have
    NeuronDevices(
            ProbeContext context, ProbeReport.ReportBuilder report, List<PciDevice> bus, Reading<NeuronChip> chip) {
        this.context = context;
        this.report = report;
        this.bus = bus;
        this.evidence = chip;
    }

    /// Adds what the tool lists.
    void add(NeuronLsParser.Listing listing) {
        listed = true;
        Provenance tool = context.fromTool(NeuronProbe.NEURON_LS);
        for (NeuronLsParser.Listing.Device device : listing.devices()) {
            Reading<NeuronChip> named = NeuronChips.find(device.model())
                    .map(chip -> Reading.known(chip, tool))
                    .orElse(evidence);
            AcceleratorProfile.ProfileBuilder profile = start(device.number(), named, device.cores())
                    .with(DeviceFact.COMPUTE_UNITS, Reading.known(device.cores(), tool))
                    .with(
                            DeviceFact.FABRIC_LINKS,
                            Reading.known((long) device.neighbours().size(), tool));
            device.address().find().flatMap(context.pci()::find).ifPresent(found -> describe(profile, found));
            if (device.address().isKnown()) {
                profile.with(DeviceFact.PCI_ADDRESS, device.address());
            }
            if (device.numaNode().isKnown()) {
                profile.with(DeviceFact.NUMA_NODE, device.numaNode());
            }
            profile.with(DeviceFact.MEMORY, device.memory().isKnown() ? device.memory() : memory(named));
            if (!listing.coreConfig().isEmpty()) {
                profile.with(
                        DeviceFact.PARTITIONING,
                        Reading.known("logical-neuroncore-config " + listing.coreConfig(), tool));
            }
            device.processes().ifPresent(programs -> profile.with(DeviceFact.PROCESSES, Reading.known(programs, tool)));
            neighbours.put(device.number(), device.neighbours());
        }
    }

    /// Adds the devices that the driver shows, or those on the bus without a driver.
    void addNodes(Set<Long> numbers) {
        for (long number : numbers) {
            if (!profiles.containsKey(number)) {
                addNode(number, numbers.size());
            }
            addDriverFacts(number);
        }
        if (profiles.isEmpty()) {
            for (PciDevice device : bus) {
                Reading<NeuronChip> chip = NeuronChips.find(device.device())
                        .map(known -> Reading.known(known, context.fromFile(device.folder() + "/uevent")))
                        .orElse(evidence);
                long cores = chip.find().map(NeuronChips::cores).orElse(LEAST_CORES);
                AcceleratorProfile.ProfileBuilder profile =
                        start(profiles.size(), chip, cores).available(false).with(DeviceFact.MEMORY, memory(chip));
                describe(profile, device);
            }
        }
    }

    private void addNode(long number, int devices) {
        AttributeFolder folder = folder(number);
        Optional<Long> told =
                folder.count("core_count").find().filter(cores -> cores > 0 && cores <= NeuronLsParser.MAX_CORES);
        long cores = told.or(() -> evidence.find().map(NeuronChips::cores)).orElse(LEAST_CORES);
        AcceleratorProfile.ProfileBuilder profile =
                start(number, evidence, cores).with(DeviceFact.MEMORY, memory(evidence));
        profile.with(
                DeviceFact.COMPUTE_UNITS,
                told.isPresent()
                        ? folder.count("core_count")
                        : evidence.find()
                                .map(chip -> catalogued(NeuronChips.cores(chip)))
                                .orElseGet(NeuronDevices::unknownChip));
        // Which address belongs to which number, only the tool tells.
        if (devices == 1 && bus.size() == 1) {
            describe(profile, bus.getFirst());
        }
        neighbours.put(number, connected(folder));
        if (listed) {
            report.add(new Gap.Conflict(
                    "neuron:" + number, "listed by the driver but not by " + NeuronProbe.NEURON_LS.name()));
        }
    }

    private static List<Long> connected(AttributeFolder folder) {
        List<Long> numbers = new ArrayList<>();
        for (String word : folder.text("connected_devices").find().orElse("").split("[,\\s]+")) {
            Amount.count(word, NeuronLsParser.MAX_DEVICES).ifPresent(numbers::add);
        }
        return numbers;
    }

    private void addDriverFacts(long number) {
        AcceleratorProfile.ProfileBuilder profile = profiles.get(number);
        if (profile == null) {
            return;
        }
        Reading<String> serial = folder(number).folder("info").text("serial_number");
        if (serial.isKnown()) {
            profile.with(DeviceFact.UUID, serial);
        }
        Reading<String> version =
                context.folder("/sys/module/neuron", report::add).text("version");
        if (version.isKnown()) {
            profile.with(DeviceFact.DRIVER_VERSION, version);
        }
    }

    private AttributeFolder folder(long number) {
        return context.folder(NeuronProbe.DRIVER_FOLDER + "/neuron" + number, report::add);
    }

    private void describe(AcceleratorProfile.ProfileBuilder profile, PciDevice device) {
        PciFacts.identify(profile, device, context.folder(device.folder(), report::add));
    }

    private AcceleratorProfile.ProfileBuilder start(long number, Reading<NeuronChip> known, long cores) {
        if (!known.isKnown()) {
            report.add(new Gap.Unparsable(
                    "aws-neuron", "the chip of neuron" + number + " is unknown; it is listed as Inferentia"));
        }
        NeuronChip chip = known.find().orElse(NeuronChip.INFERENTIA);
        AcceleratorProfile.ProfileBuilder profile =
                AcceleratorProfile.builder(new AcceleratorType.Neuron(number, chip, cores));
        profile.with(DeviceFact.COMPUTE_CAPABILITY, known.map(name -> "Neuron " + name.display()));
        profiles.put(number, profile);
        return profile;
    }

    private static Reading<Bytes> memory(Reading<NeuronChip> chip) {
        return chip.find().map(known -> catalogued(NeuronChips.memory(known))).orElseGet(NeuronDevices::unknownChip);
    }

    private static <T> Reading<T> catalogued(T value) {
        return Reading.known(value, CATALOGUE);
    }

    private static <T> Reading<T> unknownChip() {
        return Reading.notSupported("the chip is unknown");
    }

    /// Writes the devices and the links between them into the report.
    void finish() {
        profiles.values().forEach(profile -> report.add(profile.build()));
        neighbours.forEach((number, others) -> {
            for (long other : others) {
                boolean toldTwice = other < number
                        && neighbours.getOrDefault(other, List.of()).contains(number);
                if (other != number && profiles.containsKey(other) && !toldTwice) {
                    report.add(Link.of(node(number), node(other), LinkKind.NEURON_LINK));
                }
            }
        });
    }

    private static NodeId node(long number) {
        return TopologyNode.DeviceNode.idOf(new DeviceId(AcceleratorKind.AWS_NEURON.text() + ":" + number));
    }
}
