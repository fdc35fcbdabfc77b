// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.INCONSISTENT;
import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNREADABLE;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The folders in which other programs keep models on this machine: the cache of the Hugging Face Hub, the store of
/// Ollama and the models of LM Studio. Names never lead out of them, nor do links. Immutable.
///
/// @since 0.3
public final class ModelStores {
    /// The largest manifest or reference, in bytes; real ones have a few hundred.
    private static final int MOST_BYTES = 1 << 20;

    private static final int MOST_PARTS = 3;
    private static final int COMMIT = 40;
    private static final int DIGEST = 64;
    private static final String SHA = "sha256:";
    private static final String WEIGHTS = "application/vnd.ollama.image.model";

    private final Path hub;
    private final Path ollama;
    private final Path studio;

    private ModelStores(Path hub, Path ollama, Path studio) {
        this.hub = hub;
        this.ollama = ollama;
        this.studio = studio;
    }

    /// Returns the stores of a user: where the programs' variables say, or else where they are by default.
    ///
    /// @param environment variables such as `HF_HOME` and `OLLAMA_MODELS`
    /// @param home the user's home folder
    public static ModelStores of(Map<String, String> environment, Path home) {
        Path hub = Optional.ofNullable(environment.get("HF_HUB_CACHE"))
                .map(Path::of)
                .or(() -> Optional.ofNullable(environment.get("HF_HOME")).map(folder -> Path.of(folder, "hub")))
                .orElse(home.resolve(".cache/huggingface/hub"));
        Path ollama = Optional.ofNullable(environment.get("OLLAMA_MODELS"))
                .map(Path::of)
                .orElse(home.resolve(".ollama/models"));
        return new ModelStores(hub, ollama, home.resolve(".lmstudio/models"));
    }

    /// Returns the file or folder of a model: of a repository in the cache of the Hub, a name and tag of Ollama, or a
    /// publisher and model of LM Studio. Empty if no store has it.
    ///
    /// @throws CheckpointException if a store has it and is broken, or leads elsewhere
    public Optional<Path> find(String name) {
        int at = name.indexOf(':');
        List<String> parts = List.of((at < 0 ? name : name.substring(0, at)).split("/", MOST_PARTS + 1));
        String tag = at < 0 ? "latest" : name.substring(at + 1);
        if (parts.size() > 2 || !isPlain(tag) || !parts.stream().allMatch(ModelStores::isPlain)) {
            return Optional.empty();
        }
        Optional<Path> found = at >= 0 || parts.size() != 2 ? Optional.empty() : snapshot(parts);
        return found.or(() -> manifest(parts, tag).map(this::blob)).or(() -> published(parts));
    }

    /// Returns the snapshot of a repository that its main branch points to.
    private Optional<Path> snapshot(List<String> parts) {
        Path repository = hub.resolve("models--" + String.join("--", parts));
        Path refs = repository.resolve("refs");
        if (!Files.isRegularFile(refs.resolve("main"))) {
            return Optional.empty();
        }
        String commit = read(hub, refs, "main").strip();
        if (commit.length() != COMMIT || !isHex(commit)) {
            throw CheckpointException.of(INCONSISTENT, "refs/main", "is not a commit of 40 digits");
        }
        Path folder = repository.resolve("snapshots").resolve(commit);
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        requireAllWithin(hub, folder);
        return Optional.of(folder);
    }

    private Optional<Path> manifest(List<String> parts, String tag) {
        Path library = ollama.resolve("manifests/registry.ollama.ai");
        Path folder = parts.size() == 2
                ? library.resolve(parts.getFirst()).resolve(parts.getLast())
                : library.resolve("library").resolve(parts.getFirst());
        return Optional.of(folder.resolve(tag)).filter(Files::isRegularFile);
    }

    /// Returns the weights that a manifest of Ollama names.
    private Path blob(Path manifest) {
        String name = String.valueOf(manifest.getFileName());
        Path folder = manifest.getParent();
        JsonValue value;
        try {
            value = JsonValue.parse(read(ollama, folder == null ? ollama : folder, name));
        } catch (DocumentException e) {
            throw CheckpointException.of(MALFORMED, name, "cannot be read: " + e.getMessage());
        }
        if (value.find("layers").orElse(null) instanceof JsonArray(List<JsonValue> layers)) {
            for (JsonValue layer : layers) {
                if (layer instanceof JsonObject object
                        && new JsonString(WEIGHTS).equals(object.members().get("mediaType"))
                        && object.members().get("digest") instanceof JsonString(String digest)) {
                    return requireBlob(name, digest);
                }
            }
        }
        throw CheckpointException.of(MALFORMED, name, "names no weights");
    }

    private Path requireBlob(String manifest, String digest) {
        String hex = digest.startsWith(SHA) ? digest.substring(SHA.length()) : "";
        if (hex.length() != DIGEST || !isHex(hex)) {
            throw CheckpointException.of(MALFORMED, manifest, "names weights by something else than a SHA-256 digest");
        }
        Path blob = ollama.resolve("blobs").resolve("sha256-" + hex);
        if (!Files.isRegularFile(blob)) {
            throw CheckpointException.of(INCONSISTENT, manifest, "names weights that the store lacks");
        }
        requireWithin(ollama, blob);
        return blob;
    }

    private Optional<Path> published(List<String> parts) {
        Path folder = parts.size() == 2 ? studio.resolve(parts.getFirst()).resolve(parts.getLast()) : studio;
        if (parts.size() != 2 || !Files.isDirectory(folder)) {
            return Optional.empty();
        }
        requireAllWithin(studio, folder);
        return Optional.of(folder);
    }

    private static String read(Path store, Path folder, String file) {
        requireWithin(store, folder.resolve(file));
        Scan scan = Scan.start(CheckpointReader.Limits.DEFAULT, null);
        return new String(ModelFolder.readAll(folder, file, MOST_BYTES, scan), StandardCharsets.UTF_8);
    }

    private static void requireAllWithin(Path store, Path folder) {
        requireWithin(store, folder);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            int count = 0;
            for (Path entry : entries) {
                if (++count > CheckpointReader.Limits.DEFAULT.files()) {
                    throw CheckpointException.of(INCONSISTENT, name(folder), "holds too many files");
                }
                requireWithin(store, entry);
            }
        } catch (IOException e) {
            throw CheckpointException.of(UNREADABLE, name(folder), "cannot be listed: " + e.getMessage());
        }
    }

    /// Refuses links out of a store.
    private static void requireWithin(Path store, Path path) {
        try {
            if (!path.toRealPath().startsWith(store.toRealPath())) {
                throw CheckpointException.of(
                        INCONSISTENT, name(path), "leads out of the store of models, where nothing is opened");
            }
        } catch (IOException e) {
            throw CheckpointException.of(UNREADABLE, name(path), "cannot be found: " + e.getMessage());
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /// Reports whether a text is a name, not a path.
    private static boolean isPlain(String part) {
        return !part.isEmpty()
                && part.charAt(0) != '.'
                && part.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || c == '.'
                                || c == '-'
                                || c == '_');
    }

    private static boolean isHex(String text) {
        return text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
}
