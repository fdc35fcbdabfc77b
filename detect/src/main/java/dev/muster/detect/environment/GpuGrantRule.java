// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import dev.muster.core.RuntimeEnvironment.GpuGrant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides which devices the variables of a process grant it.
public final class GpuGrantRule {
    /// Every variable that vendors read for this.
    static final List<String> DEVICE_VARIABLES = List.of(
            "CUDA_VISIBLE_DEVICES",
            "NVIDIA_VISIBLE_DEVICES",
            "HIP_VISIBLE_DEVICES",
            "ROCR_VISIBLE_DEVICES",
            "GPU_DEVICE_ORDINAL",
            "ZE_AFFINITY_MASK",
            "HABANA_VISIBLE_DEVICES",
            "ASCEND_RT_VISIBLE_DEVICES",
            "NEURON_RT_VISIBLE_CORES");

    private static final String CONTAINER_VARIABLE = "NVIDIA_VISIBLE_DEVICES";
    private static final String ALL = "all";
    /// The values of the container tools' variable other than a list.
    private static final List<String> NO_LIST = List.of("void", "none");

    private static final String END_OF_LIST = "-1";
    private static final int MAX_DEVICES = 1024;

    private GpuGrantRule() {}

    /// The grant of the first variable that has one.
    static Optional<GpuGrant> findGrant(Map<String, String> variables) {
        String granted = variables.getOrDefault(CONTAINER_VARIABLE, "").strip();
        if (!granted.isEmpty() && !NO_LIST.contains(granted)) {
            return Optional.of(
                    granted.equals(ALL)
                            ? new GpuGrant(List.of(ALL), 0, CONTAINER_VARIABLE)
                            : list(granted, CONTAINER_VARIABLE));
        }
        for (String name : new String[] {"CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"}) {
            String value = variables.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return Optional.of(list(value, name));
            }
        }
        return Optional.empty();
    }

    private static GpuGrant list(String value, String source) {
        List<String> ids = split(value);
        return new GpuGrant(ids, ids.size(), source);
    }

    /// The entries of a list. The drivers end it at the first that names no device, and -1 is the customary one.
    public static List<String> split(String value) {
        List<String> ids = new ArrayList<>();
        for (String part : value.split(",")) {
            String id = part.strip();
            if (id.equals(END_OF_LIST) || ids.size() == MAX_DEVICES) {
                break;
            }
            if (!id.isEmpty()) {
                ids.add(id);
            }
        }
        return ids;
    }
}
