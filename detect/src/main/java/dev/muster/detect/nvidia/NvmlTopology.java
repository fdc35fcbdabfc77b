package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes the matrix of GPUs out of where NVML says that each link leads: to another GPU, or to a switch through which
/// all GPUs with such links reach each other.
final class NvmlTopology {
    private NvmlTopology() {}

    /// The matrix; not told where no link is up.
    ///
    /// @param profiles the GPUs and their partitions
    /// @param links the links that are up, by the GPU's number
    static NvidiaTopology of(List<AcceleratorProfile> profiles, Map<Integer, List<NvmlNvlink.ActiveLink>> links) {
        Map<PciAddress, Integer> numbers = new HashMap<>();
        for (AcceleratorProfile profile : profiles) {
            Optional<PciAddress> address =
                    profile.reading(DeviceFact.PCI_ADDRESS).find();
            if (profile.partition().isEmpty() && address.isPresent()) {
                numbers.put(address.get(), (int) profile.accelerator().deviceId());
            }
        }
        List<NvidiaTopology.Row> rows = new ArrayList<>();
        for (Map.Entry<Integer, List<NvmlNvlink.ActiveLink>> own : links.entrySet()) {
            if (!own.getValue().isEmpty()) {
                rows.add(row(own.getKey(), links, numbers));
            }
        }
        return rows.isEmpty() ? NvidiaTopology.NOT_TOLD : new NvidiaTopology(rows);
    }

    private static NvidiaTopology.Row row(
            int gpu, Map<Integer, List<NvmlNvlink.ActiveLink>> links, Map<PciAddress, Integer> numbers) {
        Map<String, String> words = new HashMap<>();
        for (int other : links.keySet()) {
            int lanes = direct(links.getOrDefault(gpu, List.of()), numbers, other)
                    + Math.min(
                            switched(links.getOrDefault(gpu, List.of())),
                            switched(links.getOrDefault(other, List.of())));
            if (other != gpu && lanes > 0) {
                words.put("GPU" + other, "NV" + lanes);
            }
        }
        return new NvidiaTopology.Row("GPU" + gpu, words, "");
    }

    private static int direct(List<NvmlNvlink.ActiveLink> links, Map<PciAddress, Integer> numbers, int other) {
        int count = 0;
        for (NvmlNvlink.ActiveLink link : links) {
            boolean leadsThere = link.remote()
                    .map(numbers::get)
                    .filter(number -> number == other)
                    .isPresent();
            count += !link.toSwitch() && leadsThere ? 1 : 0;
        }
        return count;
    }

    private static int switched(List<NvmlNvlink.ActiveLink> links) {
        int count = 0;
        for (NvmlNvlink.ActiveLink link : links) {
            count += link.toSwitch() ? 1 : 0;
        }
        return count;
    }
}
