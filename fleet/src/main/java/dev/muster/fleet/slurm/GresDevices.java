// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.NeuronChip;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TpuVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The devices that generic resources stand for. The name of a resource says what family it is, its type which
/// device: both are words of an administrator; an unknown kind is assumed to be CUDA's.
final class GresDevices {
    /// Resources whose name alone says the kind.
    private static final Map<String, AcceleratorKind> BY_NAME = Map.ofEntries(
            Map.entry("cuda", AcceleratorKind.CUDA_GPU),
            Map.entry("rocm", AcceleratorKind.ROCM_GPU),
            Map.entry("dcu", AcceleratorKind.HYGON_DCU),
            Map.entry("mlu", AcceleratorKind.CAMBRICON_MLU),
            Map.entry("gcu", AcceleratorKind.ENFLAME_GCU),
            Map.entry("ipu", AcceleratorKind.GRAPHCORE_IPU),
            Map.entry("npu", AcceleratorKind.HUAWEI_ASCEND),
            Map.entry("ascend", AcceleratorKind.HUAWEI_ASCEND),
            Map.entry("xpu", AcceleratorKind.INTEL_ONE_API),
            Map.entry("ve", AcceleratorKind.NEC_VE),
            Map.entry("qaic", AcceleratorKind.QUALCOMM_AI100));

    private static final Pattern AMD = Pattern.compile("(^|[^a-z])mi-?\\d{2,3}|amd|radeon|instinct|vega|gfx\\d|navi");
    private static final Pattern INTEL = Pattern.compile("intel|pvc|ponte|max_?1[15][05]0|flex_?1[47]0|arc_?[ab]\\d");
    private static final Pattern NVIDIA = Pattern.compile(
            "nvidia|tesla|quadro|titan|geforce|[gr]tx|nvlink|kepler|maxwell|pascal|volta|turing|ampere|hopper"
                    + "|blackwell|(^|[^a-z0-9])(k[1-8]0|m[46]0|p4|p40|p100|v100|t4|a[1-9]0{0,2}|a6000|a800|l4|l40s?|h20"
                    + "|h[128]00|gh200|gb[23]00|b[23]00|rtx\\w*)($|[^0-9])");
    private static final Pattern SLICE = Pattern.compile("(?:^|.*[_-])(\\d+g\\.\\d+gb(?:\\+me)?(?:\\.all)?)");
    private static final Pattern GENERATION = Pattern.compile("gaudi_?-?([23])");
    private static final String GPU = "gpu";

    private GresDevices() {}

    /// Reports whether a resource stands for devices: `shard` and `mps` are shares of them, `craynetwork` is none.
    static boolean isDevice(Gres gres) {
        String name = gres.name().toLowerCase(Locale.ROOT);
        return name.equals(GPU)
                || name.equals("mig")
                || BY_NAME.containsKey(name)
                || name.equals("tpu")
                || name.equals("gaudi")
                || name.equals("hpu")
                || name.startsWith("neuron");
    }

    /// The devices of a node, in the order in which Slurm numbers them.
    ///
    /// @param source the source of facts
    static List<AcceleratorProfile> of(List<Gres> configured, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        Map<String, Integer> numbers = new HashMap<>();
        for (Gres gres : configured) {
            if (isDevice(gres) && gres.count() <= Gres.MAX_COUNT) {
                for (int i = 0; i < gres.count(); i++) {
                    int number = numbers.merge(gres.name(), 1, Integer::sum) - 1;
                    devices.add(device(gres, number, source));
                }
            }
        }
        return devices;
    }

    /// The device of that number among those of a resource's name.
    static DeviceId id(Gres gres, int number, Provenance source) {
        return device(gres, number, source).id();
    }

    private static AcceleratorProfile device(Gres gres, int number, Provenance source) {
        String name = gres.name().toLowerCase(Locale.ROOT);
        String type = gres.type().toLowerCase(Locale.ROOT);
        Matcher slice = SLICE.matcher(type);
        boolean named = !gres.type().isBlank();
        boolean assumed = name.equals(GPU) && !isKnown(type) && !slice.matches();
        AcceleratorProfile.ProfileBuilder device = AcceleratorProfile.builder(type(name, type, number));
        Provenance of =
                assumed ? Provenance.of(source.source(), source.method(), Provenance.Confidence.ASSUMED) : source;
        String said = named ? gres.type() : gres.name();
        if (slice.matches()) {
            // Slurm does not say which device a slice is of.
            device.partition(new Partition(new DeviceId("cuda:mig"), slice.group(1) + "-" + number, slice.group(1)));
        }
        return device.with(DeviceFact.DEVICE_NAME, Reading.known(said, of)).build();
    }

    private static boolean isKnown(String type) {
        return AMD.matcher(type).find()
                || INTEL.matcher(type).find()
                || NVIDIA.matcher(type).find()
                || GENERATION.matcher(type).find();
    }

    private static AcceleratorType type(String name, String type, int number) {
        Matcher gaudi = GENERATION.matcher(type);
        if (name.equals("gaudi") || name.equals("hpu") || (name.equals(GPU) && gaudi.find())) {
            return gaudi(type, number);
        }
        if (name.equals("tpu")) {
            Optional<TpuVersion> version = Arrays.stream(TpuVersion.values())
                    .filter(one -> one.display().equalsIgnoreCase(type))
                    .findFirst();
            return version.<AcceleratorType>map(one -> new AcceleratorType.Tpu(number, 1, one))
                    .orElseGet(() -> new AcceleratorType.Other("google-tpu", AcceleratorFamily.TPU, number));
        }
        if (name.startsWith("neuron")) {
            return neuron(type, number);
        }
        AcceleratorKind kind = BY_NAME.get(name);
        if (kind == null) {
            kind = AMD.matcher(type).find()
                    ? AcceleratorKind.ROCM_GPU
                    : INTEL.matcher(type).find() ? AcceleratorKind.INTEL_ONE_API : AcceleratorKind.CUDA_GPU;
        }
        return AcceleratorType.of(kind, number);
    }

    private static AcceleratorType gaudi(String type, int number) {
        Matcher generation = GENERATION.matcher(type);
        if (!generation.find()) {
            return new AcceleratorType.Gaudi(number, GaudiGeneration.GAUDI1);
        }
        boolean third = generation.group(1).equals("3");
        return new AcceleratorType.Gaudi(number, third ? GaudiGeneration.GAUDI3 : GaudiGeneration.GAUDI2);
    }

    private static AcceleratorType neuron(String type, int number) {
        for (NeuronChip chip : NeuronChip.values()) {
            if (chip.display().toLowerCase(Locale.ROOT).equals(type)) {
                return new AcceleratorType.Neuron(number, chip, 1);
            }
        }
        return new AcceleratorType.Other("aws-neuron", AcceleratorFamily.AI_ASIC, number);
    }
}
