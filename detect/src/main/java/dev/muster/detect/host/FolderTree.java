package dev.muster.detect.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A recorded tree in a folder of this machine. No link of it is ever followed by the system.
///
/// @param root the folder that stands for `/`
record FolderTree(Path root) implements RecordedTree {
    @Override
    public Optional<Entry> find(String path) {
        Path place = root.resolve(path.substring(1));
        if (Files.isSymbolicLink(place)) {
            try {
                return Optional.of(new LinkEntry(Files.readSymbolicLink(place).toString()));
            } catch (IOException _) {
                return Optional.empty();
            }
        }
        if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of((FolderEntry) () -> names(place));
        }
        return Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS)
                ? Optional.of((FileEntry) maxBytes -> read(place, maxBytes))
                : Optional.empty();
    }

    private static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        }
        return names;
    }

    private static byte[] read(Path file, int maxBytes) throws IOException {
        try (InputStream stream = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return stream.readNBytes(maxBytes);
        }
    }
}
