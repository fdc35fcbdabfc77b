// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.INCONSISTENT;
import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISSING;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads GGUF, the format of llama.cpp: versions 1 to 3, both byte orders, models in one file or split into several.
final class GgufReader {
    private GgufReader() {}

    /// Reads a model. Of a split model any part may be given; all of them are read.
    static Checkpoint read(Path path, Scan scan) {
        Optional<Split> split = Split.find(path);
        List<Part> parts = split.isPresent() ? readSplit(split.get(), scan) : List.of(Part.read(path, scan));
        if (split.isEmpty()) {
            Split.checkWhole(parts.getFirst());
        }
        return describe(parts, scan.tally());
    }

    private static List<Part> readSplit(Split split, Scan scan) {
        // A part that was asked for and does not exist is missing; a missing other part makes the model incomplete.
        FileBytes.open(split.path(), scan).close();
        if (split.count() > scan.limits().files()) {
            throw CheckpointException.of(
                    TOO_LARGE,
                    split.name(1),
                    "is one of " + split.count() + " files; at most "
                            + scan.limits().files() + " are read");
        }
        List<Part> parts = new ArrayList<>();
        long tensors = 0;
        for (int number = 1; number <= split.count(); number++) {
            Part part = readPart(split, number, scan);
            split.check(number, part);
            parts.add(part);
            tensors += part.tensors();
        }
        for (Part part : parts) {
            Split.checkTensors(part, tensors);
        }
        return parts;
    }

    private static Part readPart(Split split, int number, Scan scan) {
        try {
            return Part.read(split.path(number), scan);
        } catch (CheckpointException e) {
            if (e.code() != MISSING) {
                throw e;
            }
            throw CheckpointException.of(
                    INCONSISTENT,
                    split.name(number),
                    "is missing; the model has " + split.count() + " parts, which belong into one folder");
        }
    }

    private static Checkpoint describe(List<Part> parts, TensorTally tally) {
        Part first = parts.getFirst();
        // A source needs a name, and that of a file may be blank.
        String source = first.file().name().isBlank()
                ? ModelFormat.GGUF.display()
                : first.file().name();
        Provenance stated = Provenance.of(source, Provenance.Method.FILE, Provenance.Confidence.STATED);
        Provenance derived = Provenance.of(source, Provenance.Method.DERIVED, Provenance.Confidence.STATED);
        return new Checkpoint(
                Reading.known(ModelFormat.GGUF, stated),
                Reading.known((long) first.version(), stated),
                first.metadata()
                        .findText(GgufMetadata.Key.NAME)
                        .map(name -> Reading.known(name, stated))
                        .orElseGet(() -> Reading.unknown(UnknownReason.NOT_STATED)),
                parts.stream().map(Part::file).toList(),
                Reading.known(tally.tensors(), stated),
                Reading.known(parameters(first, tally), derived),
                Reading.known(tally.bytes(), derived),
                tally.types(),
                architecture(parts, stated, derived));
    }

    private static long parameters(Part first, TensorTally tally) {
        try {
            return tally.elements();
        } catch (ArithmeticException _) {
            throw CheckpointException.of(TOO_LARGE, first.file().name(), "has more than 2^63-1 parameters");
        }
    }

    private static ModelArchitecture architecture(List<Part> parts, Provenance stated, Provenance derived) {
        ModelArchitecture.ArchitectureBuilder builder =
                GgufArchitecture.read(parts.getFirst().metadata(), stated, derived);
        boolean output = parts.stream().anyMatch(Part::hasOutput);
        if (output || parts.stream().anyMatch(Part::hasEmbedding)) {
            builder.tiedEmbeddings(!output, derived);
        }
        return builder.build();
    }

    /// A model split into several GGUF files, recognised by their names: `model-00002-of-00005.gguf`. The names of
    /// the parts are made from that pattern, never from the content of a file.
    ///
    /// @param path one of the parts
    /// @param prefix common beginning of the parts' names
    /// @param count number of parts
    record Split(Path path, String prefix, int count) {
        private static final Pattern NAME = Pattern.compile("(.*)-([0-9]{5})-of-([0-9]{5})\\.gguf", Pattern.DOTALL);

        /// Returns the split that a file belongs to by its name, if any.
        static Optional<Split> find(Path path) {
            Matcher matcher = NAME.matcher(String.valueOf(path.getFileName()));
            if (!matcher.matches()) {
                return Optional.empty();
            }
            // Five digits fit into an int.
            int number = Integer.parseInt(matcher.group(2));
            int count = Integer.parseInt(matcher.group(3));
            return count > 1 && number >= 1 && number <= count
                    ? Optional.of(new Split(path, matcher.group(1), count))
                    : Optional.empty();
        }

        /// Returns, of some names, those of whole models and one part of each split one. Projectors for images, which
        /// stand beside a model, are left out.
        static List<String> models(List<String> names) {
            Set<String> seen = new HashSet<>();
            return names.stream()
                    .filter(name -> !name.startsWith("mmproj"))
                    .filter(name -> find(Path.of(name))
                            .map(split -> seen.add(split.prefix() + "-of-" + split.count()))
                            .orElse(true))
                    .toList();
        }

        /// Returns the name of a part.
        ///
        /// @param number the part's number, from 1
        String name(int number) {
            return String.format(Locale.ROOT, "%s-%05d-of-%05d.gguf", prefix, number, count);
        }

        Path path(int number) {
            return path.resolveSibling(name(number));
        }

        /// Checks that a part states the number that its name has.
        void check(int number, Part part) {
            require(part, GgufMetadata.Key.SPLIT_NUMBER, number - 1);
            require(part, GgufMetadata.Key.SPLIT_COUNT, count);
        }

        /// Checks the number of tensors of the whole model.
        static void checkTensors(Part part, long tensors) {
            if (part.metadata().find(GgufMetadata.Key.SPLIT_TENSORS).isPresent()) {
                require(part, GgufMetadata.Key.SPLIT_TENSORS, tensors);
            }
        }

        /// Checks that a file whose name is not that of a part does not state to be one.
        static void checkWhole(Part part) {
            if (part.metadata().findCount(GgufMetadata.Key.SPLIT_COUNT).orElse(0) > 1) {
                throw CheckpointException.of(
                        INCONSISTENT,
                        part.file().name(),
                        "is a part of a split model; give it its name back, such as model-00001-of-00005.gguf");
            }
        }

        private static void require(Part part, String key, long expected) {
            if (part.metadata().findCount(key).orElse(-1) != expected) {
                throw CheckpointException.of(
                        INCONSISTENT, part.file().name(), "should say " + expected + " as its " + key);
            }
        }
    }

    /// One GGUF file: a whole model or a part of one, whose tensors have been tallied.
    ///
    /// @param file the file
    /// @param version the format's version
    /// @param metadata the values of its keys
    /// @param tensors number of tensors
    /// @param hasEmbedding true if the input embedding is among them
    /// @param hasOutput true if the output embedding is among them
    record Part(
            Checkpoint.File file,
            int version,
            GgufMetadata metadata,
            long tensors,
            boolean hasEmbedding,
            boolean hasOutput) {
        private static final long DEFAULT_ALIGNMENT = 32;
        private static final long LEAST_ALIGNMENT = 8;
        private static final long MOST_ALIGNMENT = 1 << 16;

        /// Reads the header of a file.
        static Part read(Path path, Scan scan) {
            try (FileBytes file = FileBytes.open(path, scan)) {
                GgufInput input = GgufInput.open(file, scan.limits());
                long tensors = readCount(input, scan.limits().tensors(), GgufTensorReader.entryBytes(input));
                long entries = readCount(input, scan.limits().entries(), GgufMetadata.entryBytes(input));
                GgufMetadata metadata = GgufMetadata.read(input, entries);
                GgufTensorReader table = new GgufTensorReader(input, scan.tally(), alignment(input, metadata));
                table.read(tensors);
                scan.tally().requireDistinct(file);
                return new Part(
                        file.describe(), input.version(), metadata, tensors, table.hasEmbedding(), table.hasOutput());
            }
        }

        private static long readCount(GgufInput input, int limit, int bytesEach) {
            long count = input.readCount();
            if (count > limit) {
                throw input.error(TOO_LARGE, "there are " + count + " entries; at most " + limit + " are read");
            }
            input.requireHeader(count * bytesEach);
            return count;
        }

        private static long alignment(GgufInput input, GgufMetadata metadata) {
            GgufMetadata.Value value = metadata.find(GgufMetadata.Key.ALIGNMENT).orElse(null);
            if (value == null) {
                return DEFAULT_ALIGNMENT;
            }
            if (value instanceof GgufMetadata.Value.Whole whole
                    && whole.type() == GgufInput.ValueType.UINT32
                    && Long.bitCount(whole.value()) == 1
                    && whole.value() >= LEAST_ALIGNMENT
                    && whole.value() <= MOST_ALIGNMENT) {
                return whole.value();
            }
            throw input.error(
                    MALFORMED,
                    GgufMetadata.Key.ALIGNMENT + " has to be a power of two from " + LEAST_ALIGNMENT + " to "
                            + MOST_ALIGNMENT + " in 32 bits");
        }
    }
}
