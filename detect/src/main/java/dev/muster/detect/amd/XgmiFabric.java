// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The XGMI links between GPUs. Confined to one thread.
///
/// One link stands for all wires between two GPUs. The rate of a hive is what one GPU can send to all others together,
/// the slowest GPU's where they differ: the sum of its links, or what the data sheet says.
final class XgmiFabric {
    private static final double MEGABYTES = 1000;
    private static final Provenance HIVE =
            Provenance.of("XGMI hive", Provenance.Method.DERIVED, Provenance.Confidence.MEASURED);

    private final Catalogue catalogue;
    private final ProbeReport.ReportBuilder report;
    private final List<AcceleratorProfile> gpus;
    /// By the numbers of both ends, the lower first.
    private final Map<Pair, Reading<Bandwidth>> rates = new TreeMap<>();

    private record Pair(int lower, int higher) implements Comparable<Pair> {
        static Pair of(int one, int other) {
            return new Pair(Math.min(one, other), Math.max(one, other));
        }

        @Override
        public int compareTo(Pair other) {
            int lowers = Integer.compare(lower, other.lower);
            return lowers == 0 ? Integer.compare(higher, other.higher) : lowers;
        }
    }

    /// @param gpus the whole GPUs, in the order of their numbers
    XgmiFabric(Catalogue catalogue, ProbeReport.ReportBuilder report, List<AcceleratorProfile> gpus) {
        this.catalogue = catalogue;
        this.report = report;
        this.gpus = new ArrayList<>(gpus);
    }

    /// Takes the links of the compute driver's topology. Of a divided GPU the first partition speaks for all: each has
    /// the same links to other packages, and those within the package are not fabric.
    void add(KfdTopology topology, List<GpuPackage> packages) {
        Map<Integer, Integer> gpuOfNode = new LinkedHashMap<>();
        for (int i = 0; i < packages.size(); i++) {
            for (KfdNode node : packages.get(i).nodes()) {
                gpuOfNode.put(node.number(), i);
            }
        }
        for (int i = 0; i < packages.size() && gpuOfNode.size() > 1; i++) {
            for (KfdNode node : packages.get(i).nodes().stream().limit(1).toList()) {
                for (KfdLink link : topology.links(node)) {
                    Integer other = gpuOfNode.get(link.to());
                    if (link.type() == KfdLink.XGMI && other != null && other != i) {
                        add(Pair.of(i, other), rate(link, topology.source(node)));
                    }
                }
            }
        }
    }

    private static Reading<Bandwidth> rate(KfdLink link, Provenance source) {
        return link.maxBandwidth() > 0
                ? Reading.known(new Bandwidth(link.maxBandwidth() / MEGABYTES), source)
                : Reading.notSupported("the driver reports no bandwidth");
    }

    private void add(Pair pair, Reading<Bandwidth> rate) {
        Reading<Bandwidth> known = rates.get(pair);
        if (known == null || !known.isKnown()) {
            rates.put(pair, rate);
        }
    }

    /// Takes the pairs that a table calls XGMI. It names GPUs by their addresses, or its order is theirs.
    void add(LinkMatrix types) {
        for (int i = 0; i < types.size() && types.size() == gpus.size(); i++) {
            for (int j = i + 1; j < types.size(); j++) {
                int from = place(types.labels().get(i), i);
                int to = place(types.labels().get(j), j);
                if (types.cell(i, j).equals("XGMI") && from != to) {
                    add(Pair.of(from, to), Reading.notProbed());
                }
            }
        }
    }

    private int place(String label, int usual) {
        Optional<PciAddress> address = PciAddress.find(label);
        for (int i = 0; i < gpus.size() && address.isPresent(); i++) {
            if (gpus.get(i).reading(DeviceFact.PCI_ADDRESS).matches(address.get()::equals)) {
                return i;
            }
        }
        return usual;
    }

    /// Reports whether there are links of unknown rate.
    boolean lacksRates() {
        return rates.values().stream().anyMatch(rate -> !rate.isKnown());
    }

    /// Takes the rate of single links from the tool that knows it.
    void addRates(List<XgmiPort> ports, Provenance source) {
        rates.replaceAll((pair, rate) -> rate.isKnown()
                ? rate
                : findRate(pair.lower(), ports)
                        .map(known -> Reading.known(known, source))
                        .orElse(rate));
    }

    private Optional<Bandwidth> findRate(int gpu, List<XgmiPort> ports) {
        return ports.stream()
                .filter(port -> gpus.get(gpu).reading(DeviceFact.PCI_ADDRESS).matches(port.address()::equals))
                .map(XgmiPort::linkRate)
                .findFirst();
    }

    /// Reports links and hives; the GPUs, completed by what their links say.
    List<AcceleratorProfile> finish() {
        rates.forEach((pair, rate) -> report.add(
                new Link(node(pair.lower()), node(pair.higher()), LinkKind.XGMI, 1, rate, Reading.notProbed())));
        for (int i = 0; i < gpus.size(); i++) {
            gpus.set(i, withLinks(i));
        }
        hives().forEach(this::addHive);
        return List.copyOf(gpus);
    }

    private NodeId node(int gpu) {
        return TopologyNode.DeviceNode.idOf(gpus.get(gpu).id());
    }

    private AcceleratorProfile withLinks(int gpu) {
        List<Reading<Bandwidth>> own = rates.entrySet().stream()
                .filter(entry -> entry.getKey().lower() == gpu || entry.getKey().higher() == gpu)
                .map(Map.Entry::getValue)
                .toList();
        if (own.isEmpty()) {
            return gpus.get(gpu);
        }
        Provenance derived = Provenance.of("XGMI links", Provenance.Method.DERIVED, Provenance.Confidence.MEASURED);
        AcceleratorProfile.ProfileBuilder builder =
                gpus.get(gpu).toBuilder().with(DeviceFact.FABRIC_LINKS, Reading.known((long) own.size(), derived));
        if (own.stream().allMatch(Reading::isKnown)) {
            double sum = own.stream()
                    .mapToDouble(rate -> rate.find().orElseThrow().gigabytesPerSecond())
                    .sum();
            builder.with(DeviceFact.FABRIC_BANDWIDTH, Reading.known(new Bandwidth(sum), derived));
        }
        return builder.build();
    }

    /// The GPUs of each hive by its name; GPUs that are joined without a hive's name are one without a name.
    private Map<String, List<AcceleratorProfile>> hives() {
        Map<String, List<AcceleratorProfile>> hives = new LinkedHashMap<>();
        for (int i = 0; i < gpus.size(); i++) {
            int number = i;
            boolean joined =
                    rates.keySet().stream().anyMatch(pair -> pair.lower() == number || pair.higher() == number);
            AcceleratorProfile gpu = gpus.get(i);
            gpu.reading(DeviceFact.FABRIC_DOMAIN)
                    .find()
                    .or(() -> joined ? Optional.of("") : Optional.empty())
                    .ifPresent(hive ->
                            hives.computeIfAbsent(hive, _ -> new ArrayList<>()).add(gpu));
        }
        return hives;
    }

    private void addHive(String hive, List<AcceleratorProfile> members) {
        if (members.size() < 2) {
            return;
        }
        String size = members.size() + " GPUs";
        String name = (hive.isEmpty() ? "XGMI" : "XGMI hive " + hive) + " (" + size + ")";
        report.add(new Interconnect(
                Interconnect.InterconnectKind.XGMI, name, slowest(members), Reading.known(size, HIVE)));
    }

    /// Returns the one-way rate of the slowest member: the sum of its links, or the data sheet's figure.
    private Reading<Bandwidth> slowest(List<AcceleratorProfile> members) {
        Reading<Bandwidth> slowest = Reading.notSupported("the rate of the links is unknown");
        double least = Double.MAX_VALUE;
        for (AcceleratorProfile gpu : members) {
            Reading<Bandwidth> told = gpu.reading(DeviceFact.FABRIC_BANDWIDTH);
            Reading<Bandwidth> rate = told.isKnown()
                    ? told
                    : catalogue
                            .findFabricRate(gpu)
                            .map(value -> Reading.known(value, ProbeContext.fromCatalogue("data sheets")))
                            .orElse(told);
            double value = rate.find().map(Bandwidth::gigabytesPerSecond).orElse(Double.MAX_VALUE);
            if (value < least) {
                least = value;
                slowest = rate;
            }
        }
        return slowest;
    }
}
