package dev.muster.core.json;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.InterconnectKind;
import dev.muster.core.NeuronChip;
import dev.muster.core.StorageDevice;
import dev.muster.core.TpuVersion;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

    /// The kinds with a tag, in the order of [#KIND_TAGS].
    static final List<AcceleratorKind> KINDS = Arrays.stream(AcceleratorKind.values())
            .filter(kind -> kind.findReferenceTag().isPresent())
            .toList();

    static final JsonKeys KIND_TAGS = JsonKeys.of(
            KINDS.stream().map(kind -> kind.findReferenceTag().orElseThrow()).toList());

    /// Where a kind's tag stands in [#KIND_TAGS].
    static final Map<AcceleratorKind, Integer> TAG_OF_KIND = tagOfKind();

    private static Map<AcceleratorKind, Integer> tagOfKind() {
        Map<AcceleratorKind, Integer> tags = new EnumMap<>(AcceleratorKind.class);
        for (AcceleratorKind kind : KINDS) {
            tags.put(kind, tags.size());
        }
        return tags;
    }

    static final List<TpuVersion> TPU_VERSIONS =
            Arrays.stream(TpuVersion.values()).filter(TpuVersion::isInReference).toList();
    static final JsonKeys TPU_VERSION_NAMES =
            JsonKeys.of(TPU_VERSIONS.stream().map(TpuVersion::referenceName).toList());

    static final List<GaudiGeneration> GAUDI_GENERATIONS = Arrays.stream(GaudiGeneration.values())
            .filter(GaudiGeneration::isInReference)
            .toList();
    static final JsonKeys GAUDI_NAMES =
            JsonKeys.of(GAUDI_GENERATIONS.stream().map(GaudiGeneration::display).toList());

    static final List<NeuronChip> NEURON_CHIPS =
            Arrays.stream(NeuronChip.values()).filter(NeuronChip::isInReference).toList();
    static final JsonKeys NEURON_NAMES =
            JsonKeys.of(NEURON_CHIPS.stream().map(NeuronChip::display).toList());

    static final List<InterconnectKind> INTERCONNECT_KINDS = Arrays.stream(InterconnectKind.values())
            .filter(InterconnectKind::isInReference)
            .toList();
    static final JsonKeys INTERCONNECT_NAMES = JsonKeys.of(
            INTERCONNECT_KINDS.stream().map(InterconnectKind::referenceName).toList());

    static final List<StorageDevice.Kind> STORAGE_KINDS = Arrays.stream(StorageDevice.Kind.values())
            .filter(StorageDevice.Kind::isInReference)
            .toList();
    static final JsonKeys STORAGE_NAMES = JsonKeys.of(
            STORAGE_KINDS.stream().map(StorageDevice.Kind::referenceName).toList());

    static final List<AcceleratorRequirement.Simple> REQUIREMENTS = List.of(AcceleratorRequirement.Simple.values());
    static final JsonKeys REQUIREMENT_NAMES = JsonKeys.of(REQUIREMENTS.stream()
            .map(AcceleratorRequirement.Simple::referenceName)
            .toList());
    static final JsonKeys TPU_TAG = JsonKeys.of("Tpu");
    /// The names without fields, and behind them the one with fields.
    static final JsonKeys REQUIREMENT_TAGS = JsonKeys.of(
            Stream.concat(REQUIREMENT_NAMES.names().stream(), Stream.of("Tpu")).toList());

    private ReferenceKeys() {}
}
