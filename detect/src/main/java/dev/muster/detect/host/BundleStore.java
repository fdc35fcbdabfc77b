// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/// The files of a bundle: some beside each other at its top, and the host's tree below `root`.
interface BundleStore {
    /// The largest single file of a bundle.
    int MAX_FILE = 16 << 20;
    /// The largest bundle, unpacked.
    long MAX_TOTAL = 512L << 20;
    /// The most entries of a bundle.
    int MAX_ENTRIES = 500_000;
    /// The longest path of an entry, as in Linux.
    int MAX_PATH = 4096;

    /// Reports whether there is a file at the top.
    boolean has(String name);

    /// The text of a file outside the tree.
    ///
    /// @throws BundleException if there is none
    String text(String name);

    /// The host's files.
    RecordedTree root();

    /// Opens a folder or an archive.
    static BundleStore open(Path bundle) {
        if (Files.isDirectory(bundle)) {
            return new FolderStore(bundle);
        }
        if (!Files.isRegularFile(bundle)) {
            throw new BundleException(
                    "bundle not found: '" + bundle + "'; make one with 'muster capture -o host.tar.gz'");
        }
        try (InputStream file = new BufferedInputStream(Files.newInputStream(bundle))) {
            return ArchiveStore.read(unpacked(file));
        } catch (IOException e) {
            throw new BundleException("cannot read the bundle '" + bundle + "': " + e.getMessage(), e);
        }
    }

    private static InputStream unpacked(InputStream file) throws IOException {
        file.mark(2);
        boolean packed = file.read() == 0x1f && file.read() == 0x8b;
        file.reset();
        return packed ? new BufferedInputStream(new GZIPInputStream(file)) : file;
    }

    /// A bundle in a folder.
    ///
    /// @param folder the folder
    record FolderStore(Path folder) implements BundleStore {
        @Override
        public boolean has(String name) {
            return Files.isRegularFile(folder.resolve(name), LinkOption.NOFOLLOW_LINKS);
        }

        @Override
        public String text(String name) {
            Path file = folder.resolve(name).normalize();
            // A name that leads elsewhere, through dots or links, is not a file of the bundle.
            if (!file.startsWith(folder.normalize()) || !isInside(file)) {
                throw new BundleException("the bundle '" + folder + "' has no file " + name);
            }
            try (InputStream stream = Files.newInputStream(file)) {
                byte[] bytes = stream.readNBytes(MAX_FILE + 1);
                if (bytes.length > MAX_FILE) {
                    throw new BundleException(file + " is larger than " + MAX_FILE + " bytes");
                }
                return new String(bytes, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new BundleException("cannot read " + file + ": " + e.getMessage(), e);
            }
        }

        private boolean isInside(Path file) {
            try {
                return Files.isRegularFile(file) && file.toRealPath().startsWith(folder.toRealPath());
            } catch (IOException _) {
                return false;
            }
        }

        @Override
        public RecordedTree root() {
            return new RecordedTree.InFolder(folder.resolve(RecordedHost.ROOT));
        }
    }

    /// A bundle in memory.
    ///
    /// @param files the files at its top
    /// @param root the host's files
    record ArchiveStore(Map<String, byte[]> files, RecordedTree.InMemory root) implements BundleStore {
        static ArchiveStore read(InputStream stream) throws IOException {
            TarReader archive = new TarReader(stream, MAX_FILE, MAX_TOTAL);
            Map<String, byte[]> files = new HashMap<>();
            RecordedTree.InMemory root = new RecordedTree.InMemory();
            int entries = 0;
            for (Optional<TarReader.Entry> next = archive.next(); next.isPresent(); next = archive.next()) {
                if (++entries > MAX_ENTRIES) {
                    throw new IOException("more than " + MAX_ENTRIES + " entries");
                }
                if (next.get().name().length() > MAX_PATH) {
                    throw new IOException("the path of an entry has more than " + MAX_PATH + " characters");
                }
                add(next.get(), files, root);
            }
            return new ArchiveStore(files, root);
        }

        private static void add(TarReader.Entry entry, Map<String, byte[]> files, RecordedTree.InMemory root) {
            String name = plain(entry.name());
            String tree = RecordedHost.ROOT + "/";
            if (name.isEmpty() || ("/" + name + "/").contains("/../")) {
                return;
            }
            if (!name.startsWith(tree)) {
                if (entry.kind() == TarReader.Kind.FILE) {
                    files.put(name, entry.content());
                }
                return;
            }
            String path = name.substring(RecordedHost.ROOT.length());
            switch (entry.kind()) {
                case FILE -> root.addFile(path, entry.content());
                case FOLDER -> root.addFolder(path);
                case LINK -> root.addLink(path, entry.link());
                case OTHER -> {}
            }
        }

        /// The name without a leading `./` and without a trailing slash.
        private static String plain(String name) {
            String rest = name.startsWith("./") ? name.substring(2) : name;
            return rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
        }

        @Override
        public boolean has(String name) {
            return files.containsKey(name);
        }

        @Override
        public String text(String name) {
            byte[] bytes = files.get(name);
            if (bytes == null) {
                throw new BundleException("the bundle has no file " + name);
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
