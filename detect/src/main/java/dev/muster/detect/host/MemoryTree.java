package dev.muster.detect.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A recorded tree in memory: what an archive holds, or what a test makes up. Confined to one thread while it is
/// filled; after that safe to share.
final class MemoryTree implements RecordedTree {
    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, Set<String>> folders = new HashMap<>();

    MemoryTree() {
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

    private void addToFolder(String path) {
        int slash = path.lastIndexOf('/');
        String folder = slash == 0 ? "/" : path.substring(0, slash);
        if (!folder.equals("/")) {
            addFolder(folder);
        }
        folders.computeIfAbsent(folder, _ -> new HashSet<>()).add(path.substring(slash + 1));
    }

    @Override
    public Optional<Entry> find(String path) {
        Entry entry = entries.get(path);
        if (entry != null) {
            return Optional.of(entry);
        }
        Set<String> names = folders.get(path);
        return names == null ? Optional.empty() : Optional.of((FolderEntry) () -> List.copyOf(new ArrayList<>(names)));
    }
}
