package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What a tensor says of the other file that holds its numbers. Confined to one thread.
final class OnnxExternal {
    private static final int DECIMAL = 10;

    private @Nullable String location;
    private @Nullable String offset;
    private @Nullable String length;

    /// Takes one pair of key and value. Keys that say nothing of the place, such as a checksum, are passed over.
    void take(ProtoReader proto) {
        String key = "";
        String value = "";
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.ENTRY_KEY -> key = text(proto);
                case OnnxField.ENTRY_VALUE -> value = text(proto);
                default -> proto.skip();
            }
        }
        proto.leave(outer);
        switch (key) {
            case "location" -> location = once(proto, key, location, value);
            case "offset" -> offset = once(proto, key, offset, value);
            case "length" -> length = once(proto, key, length, value);
            default -> {}
        }
    }

    private static String text(ProtoReader proto) {
        return new String(proto.bytes(CheckpointReader.Limits.NAME_BYTES), StandardCharsets.UTF_8);
    }

    private static String once(ProtoReader proto, String key, @Nullable String before, String value) {
        if (before != null) {
            throw proto.error(DUPLICATE, "a tensor in another file says its " + key + " twice");
        }
        return value;
    }

    /// The name of the file; empty where there is none.
    String location() {
        return location == null ? "" : location;
    }

    /// Where the numbers begin.
    long offset(ProtoReader proto) {
        return offset == null ? 0 : number(proto, "offset", offset);
    }

    /// What the numbers take: as they say themselves, or what they need.
    long length(ProtoReader proto, long needed) {
        return length == null ? needed : number(proto, "length", length);
    }

    private static long number(ProtoReader proto, String key, String text) {
        long number = 0;
        for (int at = 0; at < text.length(); at++) {
            int digit = text.charAt(at) - '0';
            if (digit < 0 || digit >= DECIMAL || number > (Long.MAX_VALUE - digit) / DECIMAL) {
                throw notANumber(proto, key);
            }
            number = number * DECIMAL + digit;
        }
        if (text.isEmpty()) {
            throw notANumber(proto, key);
        }
        return number;
    }

    private static CheckpointException notANumber(ProtoReader proto, String key) {
        return proto.error(MALFORMED, "the " + key + " of a tensor in another file is no number of bytes");
    }
}
