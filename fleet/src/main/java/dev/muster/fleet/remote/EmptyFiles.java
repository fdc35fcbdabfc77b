// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import dev.muster.detect.host.FileOutcome;
import dev.muster.detect.host.FolderOutcome;
import dev.muster.detect.host.HostFiles;
import java.util.Optional;

/// Files of a host of which none are read.
enum EmptyFiles implements HostFiles {
    INSTANCE;

    @Override
    public FileOutcome read(String path, int maxBytes) {
        return new FileOutcome.Missing();
    }

    @Override
    public FolderOutcome list(String path) {
        return new FolderOutcome.Missing();
    }

    @Override
    public boolean exists(String path) {
        return false;
    }

    @Override
    public Optional<String> findLink(String path) {
        return Optional.empty();
    }

    @Override
    public Optional<String> findRealPath(String path) {
        return Optional.empty();
    }
}
