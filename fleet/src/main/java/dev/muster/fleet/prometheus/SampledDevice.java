// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Partition;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The samples of one device, and of its MIG devices. Series of those repeat the
/// GPU's UUID; their own mark is the number of the GPU instance.
final class SampledDevice {
    private static final int MAX_SLICES = 64;
    private static final int MAX_PODS = 64;

    private final Optional<AcceleratorKind> kind;
    private final Provenance provenance;
    private final AcceleratorProfile.ProfileBuilder facts = AcceleratorProfile.builder(AcceleratorType.cpu());
    private final Map<String, Slice> slices = new TreeMap<>();
    private final Set<String> pods = new TreeSet<>();
    private Optional<String> host = Optional.empty();
    private OptionalLong index = OptionalLong.empty();
    private String uuid = "";

    SampledDevice(Optional<AcceleratorKind> kind, Provenance provenance) {
        this.kind = kind;
        this.provenance = provenance;
    }

    /// A GPU instance: its memory is shared by the compute instances in it, each of which is a device.
    private static final class Slice {
        private final AcceleratorProfile.ProfileBuilder facts = AcceleratorProfile.builder(AcceleratorType.cpu());
        /// Shape by id.
        private final Map<String, String> devices = new TreeMap<>();

        private final Set<String> pods = new TreeSet<>();
        private String shape = "";
    }

    /// The devices of a host, as they are numbered.
    static final class Listing {
        private final List<AcceleratorProfile> profiles = new ArrayList<>();
        private final Map<String, List<DeviceId>> pods = new TreeMap<>();
        private final Map<String, Set<Long>> numbers = new TreeMap<>();

        List<AcceleratorProfile> profiles() {
            return profiles;
        }

        Map<String, List<DeviceId>> pods() {
            return pods;
        }

        /// The number that a device has by its own word, or the next that is free.
        private long number(String kind, OptionalLong wanted) {
            Set<Long> taken = numbers.computeIfAbsent(kind, _ -> new HashSet<>());
            long number = wanted.orElse(0);
            while (number > AcceleratorType.MAX_COUNT || !taken.add(number)) {
                number = number >= AcceleratorType.MAX_COUNT ? 0 : number + 1;
            }
            return number;
        }

        private void add(AcceleratorProfile profile, Set<String> holders) {
            profiles.add(profile);
            holders.forEach(
                    pod -> pods.computeIfAbsent(pod, _ -> new ArrayList<>()).add(profile.id()));
        }
    }

    Optional<String> host() {
        return host;
    }

    OptionalLong index() {
        return index;
    }

    String uuid() {
        return uuid;
    }

    void add(Sample sample, Metric<?> metric, String id, Optional<String> hostLabel) {
        host = host.isPresent() ? host : hostLabel;
        index = index.isPresent() ? index : index(sample);
        if (!id.isBlank() && !isBlanked(id)) {
            uuid = id;
            facts.with(DeviceFact.UUID, known(id));
        }
        describe(sample);
        String instance = sample.label("GPU_I_ID", "gpu_instance_id");
        if (instance.isEmpty()) {
            metric.tell(facts, sample.value(), provenance);
            addPod(pods, sample);
        } else if (slices.containsKey(instance) || slices.size() < MAX_SLICES) {
            Slice slice = slices.computeIfAbsent(instance, _ -> new Slice());
            metric.tell(slice.facts, sample.value(), provenance);
            slice.shape = slice.shape.isEmpty() ? sample.label("GPU_I_PROFILE", "profile") : slice.shape;
            String own = sample.label("mig_uuid");
            if (!own.isEmpty() && slice.devices.size() < MAX_SLICES) {
                slice.devices.put(own.startsWith("MIG-") ? own : "MIG-" + own, sample.label("profile"));
            }
            addPod(slice.pods, sample);
        }
    }

    private void describe(Sample sample) {
        String model = sample.label("modelName", "card_series", "model");
        if (model.isEmpty() && sample.name().equals("nvidia_smi_gpu_info")) {
            model = sample.label("name");
        }
        with(DeviceFact.DEVICE_NAME, model);
        with(DeviceFact.DRIVER_VERSION, sample.label("DCGM_FI_DRIVER_VERSION", "driver_version", "driver"));
        with(DeviceFact.COMPUTE_CAPABILITY, sample.label("compute_cap"));
        PciAddress.find(sample.label("pci_bus_id", "pcie_bus_id"))
                .ifPresent(address -> facts.with(DeviceFact.PCI_ADDRESS, Reading.known(address, provenance)));
    }

    private void with(DeviceFact<String> fact, String value) {
        if (!value.isEmpty() && !value.equals("[N/A]")) {
            facts.with(fact, known(value));
        }
    }

    /// Exporters in Kubernetes say which pod has a device. Prometheus renames labels that it sets itself.
    private static void addPod(Set<String> pods, Sample sample) {
        String pod = sample.label("exported_pod", "pod");
        String namespace = sample.label("exported_namespace", "namespace");
        // Without `exported_`, they may be of the exporter's own pod: its name is in the host's, or in its job's.
        boolean isExporter = pod.contains("exporter");
        if (!pod.isEmpty() && !isExporter && pods.size() < MAX_PODS) {
            pods.add(namespace + "/" + pod);
        }
    }

    /// The device's number on its host.
    static OptionalLong index(Sample sample) {
        String device = sample.label("device");
        String text = sample.label("gpu", "gpu_id", "index");
        if (text.isEmpty()) {
            int start = device.length();
            while (start > 0 && Character.isDigit(device.charAt(start - 1))) {
                start--;
            }
            text = device.substring(start);
        }
        boolean isNumber = !text.isEmpty() && text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /// Reports whether the id was replaced by zeros before publishing.
    static boolean isBlanked(String uuid) {
        return uuid.chars().allMatch(c -> c == '0' || c == '-' || c == 'G' || c == 'P' || c == 'U');
    }

    /// Lists the device, and its MIG devices behind it.
    void list(Listing listing) {
        AcceleratorType type = type(listing);
        if (!slices.isEmpty()) {
            facts.with(DeviceFact.PARTITIONING, known("MIG"));
        }
        AcceleratorProfile board = withTotal(facts).accelerator(type).build();
        listing.add(board, slices.isEmpty() ? pods : Set.of());
        slices.forEach((instance, slice) -> {
            Map<String, String> own = slice.devices.isEmpty() ? Map.of("GI-" + instance, slice.shape) : slice.devices;
            own.forEach((id, shape) -> {
                AcceleratorProfile.ProfileBuilder profile = withTotal(slice.facts)
                        .accelerator(type)
                        .partition(new Partition(board.id(), id, shape.isEmpty() ? slice.shape : shape));
                if (!slice.devices.isEmpty()) {
                    profile.with(DeviceFact.UUID, known(id));
                }
                board.deviceName()
                        .find()
                        .ifPresent(name -> profile.with(DeviceFact.DEVICE_NAME, known(name + " MIG " + shape)));
                listing.add(profile.build(), slice.pods);
            });
        });
    }

    private AcceleratorType type(Listing listing) {
        if (kind.isPresent() && !kind.get().needsMore()) {
            return AcceleratorType.of(kind.get(), listing.number(kind.get().text(), index));
        }
        // Series do not tell the generation that some kinds need.
        String name = kind.map(known -> known.text() + "-device").orElse("unknown");
        AcceleratorFamily family = kind.map(AcceleratorKind::family).orElse(AcceleratorFamily.AI_ASIC);
        return new AcceleratorType.Other(name, family, listing.number(name, index));
    }

    /// Used, free and reserved memory make up the total, where no series tells that.
    private AcceleratorProfile.ProfileBuilder withTotal(AcceleratorProfile.ProfileBuilder of) {
        AcceleratorProfile known = of.build();
        Optional<Bytes> used = known.reading(DeviceFact.MEMORY_USED).find();
        Optional<Bytes> free = known.reading(DeviceFact.MEMORY_FREE).find();
        if (!known.memory().isKnown() && used.isPresent() && free.isPresent()) {
            Optional<Bytes> reserved = known.reading(DeviceFact.MEMORY_RESERVED).find();
            Bytes total = used.get().saturatingPlus(free.get()).saturatingPlus(reserved.orElse(Bytes.ZERO));
            // Without what the driver keeps for itself the sum falls a little short.
            Provenance.Confidence confidence =
                    reserved.isPresent() ? Provenance.Confidence.MEASURED : Provenance.Confidence.ASSUMED;
            of.with(
                    DeviceFact.MEMORY,
                    Reading.known(total, Provenance.of(provenance.source(), Provenance.Method.DERIVED, confidence)));
        }
        return of;
    }

    private Reading<String> known(String value) {
        return Reading.known(value, provenance);
    }
}
