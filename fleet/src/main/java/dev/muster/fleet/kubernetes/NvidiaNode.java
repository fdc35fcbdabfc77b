// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/// NVIDIA GPUs of one node, by its resources and the labels of GPU Feature Discovery.
///
/// Resources count what pods can ask for: shares where GPUs are shared, slices where they are divided. The
/// devices are GPUs and slices, each once. Labels do not tell which GPU a slice is of; slices fill the GPUs,
/// the large ones first.
final class NvidiaNode {
    private static final String PREFIX = "nvidia.com/";
    private static final String MIG_MARK = "-MIG-";
    private static final String SHARED_MARK = "-SHARED";
    /// A GPU has seven compute slices (NVIDIA's MIG user guide, 2026-11), and profiles begin with how many they
    /// take.
    private static final int SLICES_OF_GPU = 7;

    private final NodeOffer offer;
    private final Provenance provenance;

    NvidiaNode(NodeOffer offer, Provenance provenance) {
        this.offer = offer;
        this.provenance = provenance;
    }

    List<AcceleratorProfile> devices() {
        String product = offer.label(PREFIX + "gpu.product");
        int mark = product.indexOf(MIG_MARK);
        if (mark >= 0) {
            return singleShape(product.substring(0, mark), withoutShared(product.substring(mark + MIG_MARK.length())));
        }
        Map<String, Long> slices = new TreeMap<>();
        offer.migDevices().forEach((shape, count) -> slices.put(shape, count / replicas("mig-" + shape)));
        OptionalLong labelled = offer.number(PREFIX + "gpu.count");
        long replicas = replicas("gpu");
        long advertised = offer.capacity(DeviceResource.NVIDIA_GPU) / replicas;
        long whole = labelled.isEmpty() ? advertised : slices.isEmpty() ? labelled.getAsLong() : advertised;
        long usable = Math.ceilDiv(offer.allocatable(DeviceResource.NVIDIA_GPU), replicas);
        String name = modelName(withoutShared(product));
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (int i = 0; i < Math.min(whole, NodeDevices.MAX_DEVICES); i++) {
            devices.add(board(i, name, memory("gpu")).available(i < usable).build());
        }
        long divided = Math.max(0, labelled.orElse(0) - whole);
        addDivided(devices, (int) Math.min(divided, NodeDevices.MAX_DEVICES), name, memory("gpu"), slices);
        return devices;
    }

    /// Under the strategy `single` all labels of the GPU speak of its slices.
    private List<AcceleratorProfile> singleShape(String product, String shape) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        long slices = offer.capacity(DeviceResource.NVIDIA_GPU) / replicas("gpu");
        Reading<Bytes> memory = Reading.unknown(UnknownReason.NOT_STATED, "the labels tell the memory of a slice");
        addDivided(devices, 0, modelName(product), memory, Map.of(shape, slices));
        return devices;
    }

    /// Adds the GPUs that are divided, each with its slices behind it.
    ///
    /// @param boards the number of divided GPUs; 0 if unknown, and then as many as the slices need
    private void addDivided(
            List<AcceleratorProfile> devices,
            int boards,
            String name,
            Reading<Bytes> memory,
            Map<String, Long> slices) {
        int first = devices.size();
        Map<String, Long> usable = new TreeMap<>();
        slices.keySet().forEach(shape -> usable.put(shape, usable(shape)));
        List<List<String>> packed = pack(slices, boards);
        for (int i = 0; i < packed.size(); i++) {
            AcceleratorProfile parent = board(first + i, name, memory)
                    .with(DeviceFact.PARTITIONING, known("MIG"))
                    .build();
            devices.add(parent);
            List<String> own = packed.get(i);
            for (int j = 0; j < own.size(); j++) {
                boolean available = usable.merge(own.get(j), -1L, Long::sum) >= 0;
                devices.add(slice(parent.id(), first + i, j, own.get(j), name)
                        .available(available)
                        .build());
            }
        }
    }

    /// The number of slices of a shape that pods can get.
    private long usable(String shape) {
        String resource = "mig-" + shape;
        boolean isOwn = offer.capacity().keySet().stream().anyMatch(name -> name.startsWith(PREFIX + resource));
        return isOwn
                ? Math.max(
                                offer.allocatable().getOrDefault(PREFIX + resource, 0L),
                                offer.allocatable().getOrDefault(PREFIX + resource + ".shared", 0L))
                        / replicas(resource)
                : offer.allocatable(DeviceResource.NVIDIA_GPU) / replicas("gpu");
    }

    private AcceleratorProfile.ProfileBuilder slice(DeviceId parent, int board, int number, String shape, String name) {
        // Under the strategy `single` the labels of the GPU are those of its slices.
        String words = offer.labels().containsKey(PREFIX + "mig-" + shape + ".memory") ? "mig-" + shape : "gpu";
        boolean ownWords =
                !words.equals("gpu") || offer.label(PREFIX + "gpu.product").contains(MIG_MARK);
        return board(board, name, ownWords ? memory(words) : Reading.notSupported("no label reports it"))
                .partition(new Partition(parent, shape + "." + number, shape))
                .with(DeviceFact.DEVICE_NAME, name.isEmpty() ? unnamed() : known(name + " MIG " + shape));
    }

    /// The distribution of slices over GPUs: the large ones first, each on the first GPU with room. Where the number of
    /// GPUs is known and none has room, as when a resource of yesterday is still counted, the last one takes
    /// it.
    private static List<List<String>> pack(Map<String, Long> slices, int known) {
        List<List<String>> boards = new ArrayList<>();
        List<Integer> room = new ArrayList<>();
        for (int i = 0; i < known; i++) {
            boards.add(new ArrayList<>());
            room.add(SLICES_OF_GPU);
        }
        List<Map.Entry<String, Long>> ordered = new ArrayList<>(slices.entrySet());
        ordered.sort((a, b) -> Integer.compare(size(b.getKey()), size(a.getKey())));
        int placed = 0;
        for (Map.Entry<String, Long> entry : ordered) {
            int size = size(entry.getKey());
            for (long i = 0; i < entry.getValue() && placed < NodeDevices.MAX_DEVICES; i++, placed++) {
                int board = 0;
                while (board < room.size() && room.get(board) < size) {
                    board++;
                }
                if (board == room.size() && known > 0) {
                    board--;
                } else if (board == room.size()) {
                    boards.add(new ArrayList<>());
                    room.add(SLICES_OF_GPU);
                }
                room.set(board, room.get(board) - size);
                boards.get(board).add(entry.getKey());
            }
        }
        return boards;
    }

    /// The number of the seven slices that a profile takes: 3 of `3g.20gb`, 1 of `1c.3g.20gb`, which shares its memory
    /// with
    /// others.
    private static int size(String shape) {
        char first = shape.isEmpty() ? '1' : shape.charAt(0);
        return first >= '1' && first <= '7' ? first - '0' : 1;
    }

    private AcceleratorProfile.ProfileBuilder board(int number, String name, Reading<Bytes> memory) {
        AcceleratorProfile.ProfileBuilder board = AcceleratorProfile.builder(
                        AcceleratorType.of(AcceleratorKind.CUDA_GPU, number))
                .with(DeviceFact.MEMORY, memory)
                .with(DeviceFact.DEVICE_NAME, name.isEmpty() ? unnamed() : known(name));
        capability().ifPresent(value -> board.with(DeviceFact.COMPUTE_CAPABILITY, known(value)));
        driver().ifPresent(value -> board.with(DeviceFact.DRIVER_VERSION, known(value)));
        String clique = offer.label(PREFIX + "gpu.clique");
        if (!clique.isEmpty()) {
            board.with(DeviceFact.FABRIC_DOMAIN, known(clique));
        }
        return board;
    }

    private Reading<String> unnamed() {
        return Reading.unknown(UnknownReason.NOT_STATED, "no label names the model");
    }

    private Reading<String> known(String value) {
        return Reading.known(value, provenance);
    }

    /// The label is documented in "Mb" and is in MiB.
    private Reading<Bytes> memory(String words) {
        OptionalLong mib = offer.number(PREFIX + words + ".memory");
        if (mib.isEmpty() && words.equals("gpu")) {
            mib = offer.number("karpenter.k8s.aws/instance-gpu-memory");
        }
        return mib.isPresent() && mib.getAsLong() > 0 && mib.getAsLong() < 1L << 40
                ? Reading.known(Bytes.ofMib(mib.getAsLong()), provenance)
                : Reading.unknown(UnknownReason.NOT_STATED, "no label reports the memory");
    }

    /// The number of shares of each device; 1 without sharing. A driver writes 0 if it has no such
    /// device.
    private long replicas(String words) {
        return Math.max(1, offer.number(PREFIX + words + ".replicas").orElse(1));
    }

    private Optional<String> capability() {
        String major = offer.label(PREFIX + "gpu.compute.major");
        return major.isEmpty()
                ? Optional.empty()
                : Optional.of(major + "." + offer.label(PREFIX + "gpu.compute.minor"));
    }

    private Optional<String> driver() {
        String full = offer.label(PREFIX + "cuda.driver-version.full");
        if (!full.isEmpty()) {
            return Optional.of(full);
        }
        String major = offer.label(PREFIX + "cuda.driver.major");
        String rev = offer.label(PREFIX + "cuda.driver.rev");
        return major.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        major + "." + offer.label(PREFIX + "cuda.driver.minor") + (rev.isEmpty() ? "" : "." + rev));
    }

    private static String withoutShared(String name) {
        return name.endsWith(SHARED_MARK) ? name.substring(0, name.length() - SHARED_MARK.length()) : name;
    }

    /// The driver's name of the model: the label has dashes for its blanks, and a few names have dashes of
    /// their own. Without that label, what the cloud says.
    private String modelName(String product) {
        if (product.isEmpty()) {
            for (String key : NodeLabels.CLOUD_GPU_NAMES) {
                if (!offer.label(key).isEmpty()) {
                    return offer.label(key);
                }
            }
            return "";
        }
        return product.replace('-', ' ').replaceAll("(\\S+) (SXM\\d?|PCIE) (\\d+GB)", "$1-$2-$3");
    }
}
