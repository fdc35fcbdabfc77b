// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MALFORMED;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_TYPE;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.AcceleratorType;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import java.util.List;
import java.util.function.Supplier;

/// Reads what stands around the profiles in ai-hwaccel's tagged form: interconnects, storage, environment, warnings.
/// Unknown keys are read over here, as its reader does.
record ReferenceSystemReader(JsonReader json) {
    private static final Reading<Integer> SIGNAL = Reading.unknown(UnknownReason.NOT_SUPPORTED, "ended by a signal");

    SystemIo readSystemIo() {
        FieldReader io = new FieldReader(json, ReferenceKeys.SYSTEM_IO);
        return SystemIo.of(
                io.list("interconnects", this::readInterconnect),
                io.list("storage", this::readStorage),
                optional(io, "environment", this::readEnvironment));
    }

    private Interconnect readInterconnect() {
        FieldReader item = new FieldReader(json, ReferenceKeys.INTERCONNECT);
        return new Interconnect(
                item.at("kind", () -> readName(ReferenceKeys.INTERCONNECTS)),
                item.text("name"),
                rate(item),
                optional(item, "state", json::nextString));
    }

    private StorageDevice readStorage() {
        FieldReader item = new FieldReader(json, ReferenceKeys.STORAGE);
        return StorageDevice.of(
                item.text("name"), item.at("kind", () -> readName(ReferenceKeys.STORAGE_KINDS)), rate(item));
    }

    private Reading<Bandwidth> rate(FieldReader item) {
        return Reading.known(new Bandwidth(item.at("bandwidth_gbps", json::nextDouble)), ReferenceReader.SOURCE);
    }

    private RuntimeEnvironment readEnvironment() {
        FieldReader item = new FieldReader(json, ReferenceKeys.ENVIRONMENT);
        return RuntimeEnvironment.of(
                item.truth("is_docker"),
                item.truth("is_kubernetes"),
                optional(item, "kubernetes_namespace", json::nextString),
                optional(item, "cloud_instance", this::readCloud),
                optional(item, "kubernetes_gpu", this::readGrant));
    }

    private CloudInstance readCloud() {
        FieldReader item = new FieldReader(json, ReferenceKeys.CLOUD);
        return new CloudInstance(
                item.text("provider"),
                optional(item, "instance_type", json::nextString),
                optional(item, "instance_id", json::nextString),
                optional(item, "region", json::nextString),
                optional(item, "zone", json::nextString));
    }

    private GpuGrant readGrant() {
        FieldReader item = new FieldReader(json, ReferenceKeys.GPU_GRANT);
        return new GpuGrant(
                item.list("device_ids", json::nextString),
                item.count("gpu_count", AcceleratorType.MAX_COUNT),
                item.text("source"));
    }

    List<Gap> readGaps() {
        return json.nextList(this::readGap);
    }

    Gap readGap() {
        int tag = enterTag(ReferenceKeys.GAP_TAGS);
        FieldReader gap = new FieldReader(json, ReferenceKeys.GAP_FIELDS.get(tag));
        leaveTag();
        return switch (tag) {
            case 0 -> new Gap.ToolNotFound(gap.text("tool"));
            case 1 ->
                new Gap.ToolFailed(
                        gap.text("tool"), gap.at("exit_code", this::readExitCode, SIGNAL), gap.text("stderr"));
            case 2 -> new Gap.Timeout(gap.text("tool"), gap.at("timeout_secs", json::nextDouble));
            case 3 -> new Gap.Unparsable(gap.text("backend"), gap.text("message"));
            case 4 -> new Gap.FileUnreadable(gap.text("path"), gap.text("message"));
            default -> throw new AssertionError(tag);
        };
    }

    private Reading<Integer> readExitCode() {
        return json.nextNull() ? SIGNAL : Reading.known(json.nextInt(), ReferenceReader.SOURCE);
    }

    /// Reads a name without fields: a text, or an object with the name as its key and null as its value.
    int readName(JsonKeys names) {
        if (json.isString()) {
            return json.nextName(names);
        }
        int name = enterTag(names);
        requireNoFields(names.name(name));
        leaveTag();
        return name;
    }

    private <E extends Enum<E>> E readName(Names<E> names) {
        return names.values().get(readName(names.keys()));
    }

    /// Reads the null of a name without fields.
    void requireNoFields(String name) {
        if (!json.nextNull()) {
            throw json.error(WRONG_TYPE, "'" + name + "' has no fields");
        }
    }

    /// Enters the one-key object of a tagged value and returns the tag's index.
    int enterTag(JsonKeys tags) {
        json.beginObject();
        int tag = json.nextKey(tags, 0);
        if (tag == JsonReader.UNKNOWN) {
            throw json.error(WRONG_VALUE, "'" + json.shownKey() + "' is not one of " + String.join(", ", tags.names()));
        }
        if (tag == JsonReader.END) {
            throw notOneKey();
        }
        return tag;
    }

    /// Leaves the object of a tagged value, which has nothing more in it.
    void leaveTag() {
        if (!json.isAtObjectEnd()) {
            throw notOneKey();
        }
        json.endObject();
    }

    private DocumentException notOneKey() {
        return json.error(MALFORMED, "a tagged value is an object with exactly one key");
    }

    private <T> Reading<T> optional(FieldReader fields, String key, Supplier<T> read) {
        return fields.at(key, json::nextNull, true)
                ? Reading.notProbed()
                : Reading.known(fields.at(key, read), ReferenceReader.SOURCE);
    }
}
