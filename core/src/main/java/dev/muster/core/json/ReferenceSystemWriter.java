// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.NOT_REPRESENTABLE;

import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.unit.Bandwidth;
import java.util.List;

/// Writes what stands around the profiles in ai-hwaccel's tagged form.
record ReferenceSystemWriter(JsonWriter json) {
    void write(SystemIo io) {
        json.beginObject();
        if (!io.interconnects().isEmpty()) {
            json.key(ReferenceKeys.SYSTEM_IO, 0).array(io.interconnects(), this::write);
        }
        List<StorageDevice> drives = io.storage().stream()
                .filter(item -> item.kind().isInReference())
                .toList();
        if (!drives.isEmpty()) {
            json.key(ReferenceKeys.SYSTEM_IO, 1).array(drives, this::write);
        }
        if (io.environment() instanceof Reading.Known<RuntimeEnvironment>(var environment, var _)) {
            json.key(ReferenceKeys.SYSTEM_IO, 2);
            write(environment);
        }
        json.endObject();
    }

    private void write(Interconnect item) {
        if (!item.kind().isInReference()) {
            throw DocumentException.of(
                    NOT_REPRESENTABLE,
                    "ai-hwaccel's form has no word for the interconnect "
                            + item.kind().display() + "; use Muster's own form");
        }
        json.beginObject();
        json.key(ReferenceKeys.INTERCONNECT, 0).string(item.kind().referenceName());
        json.key(ReferenceKeys.INTERCONNECT, 1).string(item.name());
        json.key(ReferenceKeys.INTERCONNECT, 2).number(rate(item.bandwidth()));
        optional(ReferenceKeys.INTERCONNECT, 3, item.state());
        json.endObject();
    }

    private void write(StorageDevice item) {
        json.beginObject();
        json.key(ReferenceKeys.STORAGE, 0).string(item.name());
        json.key(ReferenceKeys.STORAGE, 1).string(item.kind().referenceName());
        json.key(ReferenceKeys.STORAGE, 2).number(rate(item.bandwidth()));
        json.endObject();
    }

    /// The form wants a number; its own detection writes 0.0 where it learned none.
    private static double rate(Reading<Bandwidth> bandwidth) {
        return bandwidth.find().map(Bandwidth::gigabytesPerSecond).orElse(0.0);
    }

    private void write(RuntimeEnvironment item) {
        json.beginObject();
        json.key(ReferenceKeys.ENVIRONMENT, 0).bool(item.docker());
        json.key(ReferenceKeys.ENVIRONMENT, 1).bool(item.kubernetes());
        optional(ReferenceKeys.ENVIRONMENT, 2, item.kubernetesNamespace());
        if (item.cloudInstance() instanceof Reading.Known<CloudInstance>(var cloud, var _)) {
            json.key(ReferenceKeys.ENVIRONMENT, 3).beginObject();
            json.key(ReferenceKeys.CLOUD, 0).string(cloud.provider());
            optional(ReferenceKeys.CLOUD, 1, cloud.instanceType());
            optional(ReferenceKeys.CLOUD, 2, cloud.instanceId());
            optional(ReferenceKeys.CLOUD, 3, cloud.region());
            optional(ReferenceKeys.CLOUD, 4, cloud.zone());
            json.endObject();
        }
        if (item.kubernetesGpu() instanceof Reading.Known<GpuGrant>(var grant, var _)) {
            json.key(ReferenceKeys.ENVIRONMENT, 4);
            write(grant);
        }
        json.endObject();
    }

    private void write(GpuGrant grant) {
        json.beginObject();
        if (!grant.deviceIds().isEmpty()) {
            json.key(ReferenceKeys.GPU_GRANT, 0).array(grant.deviceIds(), json::string);
        }
        json.key(ReferenceKeys.GPU_GRANT, 1).unsigned(grant.gpuCount());
        json.key(ReferenceKeys.GPU_GRANT, 2).string(grant.source());
        json.endObject();
    }

    void write(Gap gap) {
        json.beginObject();
        switch (gap) {
            case Gap.ToolNotFound(String tool) ->
                enter(0).key(ReferenceKeys.TOOL_NOT_FOUND, 0).string(tool);
            case Gap.ToolFailed(String tool, Reading<Integer> exitCode, String stderr) -> {
                enter(1).key(ReferenceKeys.TOOL_FAILED, 0).string(tool);
                json.key(ReferenceKeys.TOOL_FAILED, 1);
                if (exitCode instanceof Reading.Known<Integer>(var code, var _)) {
                    json.signed(code);
                } else {
                    json.nullValue();
                }
                json.key(ReferenceKeys.TOOL_FAILED, 2).string(stderr);
            }
            case Gap.Timeout(String tool, double seconds) -> {
                enter(2).key(ReferenceKeys.TIMEOUT, 0).string(tool);
                json.key(ReferenceKeys.TIMEOUT, 1).number(seconds);
            }
            case Gap.Unparsable(String probe, String message) -> parseError(probe, message);
            case Gap.FileUnreadable(String path, String message) -> {
                enter(4).key(ReferenceKeys.SYSFS_ERROR, 0).string(path);
                json.key(ReferenceKeys.SYSFS_ERROR, 1).string(message);
            }
            // The form has no word for these; this one says the least.
            case Gap.ProbeFailed(String probe, String message) -> parseError(probe, "the probe failed: " + message);
            case Gap.Conflict(String device, String message) -> parseError(device, message);
            case Gap.Unexplained(String source) -> parseError(source, "reported without detail");
        }
        json.endObject().endObject();
    }

    private void parseError(String probe, String message) {
        enter(3).key(ReferenceKeys.PARSE_ERROR, 0).string(probe);
        json.key(ReferenceKeys.PARSE_ERROR, 1).string(message);
    }

    private JsonWriter enter(int tag) {
        return json.key(ReferenceKeys.GAP_TAGS, tag).beginObject();
    }

    private void optional(JsonKeys keys, int field, Reading<String> reading) {
        if (reading instanceof Reading.Known<String>(var value, var _)) {
            json.key(keys, field).string(value);
        }
    }
}
