package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.INCONSISTENT;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MISSING;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TOO_LARGE;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads GGUF, the format of llama.cpp: versions 1 to 3, both byte orders, models in one file or split into several.
final class GgufReader {
    private GgufReader() {}

    /// Whether a file that begins with these bytes is a GGUF file.
    static boolean recognises(byte[] first) {
        return GgufInput.hasMagic(first);
    }

    /// Reads a model. Of a split model any part may be given; all of them are read.
    static Checkpoint read(Path path, Scan scan) {
        List<GgufPart> parts = GgufSplit.find(path)
                .map(split -> readSplit(split, scan))
                .orElseGet(() -> List.of(readWhole(path, scan)));
        return describe(parts, scan.tally());
    }

    private static GgufPart readWhole(Path path, Scan scan) {
        GgufPart part = GgufPart.read(path, scan);
        GgufSplit.checkWhole(part);
        return part;
    }

    private static List<GgufPart> readSplit(GgufSplit split, Scan scan) {
        requireThere(split.path(), scan);
        if (split.count() > scan.limits().files()) {
            throw CheckpointException.of(
                    TOO_LARGE,
                    split.name(1),
                    "is one of " + split.count() + " files; at most "
                            + scan.limits().files() + " are read");
        }
        List<GgufPart> parts = new ArrayList<>();
        long tensors = 0;
        for (int number = 1; number <= split.count(); number++) {
            GgufPart part = readPart(split, number, scan);
            split.check(number, part);
            parts.add(part);
            tensors += part.tensors();
        }
        for (GgufPart part : parts) {
            GgufSplit.checkTensors(part, tensors);
        }
        return parts;
    }

    /// A part that was asked for and is not there is missing; another one makes the model incomplete.
    private static void requireThere(Path path, Scan scan) {
        FileBytes.open(path, scan.deadline()).close();
    }

    private static GgufPart readPart(GgufSplit split, int number, Scan scan) {
        try {
            return GgufPart.read(split.path(number), scan);
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

    private static Checkpoint describe(List<GgufPart> parts, TensorTally tally) {
        GgufPart first = parts.getFirst();
        // A source has a name, and a file's may be a blank.
        String source = first.file().name().isBlank()
                ? ModelFormat.GGUF.display()
                : first.file().name();
        Provenance stated = Provenance.of(source, Provenance.Method.FILE, Provenance.Confidence.STATED);
        Provenance derived = Provenance.of(source, Provenance.Method.DERIVED, Provenance.Confidence.STATED);
        return new Checkpoint(
                Reading.known(ModelFormat.GGUF, stated),
                Reading.known((long) first.version(), stated),
                first.metadata()
                        .findText(GgufKey.NAME)
                        .map(name -> Reading.known(name, stated))
                        .orElseGet(() -> Reading.unknown(UnknownReason.NOT_STATED)),
                parts.stream().map(GgufPart::file).toList(),
                Reading.known(tally.tensors(), stated),
                Reading.known(parameters(first, tally), derived),
                Reading.known(tally.bytes(), derived),
                tally.types(),
                architecture(parts, stated, derived));
    }

    private static long parameters(GgufPart first, TensorTally tally) {
        try {
            return tally.elements();
        } catch (ArithmeticException _) {
            throw CheckpointException.of(TOO_LARGE, first.file().name(), "has more than 2^63-1 parameters");
        }
    }

    private static ModelArchitecture architecture(List<GgufPart> parts, Provenance stated, Provenance derived) {
        ModelArchitecture.Builder builder =
                GgufArchitecture.read(parts.getFirst().metadata(), stated, derived);
        boolean output = parts.stream().anyMatch(GgufPart::hasOutput);
        if (output || parts.stream().anyMatch(GgufPart::hasEmbedding)) {
            builder.tiedEmbeddings(!output, derived);
        }
        return builder.build();
    }
}
