// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import java.util.List;
import java.util.Optional;

/// Files of a host of which none are read.
enum EmptyFiles implements HostFiles {
    INSTANCE;

    @Override
    public HostAnswer<String> read(String path, int maxBytes) {
        return new HostAnswer.Missing<>();
    }

    @Override
    public HostAnswer<List<String>> list(String path) {
        return new HostAnswer.Missing<>();
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
