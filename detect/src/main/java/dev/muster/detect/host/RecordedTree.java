package dev.muster.detect.host;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The files of a recorded host. Nothing is followed here: a path names an entry literally.
interface RecordedTree {
    /// What stands at a path.
    Optional<Entry> find(String path);

    /// What a tree has at one path.
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
    /// @param target where it leads, as it says itself
    record LinkEntry(String target) implements Entry {}
}
