// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads files and folders of a host. Implementations are safe to share between threads and follow links only as far
/// as they stay on the host. Paths are absolute, such as `/proc/meminfo`.
///
/// @since 0.1
public interface HostFiles {
    /// The most names that are taken of one folder.
    int MAX_NAMES = 16_384;

    /// Reads a small file as text.
    ///
    /// @param maxBytes the most that is read; a longer file is not read at all
    HostAnswer<String> read(String path, int maxBytes);

    /// Lists a folder.
    HostAnswer<List<String>> list(String path);

    /// Reports whether there is a file or folder; a link counts as its target.
    boolean exists(String path);

    /// Returns the target of a link, as the link itself states it: absolute, or relative to the link's folder.
    Optional<String> findLink(String path);

    /// The path with all links followed, if there is such a file or folder.
    Optional<String> findRealPath(String path);

    /// The text of a small file; nothing where it cannot be read.
    default Optional<String> findText(String path, int maxBytes) {
        return read(path, maxBytes) instanceof HostAnswer.Found(String text) ? Optional.of(text) : Optional.empty();
    }

    /// The names in a folder; none where it cannot be listed.
    default List<String> names(String path) {
        return list(path) instanceof HostAnswer.Found(List<String> names) ? names : List.of();
    }

    /// The names in a folder that consist of a prefix and a decimal number, such as `card0`.
    default List<String> numbered(String path, String prefix) {
        List<String> numbered = new ArrayList<>();
        for (String name : names(path)) {
            if (isNumbered(name, prefix)) {
                numbered.add(name);
            }
        }
        return numbered;
    }

    private static boolean isNumbered(String name, String prefix) {
        if (!name.startsWith(prefix) || name.length() == prefix.length()) {
            return false;
        }
        for (int i = prefix.length(); i < name.length(); i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /// The last part of where a link leads: the driver's name, for a `driver` link of a device.
    default Optional<String> findLinkName(String path) {
        return findLink(path).map(target -> target.substring(target.lastIndexOf('/') + 1));
    }
}
