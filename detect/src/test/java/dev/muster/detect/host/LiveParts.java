// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.File;
import java.util.List;
import java.util.Optional;

/// Parts of this machine for tests of other packages.
public final class LiveParts {
    private LiveParts() {}

    /// Files below a folder.
    public static HostFiles files(File root) {
        HostFiles live = new LiveFiles();
        return new HostFiles() {
            @Override
            public HostAnswer<String> read(String path, int maxBytes) {
                return live.read(root + path, maxBytes);
            }

            @Override
            public HostAnswer<List<String>> list(String path) {
                return live.list(root + path);
            }

            @Override
            public boolean exists(String path) {
                return live.exists(root + path);
            }

            @Override
            public Optional<String> findLink(String path) {
                return live.findLink(root + path);
            }

            @Override
            public Optional<String> findRealPath(String path) {
                return Optional.empty();
            }
        };
    }

    /// Tools in these folders.
    public static HostCommands commands(List<String> folders) {
        return new LiveCommands(folders);
    }
}
