// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import java.util.List;
import java.util.Optional;

/// The names of devices that device plugins give to pods: extended resources of nodes and pods.
enum DeviceResource {
    /// Whole NVIDIA GPUs, or shares of them; slices of one shape under the MIG strategy `single`.
    NVIDIA_GPU("nvidia.com/gpu", "nvidia.com/gpu.shared"),
    /// MIG devices under the strategy `mixed`, each shape a resource of its own.
    NVIDIA_MIG("nvidia.com/mig-"),
    /// AMD GPUs.
    AMD_GPU("amd.com/gpu"),
    /// Chips of Google's TPUs.
    TPU("google.com/tpu"),
    /// AWS Neuron devices; both names count the same ones.
    NEURON("aws.amazon.com/neuron", "aws.amazon.com/neurondevice"),
    /// Cores of those devices.
    NEURON_CORE("aws.amazon.com/neuroncore"),
    /// Intel Gaudi.
    GAUDI("habana.ai/gaudi"),
    /// Intel GPUs, by the kernel's two drivers.
    INTEL_GPU("gpu.intel.com/i915", "gpu.intel.com/xe"),
    /// GPUs that Alibaba's gpushare gives out in parts; their memory is another resource.
    GPU_SHARE("alibabacloud.com/gpu-count", "aliyun.com/gpu-count");

    private static final String SHARED = ".shared";

    private final List<String> names;

    DeviceResource(String... names) {
        this.names = List.of(names);
    }

    /// The names of the resource; for MIG, how they begin.
    List<String> names() {
        return names;
    }

    /// The devices behind a resource of a node or pod, if it stands for devices.
    static Optional<DeviceResource> find(String name) {
        if (name.startsWith(NVIDIA_MIG.names.getFirst())) {
            return Optional.of(NVIDIA_MIG);
        }
        for (DeviceResource resource : values()) {
            if (resource.names.contains(name)) {
                return Optional.of(resource);
            }
        }
        return Optional.empty();
    }

    /// The shape in the name of a MIG resource: `1g.5gb` of `nvidia.com/mig-1g.5gb`.
    static String migShape(String name) {
        String shape = name.substring(NVIDIA_MIG.names.getFirst().length());
        return shape.endsWith(SHARED) ? shape.substring(0, shape.length() - SHARED.length()) : shape;
    }
}
