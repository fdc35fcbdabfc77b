package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.MALFORMED;
import static dev.muster.core.json.DocumentException.Code.WRONG_TYPE;
import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import dev.muster.core.AcceleratorType;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.InterconnectKind;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Reads what stands around the profiles in ai-hwaccel's tagged form: interconnects, storage, environment, warnings.
/// Unknown keys are read over here, as its reader does.
final class ReferenceSystemReader {
    private final JsonReader json;

    ReferenceSystemReader(JsonReader json) {
        this.json = json;
    }

    SystemIo readSystemIo() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.SYSTEM_IO);
        List<Interconnect> interconnects = List.of();
        List<StorageDevice> storage = List.of();
        Reading<RuntimeEnvironment> environment = Reading.notProbed();
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> interconnects = readList(this::readInterconnect);
                case 1 -> storage = readList(this::readStorage);
                case 2 -> environment = readOptional(this::readEnvironment);
                default -> throw new AssertionError(field);
            }
        }
        return SystemIo.of(interconnects, storage, environment);
    }

    private Interconnect readInterconnect() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.INTERCONNECT);
        InterconnectKind kind = InterconnectKind.PCIE;
        String name = "";
        double bandwidth = 0;
        Reading<String> state = Reading.notProbed();
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> kind = ReferenceKeys.INTERCONNECT_KINDS.get(readName(ReferenceKeys.INTERCONNECT_NAMES));
                case 1 -> name = json.nextString();
                case 2 -> bandwidth = json.nextDouble();
                case 3 -> state = readOptional(json::nextString);
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b111);
        return new Interconnect(kind, name, rate(bandwidth), state);
    }

    private StorageDevice readStorage() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.STORAGE);
        String name = "";
        StorageDevice.Kind kind = StorageDevice.Kind.UNKNOWN;
        double bandwidth = 0;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> name = json.nextString();
                case 1 -> kind = ReferenceKeys.STORAGE_KINDS.get(readName(ReferenceKeys.STORAGE_NAMES));
                case 2 -> bandwidth = json.nextDouble();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b111);
        return StorageDevice.of(name, kind, rate(bandwidth));
    }

    private static Reading<Bandwidth> rate(double gigabytesPerSecond) {
        return Reading.known(new Bandwidth(gigabytesPerSecond), ReferenceReader.SOURCE);
    }

    private RuntimeEnvironment readEnvironment() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.ENVIRONMENT);
        boolean docker = false;
        boolean kubernetes = false;
        Reading<String> namespace = Reading.notProbed();
        Reading<CloudInstance> cloud = Reading.notProbed();
        Reading<GpuGrant> grant = Reading.notProbed();
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> docker = json.nextBoolean();
                case 1 -> kubernetes = json.nextBoolean();
                case 2 -> namespace = readOptional(json::nextString);
                case 3 -> cloud = readOptional(this::readCloud);
                case 4 -> grant = readOptional(this::readGrant);
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b11);
        return RuntimeEnvironment.of(docker, kubernetes, namespace, cloud, grant);
    }

    private CloudInstance readCloud() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.CLOUD);
        String provider = "";
        List<Reading<String>> facts = new ArrayList<>();
        for (int i = 0; i < ReferenceKeys.CLOUD.size(); i++) {
            facts.add(Reading.notProbed());
        }
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            if (field == 0) {
                provider = json.nextString();
            } else {
                facts.set(field, readOptional(json::nextString));
            }
        }
        struct.require(0b1);
        return new CloudInstance(provider, facts.get(1), facts.get(2), facts.get(3), facts.get(4));
    }

    private GpuGrant readGrant() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.GPU_GRANT);
        List<String> ids = List.of();
        long count = 0;
        String source = "";
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> ids = readList(json::nextString);
                case 1 -> count = json.nextUnsigned(AcceleratorType.MAX_COUNT);
                case 2 -> source = json.nextString();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b110);
        return new GpuGrant(ids, count, source);
    }

    List<Gap> readGaps() {
        return readList(this::readGap);
    }

    Gap readGap() {
        int tag = enterTag(ReferenceKeys.GAP_TAGS);
        Gap gap = switch (tag) {
            case 0 ->
                new Gap.ToolNotFound(readTexts(ReferenceKeys.TOOL_NOT_FOUND).getFirst());
            case 1 -> readToolFailed();
            case 2 -> readTimedOut();
            case 3 -> {
                List<String> texts = readTexts(ReferenceKeys.PARSE_ERROR);
                yield new Gap.Unparsable(texts.get(0), texts.get(1));
            }
            case 4 -> {
                List<String> texts = readTexts(ReferenceKeys.SYSFS_ERROR);
                yield new Gap.FileUnreadable(texts.get(0), texts.get(1));
            }
            default -> throw new AssertionError(tag);
        };
        leaveTag();
        return gap;
    }

    private Gap readToolFailed() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.TOOL_FAILED);
        String tool = "";
        Reading<Integer> exitCode = Reading.unknown(UnknownReason.NOT_SUPPORTED, "ended by a signal");
        String stderr = "";
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> tool = json.nextString();
                case 1 -> exitCode = json.nextNull() ? exitCode : Reading.known(json.nextInt(), ReferenceReader.SOURCE);
                case 2 -> stderr = json.nextString();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b101, 0b111);
        return new Gap.ToolFailed(tool, exitCode, stderr);
    }

    private Gap readTimedOut() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.TIMEOUT);
        String tool = "";
        double seconds = 0;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> tool = json.nextString();
                case 1 -> seconds = json.nextDouble();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b11);
        return new Gap.TimedOut(tool, seconds);
    }

    /// Reads a struct of texts, all required.
    private List<String> readTexts(JsonKeys keys) {
        String[] texts = new String[keys.size()];
        JsonStruct struct = JsonStruct.lenient(json, keys);
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            texts[field] = json.nextString();
        }
        struct.require((1L << texts.length) - 1);
        return List.of(texts);
    }

    /// Reads a name without fields: a text, or an object with the name as its key and null as its value.
    int readName(JsonKeys names) {
        if (json.isString()) {
            return json.nextName(names);
        }
        int name = enterTag(names);
        if (!json.nextNull()) {
            throw json.error(WRONG_TYPE, "'" + names.name(name) + "' has no fields");
        }
        leaveTag();
        return name;
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

    private <T> Reading<T> readOptional(Supplier<T> value) {
        return json.nextNull() ? Reading.notProbed() : Reading.known(value.get(), ReferenceReader.SOURCE);
    }

    private <T> List<T> readList(Supplier<T> item) {
        List<T> items = new ArrayList<>();
        json.beginArray();
        while (json.nextItem()) {
            items.add(item.get());
        }
        return items;
    }
}
