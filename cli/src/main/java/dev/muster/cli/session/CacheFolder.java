// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The user's folder for what may be computed or loaded again.
public final class CacheFolder {
    private CacheFolder() {}

    /// Returns the folder in which the launcher, too, keeps what is worth keeping.
    public static Optional<Path> of(Map<String, String> variables) {
        String cache = variables.getOrDefault("XDG_CACHE_HOME", "");
        String home = variables.getOrDefault("HOME", "");
        try {
            if (!cache.isBlank()) {
                return Optional.of(Path.of(cache, "muster"));
            }
            return home.isBlank() ? Optional.empty() : Optional.of(Path.of(home, ".cache", "muster"));
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
    }
}
