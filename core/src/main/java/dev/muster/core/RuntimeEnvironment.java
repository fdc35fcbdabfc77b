package dev.muster.core;

/// Where the process runs: container, Kubernetes, cloud.
///
/// @param docker whether the process runs in a Docker or containerd container
/// @param kubernetes whether the process runs in a Kubernetes pod
/// @param kubernetesNamespace the pod's namespace
/// @param cloudInstance the cloud machine
/// @param kubernetesGpu the devices granted to the container
/// @since 0.1
public record RuntimeEnvironment(
        boolean docker,
        boolean kubernetes,
        Reading<String> kubernetesNamespace,
        Reading<CloudInstance> cloudInstance,
        Reading<GpuGrant> kubernetesGpu) {}
