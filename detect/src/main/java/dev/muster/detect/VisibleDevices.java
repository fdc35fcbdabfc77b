// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.detect.environment.GpuGrantRule;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Shows of a registry what a program would see that is started with given environment variables.
///
/// The variables that drivers and runtimes read are respected: `CUDA_VISIBLE_DEVICES`, `ROCR_VISIBLE_DEVICES`,
/// `HIP_VISIBLE_DEVICES`, `GPU_DEVICE_ORDINAL`, `ZE_AFFINITY_MASK`, `NEURON_RT_VISIBLE_CORES`. Those that are read
/// when a container is made (`NVIDIA_VISIBLE_DEVICES`, `HABANA_VISIBLE_DEVICES`) are not: inside of the container
/// their devices are the only ones, with numbers of their own.
///
/// Numbers count devices in the registry's order, which is the order on the PCI bus; CUDA counts so with
/// `CUDA_DEVICE_ORDER=PCI_BUS_ID`, and on machines whose devices are all alike.
///
/// @since 0.1
public final class VisibleDevices {
    private static final String MIG = "MIG-";

    private VisibleDevices() {}

    /// The registry without the devices that the variables hide.
    ///
    /// @param variables the program's environment
    public static AcceleratorRegistry filter(AcceleratorRegistry registry, Map<String, String> variables) {
        Set<DeviceId> hidden = new HashSet<>();
        hide(hidden, registry, AcceleratorKind.CUDA_GPU, variables, "CUDA_VISIBLE_DEVICES");
        hide(hidden, registry, AcceleratorKind.ROCM_GPU, variables, "ROCR_VISIBLE_DEVICES");
        hide(hidden, registry, AcceleratorKind.ROCM_GPU, variables, hipVariable(variables));
        hide(hidden, registry, AcceleratorKind.INTEL_ONE_API, variables, "ZE_AFFINITY_MASK");
        hideNeuron(hidden, registry, variables);
        return new AcceleratorRegistry(
                registry.referenceSchema(),
                registry.profiles().stream()
                        .filter(profile -> !hidden.contains(profile.id()))
                        .toList(),
                registry.gaps(),
                registry.systemIo(),
                registry.topology().withoutDevices(hidden::contains),
                registry.observedAt());
    }

    /// The number by which CUDA, HIP or Level Zero call a device in a program with these variables: its
    /// place in the variable's list, or on the PCI bus where none is set. ONNX Runtime and DJL take such
    /// numbers. Empty where the device is hidden, is not there, or is of another kind.
    ///
    /// @param variables the program's environment
    public static OptionalInt findOrdinal(
            AcceleratorRegistry registry, DeviceId device, Map<String, String> variables) {
        Optional<AcceleratorProfile> asked = registry.find(device);
        List<String> names =
                asked.map(one -> names(one.accelerator().kind(), variables)).orElse(List.of());
        if (names.isEmpty()) {
            return OptionalInt.empty();
        }
        AcceleratorKind kind = asked.get().accelerator().kind();
        List<AcceleratorProfile> visible = registry.profiles().stream()
                .filter(one ->
                        one.accelerator().kind() == kind && one.partition().isEmpty())
                .toList();
        for (String name : names) {
            visible = variables.containsKey(name) ? listed(visible, variables.get(name)) : visible;
        }
        List<DeviceId> ids = visible.stream().map(AcceleratorProfile::id).toList();
        int at = ids.indexOf(device);
        return at < 0 ? OptionalInt.empty() : OptionalInt.of(at);
    }

    /// The variables that number the devices of a kind; none where nothing numbers them so.
    private static List<String> names(AcceleratorKind kind, Map<String, String> variables) {
        return kind == AcceleratorKind.CUDA_GPU
                ? List.of("CUDA_VISIBLE_DEVICES")
                : kind == AcceleratorKind.ROCM_GPU
                        ? List.of("ROCR_VISIBLE_DEVICES", hipVariable(variables))
                        : kind == AcceleratorKind.INTEL_ONE_API ? List.of("ZE_AFFINITY_MASK") : List.of();
    }

    /// HIP reads the first of these that is set.
    private static String hipVariable(Map<String, String> variables) {
        for (String name : new String[] {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
            if (variables.containsKey(name)) {
                return name;
            }
        }
        return "GPU_DEVICE_ORDINAL";
    }

    /// Hides the devices of a kind that a variable does not list. A variable that is set and empty lists none.
    private static void hide(
            Set<DeviceId> hidden,
            AcceleratorRegistry registry,
            AcceleratorKind kind,
            Map<String, String> variables,
            String name) {
        String value = variables.get(name);
        if (value == null) {
            return;
        }
        // What is hidden already does not count: HIP numbers what ROCR leaves.
        List<AcceleratorProfile> devices = registry.profiles().stream()
                .filter(profile -> profile.accelerator().kind() == kind && !hidden.contains(profile.id()))
                .toList();
        Set<DeviceId> listed = new HashSet<>();
        listed(devices, value).forEach(device -> listed.add(device.id()));
        for (AcceleratorProfile device : devices) {
            if (!isListed(device, listed)) {
                hidden.add(device.id());
            }
        }
    }

    /// The devices that a variable lists, in its order, up to the first entry that names none.
    private static List<AcceleratorProfile> listed(List<AcceleratorProfile> devices, String value) {
        List<AcceleratorProfile> listed = new ArrayList<>();
        for (String entry : GpuGrantRule.split(value)) {
            Optional<AcceleratorProfile> device = find(devices, entry);
            if (device.isEmpty()) {
                break;
            }
            listed.add(device.get());
        }
        return listed;
    }

    /// A partition is visible with its whole device; a device is not with one of its partitions.
    private static boolean isListed(AcceleratorProfile device, Set<DeviceId> listed) {
        return listed.contains(device.id())
                || device.partition()
                        .filter(part -> listed.contains(part.parent()))
                        .isPresent();
    }

    /// The device of an entry: a number among whole devices, with or without that of a tile behind a dot, or the start
    /// of a UUID that only one device has.
    private static Optional<AcceleratorProfile> find(List<AcceleratorProfile> devices, String entry) {
        List<AcceleratorProfile> whole = devices.stream()
                .filter(profile -> profile.partition().isEmpty())
                .toList();
        int dot = entry.indexOf('.');
        int number = number(dot < 0 ? entry : entry.substring(0, dot));
        if (number >= 0) {
            return number < whole.size() ? Optional.of(whole.get(number)) : Optional.empty();
        }
        String start = entry.toLowerCase(Locale.ROOT);
        List<AcceleratorProfile> same = (entry.startsWith(MIG) ? devices : whole)
                .stream().filter(profile -> uuid(profile).startsWith(start)).toList();
        return same.size() == 1 ? Optional.of(same.getFirst()) : Optional.empty();
    }

    private static String uuid(AcceleratorProfile profile) {
        return profile.reading(DeviceFact.UUID)
                .find()
                .or(() -> profile.partition().map(part -> part.id()))
                .orElse("")
                .toLowerCase(Locale.ROOT);
    }

    private static int number(String digits) {
        return Amount.count(digits, Integer.MAX_VALUE).orElse(-1L).intValue();
    }

    /// Cores are numbered through all devices; a device is seen with any of its cores.
    private static void hideNeuron(Set<DeviceId> hidden, AcceleratorRegistry registry, Map<String, String> variables) {
        String value = variables.get("NEURON_RT_VISIBLE_CORES");
        if (value == null) {
            return;
        }
        List<long[]> ranges = ranges(value);
        long first = 0;
        for (AcceleratorProfile profile : registry.profiles()) {
            if (profile.accelerator() instanceof AcceleratorType.Neuron neuron) {
                long next = first + neuron.coreCount();
                long start = first;
                if (ranges.stream().noneMatch(range -> range[0] < next && range[1] >= start)) {
                    hidden.add(profile.id());
                }
                first = next;
            }
        }
    }

    private static List<long[]> ranges(String value) {
        List<long[]> ranges = new ArrayList<>();
        for (String entry : GpuGrantRule.split(value)) {
            int dash = entry.indexOf('-');
            int from = number(dash < 0 ? entry : entry.substring(0, dash));
            int to = dash < 0 ? from : number(entry.substring(dash + 1));
            if (from < 0 || to < from) {
                break;
            }
            ranges.add(new long[] {from, to});
        }
        return ranges;
    }
}
