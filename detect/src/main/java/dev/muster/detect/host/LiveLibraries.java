// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds native libraries of this machine in the folders where packages put them; the loader's own search path, which
/// the environment can change, is not used.
final class LiveLibraries implements HostLibraries {
    private static final List<String> USUAL = List.of(
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/lib64",
            "/usr/local/lib");

    @Override
    public HostAnswer<Path> find(List<String> names, List<String> folders) {
        Optional<String> objection = Optional.empty();
        List<String> places = new ArrayList<>(USUAL);
        places.addAll(folders);
        for (String name : names) {
            for (String folder : places) {
                File file = new File(folder, name);
                if (file.isFile()) {
                    Path path = file.toPath();
                    Optional<String> found = TrustedFile.findObjection(path);
                    if (found.isEmpty()) {
                        return new HostAnswer.Found<>(path);
                    }
                    objection = found;
                }
            }
        }
        return objection.isPresent() ? new HostAnswer.NotPermitted<>(objection.get()) : new HostAnswer.Missing<>();
    }
}
