// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.INCONSISTENT;
import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The index beside the files of one checkpoint, which maps tensors to files.
///
/// @param name its file
/// @param weightMap the files of the tensors, by their names
record ShardIndex(String name, Map<String, JsonValue> weightMap) {
    static final String ENDING = ".index.json";

    /// The largest index; some 100,000 tensors take 10 MB.
    private static final int INDEX_BYTES = 32 << 20;

    static ShardIndex parse(String name, byte[] json) {
        try {
            if (JsonValue.parse(json).find("weight_map").orElse(null) instanceof JsonObject(var members)) {
                return new ShardIndex(name, members);
            }
            throw CheckpointException.of(MALFORMED, name, "has no object 'weight_map'");
        } catch (DocumentException e) {
            throw CheckpointException.of(MALFORMED, name, "cannot be read: " + e.getMessage());
        }
    }

    static ShardIndex read(Path folder, String name, Scan scan) {
        return parse(name, ModelFolder.readAll(folder, name, INDEX_BYTES, scan));
    }

    /// Returns the files that the index names, in the order of their names.
    List<String> files(CheckpointReader.Limits limits) {
        Set<String> files = new LinkedHashSet<>();
        for (JsonValue value : weightMap.values()) {
            if (!(value instanceof JsonString(String file))) {
                throw CheckpointException.of(MALFORMED, name, "has a tensor without the name of its file");
            }
            files.add(ModelFolder.requirePlainName(name, file));
            if (files.size() > limits.files()) {
                throw CheckpointException.of(TOO_LARGE, name, "speaks of more than " + limits.files() + " files");
            }
        }
        if (files.isEmpty()) {
            throw CheckpointException.of(MALFORMED, name, "names no tensor");
        }
        List<String> sorted = new ArrayList<>(files);
        sorted.sort(null);
        return sorted;
    }

    /// Checks that every tensor of the index was found.
    void requireTensors(TensorTally tally) {
        for (String tensor : weightMap.keySet()) {
            if (!tally.has(tensor.getBytes(StandardCharsets.UTF_8))) {
                throw CheckpointException.of(
                        INCONSISTENT, name, "names a tensor '" + tensor + "' that is in none of its files");
            }
        }
    }

    /// Returns the index among a folder's files, if there is one for files with this ending.
    static Optional<String> find(List<String> names, String ending) {
        return names.stream().filter(file -> file.endsWith(ending + ENDING)).findFirst();
    }
}
