package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.REFUSED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.UNKNOWN_FORMAT;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the archives of `torch.save` and TorchScript: the table of contents of a ZIP archive and nothing else. What
/// describes the tensors is a pickle, a program; it is never opened. Confined to one thread.
final class PyTorchReader {
    private static final byte[] LOCAL_HEADER = {'P', 'K', 3, 4};
    private static final int PROTOCOL = 0x80;
    private static final int FIRST_PROTOCOL = 2;
    private static final int LAST_PROTOCOL = 5;

    private static final String PICKLE = "data.pkl";

    /// Folders of storages; frozen TorchScript models keep their weights among the constants.
    private static final List<String> STORAGES = List.of("data/", "constants/");

    private final FileBytes file;
    private final ZipTable end;
    private @Nullable String root;
    private long extents;
    private long weightBytes;

    private PyTorchReader(FileBytes file, ZipTable end) {
        this.file = file;
        this.end = end;
    }

    /// Whether a file that begins so is a ZIP archive.
    static boolean recognises(byte[] first) {
        return FileBytes.beginsWith(first, LOCAL_HEADER);
    }

    /// Whether a file that begins so is a bare pickle, as `torch.save` wrote before 1.6 and others still do.
    static boolean isPickle(byte[] first) {
        return first.length >= 2
                && (first[0] & 0xFF) == PROTOCOL
                && first[1] >= FIRST_PROTOCOL
                && first[1] <= LAST_PROTOCOL;
    }

    static Checkpoint read(Path path, Scan scan) {
        try (FileBytes file = FileBytes.open(path, scan)) {
            checkFormat(file);
            PyTorchReader reader = new PyTorchReader(file, ZipTable.find(file, scan.limits()));
            return reader.read();
        }
    }

    /// Reads several archives that make up one model.
    static Checkpoint join(List<Path> archives, ModelArchitecture architecture, Scan scan) {
        List<Checkpoint.File> files = new ArrayList<>();
        Bytes bytes = Bytes.ZERO;
        Checkpoint last = read(archives.getFirst(), scan);
        for (Path archive : archives) {
            last = files.isEmpty() ? last : read(archive, scan);
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
                last.tensors(),
                last.parameters(),
                weightBytes,
                List.of(),
                architecture);
    }

    private static void checkFormat(FileBytes file) {
        byte[] first = file.readBytes((int) Math.min(LOCAL_HEADER.length, file.size()));
        if (isPickle(first)) {
            throw CheckpointException.of(
                    REFUSED,
                    file.name(),
                    "is a pickle, which runs code when it is opened; convert it to safetensors where you trust it");
        }
        if (!recognises(first)) {
            throw CheckpointException.of(UNKNOWN_FORMAT, file.name(), "is no archive of PyTorch");
        }
    }

    private Checkpoint read() {
        Set<String> names = new HashSet<>();
        forEach(member -> check(member, names));
        String folder = root;
        if (folder == null) {
            throw CheckpointException.of(
                    UNKNOWN_FORMAT, file.name(), "is a ZIP archive, but none of PyTorch: it has no data.pkl");
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
            throw file.error(DUPLICATE, "the member '" + name + "' is there twice");
        }
        // Each fits before the table of contents; when all of them do not, some share bytes.
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
        String name = member.name();
        if (!isStorage(name, folder)) {
            return;
        }
        if (!member.plain()) {
            throw file.error(
                    MALFORMED, "the weights '" + name + "' are compressed or encrypted, as PyTorch's never are");
        }
        weightBytes += member.size();
    }

    private static boolean isStorage(String name, String folder) {
        return STORAGES.stream()
                .map(folder::concat)
                .anyMatch(storages -> name.startsWith(storages)
                        && name.length() > storages.length()
                        && name.indexOf('/', storages.length()) < 0);
    }

    private Checkpoint checkpoint() {
        Provenance from = Provenance.of(file.name(), Provenance.Method.FILE, Provenance.Confidence.MEASURED);
        return new Checkpoint(
                Reading.known(ModelFormat.PYTORCH, from),
                Reading.unknown(UnknownReason.NOT_STATED, "the table of contents does not say"),
                Reading.unknown(UnknownReason.NOT_STATED),
                List.of(file.describe()),
                onlyInPickle(),
                onlyInPickle(),
                Reading.known(Bytes.of(weightBytes), from),
                List.of(),
                ModelArchitecture.UNKNOWN);
    }

    private static <T> Reading<T> onlyInPickle() {
        return Reading.unknown(UnknownReason.NOT_STATED, "only the archive's pickle would say, and it is never opened");
    }
}
