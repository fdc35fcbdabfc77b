// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The environment of the process: container, Kubernetes, cloud, batch job, and their limits.
///
/// @param docker true if the process runs in a Docker or containerd container
/// @param kubernetes true if the process runs in a Kubernetes pod
/// @param kubernetesNamespace the pod's namespace
/// @param cloudInstance the cloud machine
/// @param kubernetesGpu the devices granted to the container
/// @param container the container runtime: `docker`, `containerd`, `podman`, `lxc`, …; `none` outside of a container
/// @param memoryLimit the memory limit of the control group; unknown without a limit
/// @param cpuLimit the processor limit of the control group, such as 1.5; unknown without a limit
/// @param slurmJob the Slurm job's id
/// @param slurmGpus the devices that Slurm granted, as it lists them
/// @param deviceVariables the environment variables that say which devices a program may use, such as
///     `CUDA_VISIBLE_DEVICES`, with their values; a blank one often means no device
/// @since 0.1
public record RuntimeEnvironment(
        boolean docker,
        boolean kubernetes,
        Reading<String> kubernetesNamespace,
        Reading<CloudInstance> cloudInstance,
        Reading<GpuGrant> kubernetesGpu,
        Reading<String> container,
        Reading<Bytes> memoryLimit,
        Reading<Double> cpuLimit,
        Reading<String> slurmJob,
        Reading<String> slurmGpus,
        Map<String, String> deviceVariables) {
    /// Copies the map.
    public RuntimeEnvironment {
        deviceVariables = Collections.unmodifiableMap(new LinkedHashMap<>(deviceVariables));
    }

    /// An environment of which only what documents of ai-hwaccel say is known.
    public static RuntimeEnvironment of(
            boolean docker,
            boolean kubernetes,
            Reading<String> kubernetesNamespace,
            Reading<CloudInstance> cloudInstance,
            Reading<GpuGrant> kubernetesGpu) {
        return new RuntimeEnvironment(
                docker,
                kubernetes,
                kubernetesNamespace,
                cloudInstance,
                kubernetesGpu,
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.notProbed(),
                Map.of());
    }

    /// A machine of a cloud.
    ///
    /// @param provider the cloud, such as `aws`
    /// @param instanceType the machine's type, such as `p4d.24xlarge`
    /// @param instanceId the machine's id
    /// @param region the region
    /// @param zone the zone
    /// @since 0.1
    public record CloudInstance(
            String provider,
            Reading<String> instanceType,
            Reading<String> instanceId,
            Reading<String> region,
            Reading<String> zone) {}

    /// The devices that an environment variable grants to a container.
    ///
    /// @param deviceIds the ids as the variable lists them
    /// @param gpuCount the number of devices; 0 when the variable says "all"
    /// @param source the variable's name
    /// @since 0.1
    public record GpuGrant(List<String> deviceIds, long gpuCount, String source) {
        /// Copies the list.
        public GpuGrant {
            deviceIds = List.copyOf(deviceIds);
        }
    }
}
