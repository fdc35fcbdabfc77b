// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.model.checkpoint.CheckpointException.Code.REFUSED;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_FORMAT;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelFormat;
import dev.muster.model.checkpoint.PickleReader.NotUnderstoodException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A reader of the archives of `torch.save` and TorchScript: the table of contents of a ZIP archive, and the pickles
/// that describe the tensors. A pickle is a program; its instructions are read and never run. Confined to one thread.
final class PyTorchReader {
    private static final byte[] LOCAL_HEADER = {'P', 'K', 3, 4};
    private static final int PROTOCOL = 0x80;
    private static final int FIRST_PROTOCOL = 2;
    private static final int LAST_PROTOCOL = 5;

    private static final String PICKLE = "data.pkl";

    /// Folders of storages; frozen TorchScript models keep their weights among the constants. The pickle beside each
    /// describes them.
    private static final List<String> STORAGES = List.of("data", "constants");

    private static final String PICKLED = ".pkl";

    private final FileBytes file;
    private final ZipTable end;
    private final TensorTally tally;
    private final Map<String, ZipTable.Member> pickles = new LinkedHashMap<>();
    private final Map<String, ZipTable.Member> storages = new HashMap<>();
    private @Nullable String root;
    private long extents;
    private long weightBytes;

    private PyTorchReader(FileBytes file, ZipTable end, TensorTally tally) {
        this.file = file;
        this.end = end;
        this.tally = tally;
    }

    /// Reports whether a file with these first bytes is a ZIP archive.
    static boolean recognises(byte[] first) {
        return FileBytes.beginsWith(first, LOCAL_HEADER);
    }

    /// Reports whether a file with these first bytes is a bare pickle, as `torch.save` wrote before 1.6 and others
    /// still do.
    static boolean isPickle(byte[] first) {
        return first.length >= 2
                && (first[0] & 0xFF) == PROTOCOL
                && first[1] >= FIRST_PROTOCOL
                && first[1] <= LAST_PROTOCOL;
    }

    static Checkpoint read(Path path, Scan scan) {
        try (FileBytes file = FileBytes.open(path, scan)) {
            checkFormat(file);
            PyTorchReader reader = new PyTorchReader(file, ZipTable.find(file, scan.limits()), scan.tally());
            return reader.read();
        }
    }

    /// Reads several archives that form one model.
    static Checkpoint join(List<Path> archives, ModelArchitecture architecture, Scan scan) {
        List<Checkpoint.File> files = new ArrayList<>();
        Bytes bytes = Bytes.ZERO;
        Checkpoint last = read(archives.getFirst(), scan);
        // A fact that is unknown for one file is unknown for all.
        Checkpoint telling = last;
        for (Path archive : archives) {
            last = files.isEmpty() ? last : read(archive, scan);
            telling = telling.tensors().isKnown() ? last : telling;
            files.addAll(last.files());
            bytes = bytes.plus(last.weightBytes().find().orElse(Bytes.ZERO));
        }
        Bytes sum = bytes;
        Reading<Bytes> weightBytes = last.weightBytes().map(_ -> sum);
        return new Checkpoint(
                last.format(),
                last.formatVersion(),
                last.name(),
                files,
                telling.tensors(),
                telling.parameters(),
                weightBytes,
                telling.tensors().isKnown() ? telling.types() : List.of(),
                architecture);
    }

    private static void checkFormat(FileBytes file) {
        byte[] first = file.readBytes((int) Math.min(LOCAL_HEADER.length, file.size()));
        if (isPickle(first)) {
            throw CheckpointException.of(
                    REFUSED,
                    file.name(),
                    "is a pickle, which runs code when it is opened; if you trust it, convert it to safetensors");
        }
        if (!recognises(first)) {
            throw CheckpointException.of(UNKNOWN_FORMAT, file.name(), "is not a PyTorch archive");
        }
    }

    private Checkpoint read() {
        Set<String> names = new HashSet<>();
        forEach(member -> check(member, names));
        String folder = root;
        if (folder == null) {
            throw CheckpointException.of(
                    UNKNOWN_FORMAT, file.name(), "is a ZIP archive, but not of PyTorch: it has no data.pkl");
        }
        forEach(member -> addStorage(member, folder));
        return checkpoint();
    }

    private void forEach(Consumer<ZipTable.Member> action) {
        file.seek(end.offset());
        for (long left = end.entries(); left > 0; left--) {
            action.accept(ZipTable.Member.read(file, end));
        }
        if (file.position() != end.offset() + end.size()) {
            throw file.error(MALFORMED, "the table of contents has more members than it says");
        }
    }

    private void check(ZipTable.Member member, Set<String> names) {
        String name = member.name();
        if (!names.add(name)) {
            throw file.error(DUPLICATE, "the member '" + name + "' occurs twice");
        }
        // Each fits before the table of contents; if their sum does not, some share bytes.
        extents += member.extent();
        if (extents > end.offset()) {
            throw file.error(MISPLACED, "members of the archive lie over each other");
        }
        int folderEnd = name.indexOf('/') + 1;
        if (root == null && name.startsWith(PICKLE, folderEnd) && name.length() == folderEnd + PICKLE.length()) {
            root = name.substring(0, folderEnd);
        }
    }

    private void addStorage(ZipTable.Member member, String folder) {
        for (String kind : STORAGES) {
            String inside = folder + kind + "/";
            String name = member.name();
            if (name.equals(folder + kind + PICKLED)) {
                pickles.put(kind, member);
            }
            if (name.startsWith(inside) && name.length() > inside.length() && name.indexOf('/', inside.length()) < 0) {
                if (!member.plain()) {
                    throw file.error(
                            MALFORMED,
                            "the weights '" + name + "' are compressed or encrypted, as PyTorch's never are");
                }
                weightBytes += member.size();
                storages.put(kind + "/" + name.substring(inside.length()), member);
            }
        }
    }

    private Checkpoint checkpoint() {
        Provenance from = Provenance.of(file.name(), Provenance.Method.FILE, Provenance.Confidence.MEASURED);
        Reading<Long> tensors;
        Reading<Long> parameters;
        try {
            Map<String, List<TorchWeights.Named>> found = new LinkedHashMap<>();
            pickles.forEach((kind, member) -> found.put(kind, tensors(kind, member)));
            if (weightBytes > 0 && found.values().stream().allMatch(List::isEmpty)) {
                throw new NotUnderstoodException("it describes no tensor");
            }
            found.forEach((kind, some) -> some.forEach(named -> count(kind, named)));
            tensors = Reading.known(tally.tensors(), from);
            parameters = parameters(from);
        } catch (NotUnderstoodException e) {
            tensors = Reading.unknown(
                    UnknownReason.NOT_STATED,
                    "only the archive's pickle says, which is read and not run: " + e.getMessage());
            parameters = tensors;
        }
        return new Checkpoint(
                Reading.known(ModelFormat.PYTORCH, from),
                Reading.unknown(UnknownReason.NOT_STATED, "the table of contents does not say"),
                Reading.unknown(UnknownReason.NOT_STATED),
                List.of(file.describe()),
                tensors,
                parameters,
                Reading.known(Bytes.of(weightBytes), from),
                tensors.isKnown() ? tally.types() : List.of(),
                ModelArchitecture.UNKNOWN);
    }

    private List<TorchWeights.Named> tensors(String kind, ZipTable.Member pickle) {
        if (!pickle.plain() || pickle.size() > PickleReader.MAX_BYTES) {
            throw new NotUnderstoodException("it is compressed, or has more than " + PickleReader.MAX_BYTES + " bytes");
        }
        Map<String, Long> held = new HashMap<>();
        storages.forEach((name, storage) -> {
            if (name.startsWith(kind + "/")) {
                held.put(name.substring(kind.length() + 1), storage.size());
            }
        });
        file.seek(pickle.start(file, end));
        return TorchWeights.of(PickleReader.read(file.readBytes((int) pickle.size())), held);
    }

    private void count(String kind, TorchWeights.Named named) {
        Pickled.View view = named.view();
        byte[] name = named.name().getBytes(StandardCharsets.UTF_8);
        long size = view.type().blockBits() / Byte.SIZE;
        long bytes = named.elements() * size;
        tally.count(file, NameHash.of(name), view.type(), named.elements(), bytes);
        if (tally.hasSink()) {
            ZipTable.Member member = Objects.requireNonNull(
                    storages.get(kind + "/" + view.storage().key()));
            long[] shape = view.shape().stream().mapToLong(Long::longValue).toArray();
            long offset = member.start(file, end) + view.offset() * size;
            tally.handOn(file.name(), name, view.type(), shape, shape.length, named.elements(), bytes, offset);
        }
    }

    private Reading<Long> parameters(Provenance from) {
        long floating = 0;
        long packed = 0;
        for (Checkpoint.TypeShare share : tally.types()) {
            if (TorchCalls.isFloating(share.type())) {
                floating = Math.addExact(floating, share.elements());
            } else {
                packed += share.bytes().unsigned();
            }
        }
        return packed > tally.bytes().unsigned() / 2
                ? Reading.unknown(UnknownReason.NOT_STATED, "the weights are packed into whole numbers")
                : Reading.known(floating, from);
    }
}
