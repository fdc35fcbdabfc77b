package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.INCONSISTENT;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.plan.checkpoint.CheckpointException.Code.UNREADABLE;

import dev.muster.core.unit.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The files beside a model that hold its weights. Only their sizes are asked for. Confined to one thread.
///
/// Their names come out of the model, so a name has to be one: what could lead out of the model's folder is refused.
/// Links are followed, because the caches of model hubs are made of them.
final class ExternalFiles {
    private static final String SEPARATORS = "/\\:\0";

    private final Path model;
    private final Scan scan;
    private final Map<String, Long> sizes = new LinkedHashMap<>();

    ExternalFiles(Path model, Scan scan) {
        this.model = model;
        this.scan = scan;
    }

    /// The size of a file that the model names.
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
        scan.deadline().check(name);
        long size = size(path, name);
        sizes.put(name, size);
        return size;
    }

    /// The files in the order in which the model names them.
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
                    "weights lie in '" + name + "', which is no name of a file in the model's folder; move them there");
        }
        if (name.equals(String.valueOf(model.getFileName()))) {
            throw proto.error(MALFORMED, "the model names itself as the other file that holds its weights");
        }
        try {
            return model.resolveSibling(name);
        } catch (InvalidPathException _) {
            throw proto.error(MALFORMED, "weights lie in '" + name + "', which can be no file on this system");
        }
    }

    private static long size(Path path, String name) {
        if (!Files.exists(path)) {
            throw CheckpointException.of(INCONSISTENT, name, "is missing: the model's weights lie in it");
        }
        if (!Files.isRegularFile(path)) {
            throw CheckpointException.of(UNREADABLE, name, "is no plain file");
        }
        try {
            return Files.size(path);
        } catch (IOException e) {
            throw CheckpointException.of(UNREADABLE, name, "cannot be looked at: " + e.getMessage());
        }
    }
}
