// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

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
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The devices of one node that drivers offer one by one.
final class DraNode {
    private static final String NVIDIA = "gpu.nvidia.com";
    private static final String AMD = "gpu.amd.com";
    private static final String INTEL = "gpu.intel.com";
    /// The types that GPU drivers offer beside accelerators: a GPU handed through to a virtual machine is still one.
    private static final Set<String> NVIDIA_TYPES = Set.of("gpu", "mig", "vfio", "");

    private final Provenance provenance;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<AcceleratorProfile> profiles = new ArrayList<>();
    private final Map<Place, DeviceId> places = new HashMap<>();

    private DraNode(Provenance provenance) {
        this.provenance = provenance;
    }

    /// The pool and name of an offered device.
    ///
    /// @param pool the pool
    /// @param device its name in the pool
    record Place(DraSlice.Pool pool, String device) {}

    /// A node's devices.
    ///
    /// @param profiles the devices, GPUs before their MIG devices
    /// @param places the device ids by name in a pool
    record Devices(List<AcceleratorProfile> profiles, Map<Place, DeviceId> places) {}

    /// A device and the pool that it is of.
    record Offered(DraSlice.Pool pool, DraSlice.Device device) {
        private Place place() {
            return new Place(pool, device.name());
        }
    }

    /// Reports whether a driver offers accelerators at all; others offer channels, network cards, processors.
    static boolean isAccelerators(String driver) {
        String first = driver.substring(0, Math.max(0, driver.indexOf('.')));
        return Set.of("gpu", "tpu", "npu", "neuron", "gaudi").contains(first);
    }

    static Devices read(List<Offered> offered, Provenance provenance) {
        DraNode node = new DraNode(provenance);
        List<Offered> ordered = new ArrayList<>(offered);
        ordered.sort(Comparator.comparing((Offered each) -> each.pool().driver())
                .thenComparing(each -> number(each.device().name()))
                .thenComparing(each -> each.device().name()));
        node.addNvidia(ordered.stream()
                .filter(each -> each.pool().driver().equals(NVIDIA))
                .toList());
        for (Offered each : ordered) {
            if (!each.pool().driver().equals(NVIDIA)) {
                node.addPlain(each);
            }
        }
        return new Devices(List.copyOf(node.profiles), Map.copyOf(node.places));
    }

    /// The number at the end of a name: 10 of `gpu-10`.
    private static long number(String name) {
        int start = name.length();
        while (start > 0 && Character.isDigit(name.charAt(start - 1)) && name.length() - start < 9) {
            start--;
        }
        return start == name.length() ? Long.MAX_VALUE : Long.parseLong(name.substring(start));
    }

    /// A GPU and its MIG devices count once: MIG devices that exist make the GPU one that is given out in
    /// slices alone; those that could be made are not devices yet.
    private void addNvidia(List<Offered> offered) {
        Map<String, List<Offered>> slices = new LinkedHashMap<>();
        Map<String, Offered> whole = new LinkedHashMap<>();
        for (Offered each : offered) {
            DraSlice.Device device = each.device();
            String type = device.attribute("type");
            if (!NVIDIA_TYPES.contains(type)) {
                continue;
            }
            if (!type.equals("mig")) {
                String uuid = device.attribute("uuid");
                whole.merge(uuid.isEmpty() ? device.name() : uuid, each, (first, second) -> first);
            } else if (!device.isPossible()) {
                slices.computeIfAbsent(device.attribute("parentUUID"), _ -> new ArrayList<>())
                        .add(each);
            }
        }
        whole.forEach((uuid, board) -> addBoard(uuid, board, slices.getOrDefault(uuid, List.of())));
        slices.forEach((uuid, own) -> {
            if (!whole.containsKey(uuid)) {
                addBoard(uuid, null, own);
            }
        });
    }

    /// @param offered the GPU itself; nothing where only its slices are offered
    private void addBoard(String uuid, @Nullable Offered offered, List<Offered> slices) {
        DraSlice.Device words = offered == null ? slices.getFirst().device() : offered.device();
        AcceleratorType type = AcceleratorType.of(AcceleratorKind.CUDA_GPU, next("cuda"));
        AcceleratorProfile.ProfileBuilder board = described(type, words);
        if (offered == null) {
            board.with(
                    DeviceFact.MEMORY, Reading.unknown(UnknownReason.NOT_STATED, "only its MIG devices are offered"));
        }
        if (!uuid.isBlank()) {
            board.with(DeviceFact.UUID, known(uuid));
        }
        if (!slices.isEmpty()) {
            board.with(DeviceFact.PARTITIONING, known("MIG"));
        }
        AcceleratorProfile parent = board.build();
        profiles.add(parent);
        if (offered != null) {
            places.put(offered.place(), parent.id());
        }
        for (Offered slice : slices) {
            String shape = slice.device().attribute("profile");
            String own = slice.device().attribute("uuid");
            AcceleratorProfile.ProfileBuilder profile = described(type, slice.device())
                    .partition(new Partition(
                            parent.id(), own.isEmpty() ? slice.device().name() : own, shape));
            String name = slice.device().attribute("productName");
            if (!name.isEmpty() && !shape.isEmpty() && !name.contains("MIG")) {
                profile.with(DeviceFact.DEVICE_NAME, known(name + " MIG " + shape));
            }
            AcceleratorProfile built = profile.build();
            profiles.add(built);
            places.put(slice.place(), built.id());
        }
    }

    private void addPlain(Offered offered) {
        String driver = offered.pool().driver();
        AcceleratorType type = switch (driver) {
            case AMD -> AcceleratorType.of(AcceleratorKind.ROCM_GPU, next("rocm"));
            case INTEL -> AcceleratorType.of(AcceleratorKind.INTEL_ONE_API, next("oneapi"));
            default -> {
                String vendor = vendor(driver);
                AcceleratorFamily family =
                        driver.startsWith("gpu.") ? AcceleratorFamily.GPU : AcceleratorFamily.AI_ASIC;
                yield new AcceleratorType.Other(vendor, family, next(vendor));
            }
        };
        AcceleratorProfile.ProfileBuilder profile = described(type, offered.device());
        String partition = offered.device().attribute("partitionProfile");
        if (!partition.isEmpty()) {
            // A partition of AMD's is a device of its own to every program; its GPU is not offered beside it.
            profile.with(
                    DeviceFact.PARTITIONING, known(partition.replace('_', '/').toUpperCase(Locale.ROOT)));
        }
        AcceleratorProfile built = profile.build();
        profiles.add(built);
        places.put(offered.place(), built.id());
    }

    /// A vendor's name as device ids have it: `gpu-example-com`.
    private static String vendor(String driver) {
        String name = driver.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String fit = (name.isEmpty() || name.charAt(0) < 'a' ? "d" + name : name);
        return fit.length() > 32 ? fit.substring(0, 32) : fit;
    }

    private int next(String kind) {
        return numbers.merge(kind, 1, Integer::sum) - 1;
    }

    private AcceleratorProfile.ProfileBuilder described(AcceleratorType type, DraSlice.Device device) {
        AcceleratorProfile.ProfileBuilder profile = AcceleratorProfile.builder(type);
        Long memory = device.capacity().get("memory");
        profile.with(
                DeviceFact.MEMORY,
                memory == null
                        ? Reading.unknown(UnknownReason.NOT_STATED, "the driver does not tell it")
                        : Reading.known(Bytes.of(memory), provenance));
        with(
                profile,
                DeviceFact.DEVICE_NAME,
                device.attribute("productName", "model").replace('_', ' '));
        with(profile, DeviceFact.UUID, device.attribute("uuid"));
        with(profile, DeviceFact.DRIVER_VERSION, device.attribute("driverVersion"));
        with(profile, DeviceFact.ARCHITECTURE, device.attribute("architecture"));
        with(profile, DeviceFact.COMPUTE_CAPABILITY, twoParts(device.attribute("cudaComputeCapability")));
        with(profile, DeviceFact.RUNTIME_VERSION, twoParts(device.attribute("cudaDriverVersion")));
        PciAddress.find(device.attribute("resource.kubernetes.io/pciBusID", "pciBusID", "pcieBusID", "pciAddr"))
                .ifPresent(address -> profile.with(DeviceFact.PCI_ADDRESS, Reading.known(address, provenance)));
        Long units = device.capacity().get("computeUnits");
        if (units != null) {
            profile.with(DeviceFact.COMPUTE_UNITS, Reading.known(units, provenance));
        }
        return profile;
    }

    /// `9.0` of `9.0.0`: the API server takes versions of three parts alone.
    private static String twoParts(String version) {
        return version.endsWith(".0") && version.chars().filter(c -> c == '.').count() == 2
                ? version.substring(0, version.length() - 2)
                : version;
    }

    private void with(AcceleratorProfile.ProfileBuilder profile, DeviceFact<String> fact, String value) {
        if (!value.isBlank()) {
            profile.with(fact, known(value));
        }
    }

    private Reading<String> known(String value) {
        return Reading.known(value, provenance);
    }
}
