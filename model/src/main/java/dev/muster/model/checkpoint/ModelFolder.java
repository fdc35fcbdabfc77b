// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.INCONSISTENT;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_FORMAT;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNREADABLE;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelKind;
import dev.muster.model.tensor.ParameterCount;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// A folder in the layout of Hugging Face: a configuration, and weights in one or several formats. The first format
/// present counts, in the order safetensors, GGUF, PyTorch, ONNX.
final class ModelFolder {
    /// The largest configuration, in bytes; published ones have a few KiB, some with long lists a megabyte.
    private static final int CONFIG_BYTES = 8 << 20;

    /// The members of a pipeline of diffusers.
    private static final String PIPELINE = "model_index.json";

    private static final String SAFE_TENSORS = ".safetensors";
    private static final String BIN = ".bin";
    /// The largest number of files that an error names.
    private static final int NAMED = 8;

    private final Path folder;
    private final String name;
    private final Scan scan;
    private final List<String> names;

    private ModelFolder(Path folder, Scan scan) {
        this.folder = folder;
        Path last = folder.toAbsolutePath().normalize().getFileName();
        // The root of a file system has no name.
        this.name = last == null ? folder.toString() : last.toString();
        this.scan = scan;
        this.names = list();
    }

    static Checkpoint read(Path folder, Scan scan) {
        return new ModelFolder(folder, scan).read();
    }

    /// Reads a single configuration file of any name.
    static Checkpoint readConfig(Path file, Scan scan) {
        Path folder = file.toAbsolutePath().getParent();
        String name = String.valueOf(file.getFileName());
        byte[] json = readAll(folder == null ? file : folder, name, CONFIG_BYTES, scan);
        Checkpoint configured =
                onlyConfigured(HuggingFaceConfig.parse(json, name).architecture());
        return new Checkpoint(
                configured.format(),
                configured.formatVersion(),
                Reading.known(name.substring(0, name.length() - ".json".length()), Provenance.GIVEN),
                configured.files(),
                configured.tensors(),
                configured.parameters(),
                configured.weightBytes(),
                configured.types(),
                configured.architecture());
    }

    private Checkpoint read() {
        Optional<HuggingFaceConfig> config = config();
        ModelArchitecture configured =
                withTask(config.map(HuggingFaceConfig::architecture).orElse(ModelArchitecture.UNKNOWN));
        Checkpoint weights = weights(configured, config.isPresent());
        // Weights state the number of parameters; only the layout of an unknown family is unknown.
        ModelArchitecture architecture = weights.parameters().isKnown()
                        && config.filter(HuggingFaceConfig::understandsLayers).isPresent()
                ? configured.toBuilder().withoutDoubt().build()
                : configured;
        return new Checkpoint(
                weights.format(),
                weights.formatVersion(),
                weights.name().isKnown() ? weights.name() : Reading.known(name, Provenance.GIVEN),
                weights.files(),
                weights.tensors(),
                parameters(weights, architecture),
                weights.weightBytes(),
                weights.types(),
                weights.architecture().find(ModelDimension.LAYERS).isPresent() ? weights.architecture() : architecture);
    }

    /// Returns the architecture with the task that files beside the configuration state: decoders that embed or rank
    /// have
    /// the class of those that write.
    private ModelArchitecture withTask(ModelArchitecture configured) {
        if (configured.kind() != ModelKind.TEXT_GENERATION) {
            return configured;
        }
        boolean ranks = name.toLowerCase(Locale.ROOT).contains("rerank");
        boolean embeds = names.contains("modules.json") || names.contains("config_sentence_transformers.json");
        return ranks || embeds
                ? configured.toBuilder()
                        .kind(ranks ? ModelKind.RERANKER : ModelKind.EMBEDDING)
                        .build()
                : configured;
    }

    /// Returns the parameters of the tensors, or those of the configuration if weights are packed.
    private static Reading<Long> parameters(Checkpoint weights, ModelArchitecture architecture) {
        if (weights.parameters().isKnown()) {
            return weights.parameters();
        }
        Reading<ParameterCount> counted = ParameterCount.of(architecture);
        return counted.isKnown() ? counted.map(ParameterCount::total) : weights.parameters();
    }

    private Checkpoint weights(ModelArchitecture architecture, boolean configured) {
        Optional<ShardIndex> index = index(SAFE_TENSORS);
        List<String> safe = index.map(found -> found.files(scan.limits())).orElseGet(this::safeTensorsWithoutIndex);
        if (!safe.isEmpty()) {
            return readSafeTensors(safe, index, architecture);
        }
        List<String> gguf = GgufReader.Split.models(matching(file -> file.endsWith(".gguf")));
        if (!gguf.isEmpty()) {
            return GgufReader.read(requireOnly(gguf), scan);
        }
        List<String> archives = index(BIN)
                .map(found -> found.files(scan.limits()))
                .orElseGet(() -> matching(file -> file.startsWith("pytorch_model") && file.endsWith(BIN)));
        if (!archives.isEmpty()) {
            return PyTorchReader.join(archives.stream().map(this::requireFile).toList(), architecture, scan);
        }
        List<String> onnx = matching(file -> file.endsWith(".onnx"));
        if (!onnx.isEmpty()) {
            return OnnxReader.read(requireOnly(onnx), scan);
        }
        if (configured) {
            return onlyConfigured(architecture);
        }
        throw CheckpointException.of(
                UNKNOWN_FORMAT, name, "holds no model: neither config.json nor weights of a supported format");
    }

    private Optional<ShardIndex> index(String ending) {
        return ShardIndex.find(names, ending).map(file -> ShardIndex.read(folder, file, scan));
    }

    private Checkpoint readSafeTensors(List<String> safe, Optional<ShardIndex> index, ModelArchitecture architecture) {
        List<Checkpoint.File> files = new ArrayList<>();
        for (String file : safe) {
            files.add(SafeTensorsReader.add(requireFile(file), scan));
        }
        index.ifPresent(found -> found.requireTensors(scan.tally()));
        return SafeTensorsReader.of(files, scan, architecture);
    }

    /// Requires a single model: folders often hold the same model in several quantizations.
    private Path requireOnly(List<String> models) {
        if (models.size() > 1) {
            throw CheckpointException.of(
                    INCONSISTENT,
                    name,
                    "holds " + models.size() + " models; give one of them: "
                            + String.join(", ", models.subList(0, Math.min(NAMED, models.size())))
                            + (models.size() > NAMED ? ", ..." : ""));
        }
        return folder.resolve(models.getFirst());
    }

    private Path requireFile(String file) {
        if (!names.contains(file)) {
            throw CheckpointException.of(INCONSISTENT, name, "lacks the file '" + file + "' of its checkpoint");
        }
        return folder.resolve(file);
    }

    /// Returns `model.safetensors` alone, or else every file of that kind, as of an adapter or a part of a pipeline.
    private List<String> safeTensorsWithoutIndex() {
        if (names.contains("model.safetensors")) {
            return List.of("model.safetensors");
        }
        return matching(file -> file.endsWith(SAFE_TENSORS) && !file.startsWith("consolidated"));
    }

    private List<String> matching(Predicate<String> wanted) {
        return names.stream().filter(wanted).toList();
    }

    private static Checkpoint onlyConfigured(ModelArchitecture architecture) {
        Reading<ParameterCount> counted = ParameterCount.of(architecture);
        return new Checkpoint(
                noWeights(),
                noWeights(),
                noWeights(),
                List.of(),
                noWeights(),
                counted.map(ParameterCount::total),
                noWeights(),
                List.of(),
                architecture);
    }

    private static <T> Reading<T> noWeights() {
        return Reading.unknown(UnknownReason.NOT_STATED, "the folder holds a configuration and no weights");
    }

    private Optional<HuggingFaceConfig> config() {
        if (names.contains(PIPELINE)) {
            return Optional.of(pipeline());
        }
        if (!names.contains(HuggingFaceConfig.FILE)) {
            return Optional.empty();
        }
        return Optional.of(HuggingFaceConfig.parse(readAll(folder, HuggingFaceConfig.FILE, CONFIG_BYTES, scan)));
    }

    /// Returns the configuration of a pipeline of diffusers: those of its members, each from its own folder.
    private HuggingFaceConfig pipeline() {
        Map<String, JsonValue> members =
                new LinkedHashMap<>(read(folder, PIPELINE).members());
        for (String member : ConfigComponents.members()) {
            Path inner = folder.resolve(member);
            if (members.remove(member) != null && Files.isRegularFile(inner.resolve(HuggingFaceConfig.FILE))) {
                members.put(member, read(inner, HuggingFaceConfig.FILE));
            }
        }
        return HuggingFaceConfig.of(new JsonObject(members));
    }

    private JsonObject read(Path from, String file) {
        return HuggingFaceConfig.object(readAll(from, file, CONFIG_BYTES, scan), file);
    }

    /// Reads a whole small file.
    static byte[] readAll(Path folder, String file, int most, Scan scan) {
        try (FileBytes bytes = FileBytes.open(folder.resolve(file), scan)) {
            if (bytes.size() > most) {
                throw CheckpointException.of(
                        TOO_LARGE, file, "has " + bytes.size() + " bytes; at most " + most + " are read");
            }
            return bytes.readBytes((int) bytes.size());
        }
    }

    private List<String> list() {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (found.size() == scan.limits().entries()) {
                    throw CheckpointException.of(
                            TOO_LARGE, name, "holds more than " + scan.limits().entries() + " files");
                }
                found.add(entry.getFileName().toString());
            }
        } catch (IOException e) {
            throw CheckpointException.of(UNREADABLE, name, "cannot be listed: " + e.getMessage());
        }
        Collections.sort(found);
        return found;
    }

    /// Checks that a file named in another file is a name inside the same folder, not a path.
    static String requirePlainName(String index, String file) {
        boolean plain = !file.isBlank()
                && file.indexOf('/') < 0
                && file.indexOf('\\') < 0
                && file.indexOf('\0') < 0
                && !file.equals(".")
                && !file.equals("..");
        if (!plain) {
            throw CheckpointException.of(
                    INCONSISTENT, index, "names a file outside of its folder, which is not opened");
        }
        return file;
    }
}
