// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.model.checkpoint.CheckpointException.Code.INCONSISTENT;
import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNREADABLE;

import dev.muster.core.unit.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The reference from a tensor to another file with its numbers. Confined to one thread.
final class OnnxExternal {
    private static final int DECIMAL = 10;

    private @Nullable String location;
    private @Nullable String offset;
    private @Nullable String length;

    /// Forgets the reference of the tensor before.
    void clear() {
        location = null;
        offset = null;
        length = null;
    }

    /// Reads one pair of key and value. Keys that do not concern the place, such as a checksum, are skipped.
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

    /// Returns the name of the file; empty if there is none.
    String location() {
        return location == null ? "" : location;
    }

    /// Returns the start of the numbers.
    long offset(ProtoReader proto) {
        return offset == null ? 0 : number(proto, "offset", offset);
    }

    /// Returns the length of the numbers: as stated, or as the tensor needs.
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
        return proto.error(MALFORMED, "the " + key + " of a tensor in another file is not a number of bytes");
    }

    /// The files beside a model that hold its weights; only their sizes are read. Confined to one thread.
    ///
    /// Their names come from the model, so they are checked: a name that could lead out of the model's folder is
    /// refused. Links are followed, because the caches of model hubs are made of them.
    static final class Siblings {
        private static final String SEPARATORS = "/\\:\0";

        private final Path model;
        private final Scan scan;
        private final Map<String, Long> sizes = new LinkedHashMap<>();

        Siblings(Path model, Scan scan) {
            this.model = model;
            this.scan = scan;
        }

        /// Returns the size of a file that the model names.
        long size(ProtoReader proto, String name) {
            Long known = sizes.get(name);
            if (known != null) {
                return known;
            }
            Path path = beside(proto, name);
            // The model is a file itself.
            if (sizes.size() + 1 >= scan.limits().files()) {
                throw proto.error(
                        TOO_LARGE, "the model has more than " + scan.limits().files() + " files");
            }
            scan.checkTime(name);
            long size = size(path, name);
            sizes.put(name, size);
            return size;
        }

        /// Returns the files in the order in which the model names them.
        List<Checkpoint.File> list() {
            return sizes.entrySet().stream()
                    .map(file -> new Checkpoint.File(file.getKey(), Bytes.of(file.getValue())))
                    .toList();
        }

        private Path beside(ProtoReader proto, String name) {
            boolean leadsAway = name.chars().anyMatch(character -> SEPARATORS.indexOf(character) >= 0);
            if (name.isBlank() || name.equals(".") || name.equals("..") || leadsAway) {
                throw proto.error(
                        MALFORMED,
                        "weights lie in '" + name
                                + "', which is not a file name in the model's folder; move them there");
            }
            if (name.equals(String.valueOf(model.getFileName()))) {
                throw proto.error(MALFORMED, "the model names itself as the other file that holds its weights");
            }
            try {
                return model.resolveSibling(name);
            } catch (InvalidPathException _) {
                throw proto.error(
                        MALFORMED, "weights lie in '" + name + "', which is not a valid file name on this system");
            }
        }

        private static long size(Path path, String name) {
            if (!Files.exists(path)) {
                throw CheckpointException.of(INCONSISTENT, name, "is missing: the model's weights lie in it");
            }
            if (!Files.isRegularFile(path)) {
                throw CheckpointException.of(UNREADABLE, name, "is not a regular file");
            }
            try {
                return Files.size(path);
            } catch (IOException e) {
                throw CheckpointException.of(UNREADABLE, name, "cannot be looked at: " + e.getMessage());
            }
        }
    }
}
