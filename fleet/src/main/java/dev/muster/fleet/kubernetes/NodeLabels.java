// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.fleet.Domain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The labels of a node that are kept, and the domains that they name.
final class NodeLabels {
    /// The labels in which clouds name the model of NVIDIA's GPUs, for nodes without GPU Feature Discovery.
    static final List<String> CLOUD_GPU_NAMES = List.of(
            "cloud.google.com/gke-accelerator",
            "k8s.amazonaws.com/accelerator",
            "karpenter.k8s.aws/instance-gpu-name",
            "gpu.nvidia.com/model");

    /// Labels about devices, which devices are read from; of the same value on nodes with the same devices.
    private static final List<String> ABOUT_DEVICES = List.of(
            "nvidia.com/",
            "amd.com/gpu.",
            "beta.amd.com/gpu.",
            "gpu.intel.com/",
            "habana.ai/",
            "cloud.google.com/gke-accelerator",
            "cloud.google.com/gke-gpu",
            "cloud.google.com/gke-tpu",
            "k8s.amazonaws.com/accelerator",
            "karpenter.k8s.aws/instance-gpu",
            "karpenter.k8s.aws/instance-accelerator",
            "gpu.nvidia.com/",
            "aws.amazon.com/neuron",
            "alibabacloud.com/gpu",
            "aliyun.com/gpu",
            "hami.io/",
            "node.kubernetes.io/instance-type");
    private static final List<String> ABOUT_PLACES = List.of(
            "topology.kubernetes.io/",
            "topology.k8s.aws/",
            "network.topology.nvidia.com/",
            "network.topology.kubernetes.io/",
            "cloud.google.com/gce-topology",
            "oci.oraclecloud.com/rdma.",
            "kubernetes.io/arch");
    /// Labels of operators about themselves, of which a node has dozens.
    private static final List<String> NOT_KEPT =
            List.of("nvidia.com/gpu.deploy.", "nvidia.com/gfd.timestamp", "nvidia.com/run.ai");

    /// The labels of places, the nearest first. Topograph, EKS, GKE and OKE each have their own words; the
    /// tiers are counted from the node.
    private static final List<Map.Entry<String, Domain.DomainKind>> DOMAINS = List.of(
            Map.entry("nvidia.com/gpu.clique", Domain.DomainKind.NVLINK),
            Map.entry("network.topology.nvidia.com/accelerator", Domain.DomainKind.NVLINK),
            Map.entry("network.topology.nvidia.com/block", Domain.DomainKind.BLOCK),
            Map.entry("network.topology.nvidia.com/leaf", Domain.DomainKind.LEAF),
            Map.entry("topology.k8s.aws/network-node-layer-3", Domain.DomainKind.LEAF),
            Map.entry("cloud.google.com/gce-topology-subblock", Domain.DomainKind.LEAF),
            Map.entry("oci.oraclecloud.com/rdma.local_block_id", Domain.DomainKind.LEAF),
            Map.entry("network.topology.nvidia.com/spine", Domain.DomainKind.SPINE),
            Map.entry("topology.k8s.aws/network-node-layer-2", Domain.DomainKind.SPINE),
            Map.entry("cloud.google.com/gce-topology-block", Domain.DomainKind.SPINE),
            Map.entry("oci.oraclecloud.com/rdma.network_block_id", Domain.DomainKind.SPINE),
            Map.entry("topology.kubernetes.io/rack", Domain.DomainKind.RACK),
            Map.entry("topology.kubernetes.io/zone", Domain.DomainKind.ZONE),
            Map.entry("failure-domain.beta.kubernetes.io/zone", Domain.DomainKind.ZONE));

    private NodeLabels() {}

    static boolean isAboutDevices(String key) {
        return startsWithOneOf(key, ABOUT_DEVICES) && !startsWithOneOf(key, NOT_KEPT) && !key.contains(".engines.");
    }

    static boolean isAboutPlaces(String key) {
        return startsWithOneOf(key, ABOUT_PLACES);
    }

    /// The domains of a node: of each kind one, by the first label that names it.
    static List<Domain> domains(Map<String, String> labels) {
        List<Domain> domains = new ArrayList<>();
        for (Map.Entry<String, Domain.DomainKind> word : DOMAINS) {
            String value = labels.getOrDefault(word.getKey(), "");
            if (!value.isBlank() && domains.stream().noneMatch(domain -> domain.kind() == word.getValue())) {
                domains.add(new Domain(word.getValue(), value));
            }
        }
        return domains;
    }

    private static boolean startsWithOneOf(String key, List<String> starts) {
        for (String start : starts) {
            if (key.startsWith(start)) {
                return true;
            }
        }
        return false;
    }
}
