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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Shows of a registry what a program would see that is started with given environment variables. A detection marks
/// the devices that its own variables hide ([DeviceFact#HIDDEN_BY]).
///
/// The variables that drivers and runtimes read are respected: `CUDA_VISIBLE_DEVICES`, `ROCR_VISIBLE_DEVICES`,
/// `HIP_VISIBLE_DEVICES`, `GPU_DEVICE_ORDINAL`, `ZE_AFFINITY_MASK`, `ASCEND_RT_VISIBLE_DEVICES`,
/// `NEURON_RT_VISIBLE_CORES`. `NVIDIA_VISIBLE_DEVICES` and `HABANA_VISIBLE_DEVICES` are read when a container is made,
/// and inside of it the devices have numbers of their own: they hide devices only where there are more than they
/// grant.
///
/// Numbers count devices in the registry's order, which is the order on the PCI bus; CUDA counts so with
/// `CUDA_DEVICE_ORDER=PCI_BUS_ID`, and on machines whose devices are all alike.
///
/// @since 0.1
public final class VisibleDevices {
    private static final String MIG = "MIG-";
    private static final String ALL = "all";
    private static final String NODE = "nvidia";
    private static final String NEURON = "NEURON_RT_VISIBLE_CORES";
    /// The name of NVIDIA's devices in the Container Device Interface; an entry may be `nvidia.com/gpu=0`.
    private static final String CDI_NVIDIA = "nvidia.com/gpu=";

    private final List<AcceleratorProfile> profiles;
    private final Map<String, String> variables;
    private final Map<DeviceId, String> hidden = new HashMap<>();

    private VisibleDevices(List<AcceleratorProfile> profiles, Map<String, String> variables) {
        this.profiles = profiles;
        this.variables = variables;
    }

    /// The registry without the devices that the variables hide.
    ///
    /// @param variables the program's environment
    public static AcceleratorRegistry filter(AcceleratorRegistry registry, Map<String, String> variables) {
        Set<DeviceId> hidden = hidden(registry.profiles(), variables, List.of()).keySet();
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

    /// The devices that variables hide, each with the variable and its value.
    ///
    /// @param nodes names in `/dev`
    static Map<DeviceId, String> hidden(
            List<AcceleratorProfile> profiles, Map<String, String> variables, List<String> nodes) {
        VisibleDevices search = new VisibleDevices(profiles, variables);
        search.hideUngranted(AcceleratorKind.CUDA_GPU, "NVIDIA_VISIBLE_DEVICES", nodes);
        search.hideUngranted(AcceleratorKind.GAUDI, "HABANA_VISIBLE_DEVICES", nodes);
        search.hide(AcceleratorKind.CUDA_GPU, "CUDA_VISIBLE_DEVICES");
        search.hide(AcceleratorKind.ROCM_GPU, "ROCR_VISIBLE_DEVICES");
        search.hide(AcceleratorKind.ROCM_GPU, hipVariable(variables));
        search.hide(AcceleratorKind.INTEL_ONE_API, "ZE_AFFINITY_MASK");
        search.hide(AcceleratorKind.HUAWEI_ASCEND, "ASCEND_RT_VISIBLE_DEVICES");
        search.hideNeuron();
        return search.hidden;
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
    private void hide(AcceleratorKind kind, String name) {
        String value = variables.get(name);
        if (value != null) {
            List<AcceleratorProfile> devices = visible(kind);
            hideOthers(devices, listed(devices, value), name);
        }
    }

    /// Hides devices of a container beyond those that were granted to it. `void` stands where devices were handed in
    /// by another way, such as CDI: their nodes show them.
    private void hideUngranted(AcceleratorKind kind, String name, List<String> nodes) {
        String value = variables.getOrDefault(name, ALL).strip();
        boolean isPath = value.startsWith("/");
        if (value.endsWith(ALL) || isPath || (value.equals("void") && hasGpuNode(nodes))) {
            return;
        }
        boolean grantsNone = value.isEmpty() || value.equals("void") || value.equals("none");
        List<AcceleratorProfile> devices = visible(kind);
        long whole =
                devices.stream().filter(device -> device.partition().isEmpty()).count();
        List<String> granted = grantsNone ? List.of() : GpuGrantRule.split(value.replace(CDI_NVIDIA, ""));
        if (whole > granted.size()) {
            List<AcceleratorProfile> listed = listed(devices, String.join(",", granted));
            if (listed.size() == granted.size()) {
                hideOthers(devices, listed, name);
            }
        }
    }

    private static boolean hasGpuNode(List<String> nodes) {
        for (String node : nodes) {
            if (node.startsWith(NODE) && number(node.substring(NODE.length())) >= 0) {
                return true;
            }
        }
        return false;
    }

    /// Hidden devices do not count: HIP numbers what ROCR leaves.
    private List<AcceleratorProfile> visible(AcceleratorKind kind) {
        List<AcceleratorProfile> visible = new ArrayList<>();
        for (AcceleratorProfile profile : profiles) {
            if (profile.accelerator().kind() == kind && !hidden.containsKey(profile.id())) {
                visible.add(profile);
            }
        }
        return visible;
    }

    private void hideOthers(List<AcceleratorProfile> devices, List<AcceleratorProfile> listed, String name) {
        Set<DeviceId> ids = new HashSet<>();
        listed.forEach(device -> ids.add(device.id()));
        for (AcceleratorProfile device : devices) {
            if (!isListed(device, ids)) {
                hidden.put(device.id(), name + "=" + variables.get(name));
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
    private void hideNeuron() {
        String value = variables.get(NEURON);
        if (value == null) {
            return;
        }
        List<long[]> ranges = ranges(value);
        long first = 0;
        for (AcceleratorProfile profile : profiles) {
            if (profile.accelerator() instanceof AcceleratorType.Neuron neuron) {
                long next = first + neuron.coreCount();
                long start = first;
                if (ranges.stream().noneMatch(range -> range[0] < next && range[1] >= start)) {
                    hidden.put(profile.id(), NEURON + "=" + value);
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
