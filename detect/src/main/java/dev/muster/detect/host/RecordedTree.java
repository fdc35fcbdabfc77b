// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The files of a recorded host. Nothing is followed here: a path names an entry literally.
interface RecordedTree {
    /// The type of an entry.
    Optional<Entry> find(String path);

    /// The entry of a tree at one path.
    sealed interface Entry {}

    /// A file.
    non-sealed interface FileEntry extends Entry {
        /// At most that many of its first bytes.
        byte[] read(int maxBytes) throws IOException;
    }

    /// A folder.
    non-sealed interface FolderEntry extends Entry {
        /// The names in it.
        List<String> names() throws IOException;
    }

    /// A link.
    ///
    /// @param target the link's own text of its target
    record LinkEntry(String target) implements Entry {}

    /// A pipe, a socket or a device, of which nothing is read.
    record SpecialEntry() implements Entry {}

    /// A recorded tree in a folder of this machine. No link of it is ever followed by the system.
    ///
    /// @param root the folder that stands for `/`
    record InFolder(Path root) implements RecordedTree {
        @Override
        public Optional<Entry> find(String path) {
            Path place = root.resolve(path.substring(1));
            if (Files.isSymbolicLink(place)) {
                try {
                    return Optional.of(
                            new LinkEntry(Files.readSymbolicLink(place).toString()));
                } catch (IOException _) {
                    return Optional.empty();
                }
            }
            if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of((FolderEntry) () -> names(place));
            }
            if (Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of((FileEntry) maxBytes -> read(place, maxBytes));
            }
            return Files.exists(place, LinkOption.NOFOLLOW_LINKS) ? Optional.of(new SpecialEntry()) : Optional.empty();
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

    /// A recorded tree in memory: what an archive holds, or what a test makes up. Confined to one thread while it is
    /// filled; after that safe to share.
    final class InMemory implements RecordedTree {
        private final Map<String, Entry> entries = new HashMap<>();
        private final Map<String, Set<String>> folders = new HashMap<>();

        InMemory() {
            folders.put("/", new HashSet<>());
        }

        void addFile(String path, byte[] content) {
            addToFolder(path);
            entries.put(path, (FileEntry) maxBytes -> Arrays.copyOf(content, Math.min(content.length, maxBytes)));
        }

        void addLink(String path, String target) {
            addToFolder(path);
            entries.put(path, new LinkEntry(target));
        }

        void addFolder(String path) {
            if (folders.putIfAbsent(path, new HashSet<>()) == null) {
                addToFolder(path);
            }
        }

        /// A loop, not a recursion: an archive may nest folders thousands deep.
        private void addToFolder(String path) {
            String entry = path;
            boolean known = false;
            while (!known) {
                int slash = entry.lastIndexOf('/');
                String folder = slash == 0 ? "/" : entry.substring(0, slash);
                known = folders.containsKey(folder);
                folders.computeIfAbsent(folder, _ -> new HashSet<>()).add(entry.substring(slash + 1));
                entry = folder;
            }
        }

        @Override
        public Optional<Entry> find(String path) {
            Entry entry = entries.get(path);
            if (entry != null) {
                return Optional.of(entry);
            }
            Set<String> names = folders.get(path);
            return names == null
                    ? Optional.empty()
                    : Optional.of((FolderEntry) () -> List.copyOf(new ArrayList<>(names)));
        }
    }
}
