// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Interconnect;
import dev.muster.core.NeuronChip;
import dev.muster.core.StorageDevice;
import dev.muster.core.TpuVersion;
import java.util.ArrayList;
import java.util.List;

/// The names in tagged documents of ai-hwaccel, in the order in which it writes them.
final class ReferenceKeys {
    static final JsonKeys ROOT = JsonKeys.of("schema_version", "profiles", "warnings", "system_io");
    static final JsonKeys PROFILE = JsonKeys.of(
            "accelerator",
            "available",
            "memory_bytes",
            "compute_capability",
            "driver_version",
            "device_name",
            "memory_bandwidth_gbps",
            "memory_used_bytes",
            "memory_free_bytes",
            "pcie_bandwidth_gbps",
            "numa_node",
            "temperature_c",
            "power_watts",
            "gpu_utilization_percent");
    static final JsonKeys DEVICE = JsonKeys.of("device_id");
    static final JsonKeys TPU = JsonKeys.of("device_id", "chip_count", "version");
    static final JsonKeys GAUDI = JsonKeys.of("device_id", "generation");
    static final JsonKeys NEURON = JsonKeys.of("device_id", "chip_type", "core_count");
    static final JsonKeys MIN_CHIPS = JsonKeys.of("min_chips");

    static final JsonKeys SYSTEM_IO = JsonKeys.of("interconnects", "storage", "environment");
    static final JsonKeys INTERCONNECT = JsonKeys.of("kind", "name", "bandwidth_gbps", "state");
    static final JsonKeys STORAGE = JsonKeys.of("name", "kind", "bandwidth_gbps");
    static final JsonKeys ENVIRONMENT =
            JsonKeys.of("is_docker", "is_kubernetes", "kubernetes_namespace", "cloud_instance", "kubernetes_gpu");
    static final JsonKeys CLOUD = JsonKeys.of("provider", "instance_type", "instance_id", "region", "zone");
    static final JsonKeys GPU_GRANT = JsonKeys.of("device_ids", "gpu_count", "source");

    static final JsonKeys GAP_TAGS =
            JsonKeys.of("ToolNotFound", "ToolFailed", "Timeout", "ParseError", "SysfsReadError");
    static final JsonKeys TOOL_NOT_FOUND = JsonKeys.of("tool");
    static final JsonKeys TOOL_FAILED = JsonKeys.of("tool", "exit_code", "stderr");
    static final JsonKeys TIMEOUT = JsonKeys.of("tool", "timeout_secs");
    static final JsonKeys PARSE_ERROR = JsonKeys.of("backend", "message");
    static final JsonKeys SYSFS_ERROR = JsonKeys.of("path", "message");
    /// The fields of each tag.
    static final List<JsonKeys> GAP_FIELDS = List.of(TOOL_NOT_FOUND, TOOL_FAILED, TIMEOUT, PARSE_ERROR, SYSFS_ERROR);

    static final Names<AcceleratorKind> KINDS = Names.of(
            AcceleratorKind.values(),
            kind -> kind.findReferenceTag().isPresent(),
            kind -> kind.findReferenceTag().orElseThrow());
    static final Names<TpuVersion> TPU_VERSIONS =
            Names.of(TpuVersion.values(), TpuVersion::isInReference, TpuVersion::referenceName);
    static final Names<GaudiGeneration> GAUDI_GENERATIONS =
            Names.of(GaudiGeneration.values(), GaudiGeneration::isInReference, GaudiGeneration::display);
    static final Names<NeuronChip> NEURON_CHIPS =
            Names.of(NeuronChip.values(), NeuronChip::isInReference, NeuronChip::display);
    static final Names<Interconnect.InterconnectKind> INTERCONNECTS = Names.of(
            Interconnect.InterconnectKind.values(),
            Interconnect.InterconnectKind::isInReference,
            Interconnect.InterconnectKind::referenceName);
    static final Names<StorageDevice.StorageKind> STORAGE_KINDS = Names.of(
            StorageDevice.StorageKind.values(),
            StorageDevice.StorageKind::isInReference,
            StorageDevice.StorageKind::referenceName);
    /// The names of requirements without a number, in the order of [AcceleratorRequirement#named].
    static final JsonKeys REQUIREMENTS = JsonKeys.of(AcceleratorRequirement.named().stream()
            .map(AcceleratorRequirement::referenceName)
            .toArray(String[]::new));
    static final JsonKeys TPU_TAG = JsonKeys.of("Tpu");
    /// The names without fields, and behind them the one with fields.
    static final JsonKeys REQUIREMENT_TAGS = requirementTags();

    private ReferenceKeys() {}

    private static JsonKeys requirementTags() {
        List<String> tags = new ArrayList<>(REQUIREMENTS.names());
        tags.addAll(TPU_TAG.names());
        return JsonKeys.of(tags);
    }
}
