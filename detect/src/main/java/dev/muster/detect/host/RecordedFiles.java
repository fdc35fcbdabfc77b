// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import dev.muster.core.text.NaturalOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Reads the files of a recorded host. Links are followed here, one by one, as if the tree were the whole machine: an
/// absolute link starts at the tree's root again, and `..` cannot climb above it.
record RecordedFiles(RecordedTree tree) implements HostFiles {
    private static final int MAX_LINKS = 40;

    @Override
    public HostAnswer<String> read(String path, int maxBytes) {
        Optional<RecordedTree.Entry> entry = findRealPath(path).flatMap(tree::find);
        if (entry.isEmpty()) {
            return new HostAnswer.Missing<>();
        }
        if (entry.get() instanceof RecordedTree.SpecialEntry) {
            return HostAnswer.Unreadable.notRegular();
        }
        if (!(entry.get() instanceof RecordedTree.FileEntry file)) {
            return new HostAnswer.Unreadable<>("is a folder");
        }
        try {
            byte[] bytes = file.read(maxBytes + 1);
            return bytes.length > maxBytes
                    ? HostAnswer.Unreadable.tooLong(maxBytes)
                    : new HostAnswer.Found<>(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return new HostAnswer.Unreadable<>(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public HostAnswer<List<String>> list(String path) {
        Optional<RecordedTree.Entry> entry = findRealPath(path).flatMap(tree::find);
        if (entry.isEmpty()) {
            return new HostAnswer.Missing<>();
        }
        if (!(entry.get() instanceof RecordedTree.FolderEntry folder)) {
            return new HostAnswer.Unreadable<>("is not a folder");
        }
        try {
            List<String> names = new ArrayList<>(folder.names());
            names.sort(NaturalOrder.INSTANCE);
            return names.size() > MAX_NAMES
                    ? new HostAnswer.Unreadable<>("more than " + MAX_NAMES + " names")
                    : new HostAnswer.Found<>(names);
        } catch (IOException e) {
            return new HostAnswer.Unreadable<>(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean exists(String path) {
        return findRealPath(path).isPresent();
    }

    @Override
    public Optional<String> findLink(String path) {
        int slash = path.lastIndexOf('/');
        return findRealPath(slash == 0 ? "/" : path.substring(0, slash))
                .flatMap(folder -> tree.find(joined(folder, path.substring(slash + 1))))
                .filter(RecordedTree.LinkEntry.class::isInstance)
                .map(entry -> ((RecordedTree.LinkEntry) entry).target());
    }

    @Override
    public Optional<String> findRealPath(String path) {
        Deque<String> ahead = new ArrayDeque<>(parts(path));
        String here = "/";
        int links = 0;
        while (!ahead.isEmpty()) {
            String part = ahead.pop();
            if (part.equals("..")) {
                here = parent(here);
                continue;
            }
            String next = joined(here, part);
            Optional<RecordedTree.Entry> entry = tree.find(next);
            if (entry.isEmpty()) {
                return Optional.empty();
            }
            if (entry.get() instanceof RecordedTree.LinkEntry(String target)) {
                if (++links > MAX_LINKS) {
                    return Optional.empty();
                }
                here = target.startsWith("/") ? "/" : here;
                List<String> way = parts(target);
                for (int i = way.size() - 1; i >= 0; i--) {
                    ahead.push(way.get(i));
                }
            } else {
                here = next;
            }
        }
        return Optional.of(here);
    }

    private static List<String> parts(String path) {
        List<String> parts = new ArrayList<>();
        for (String part : path.split("/", -1)) {
            if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return parts;
    }

    private static String joined(String folder, String name) {
        return folder.equals("/") ? "/" + name : folder + "/" + name;
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }
}
