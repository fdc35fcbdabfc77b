// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.file;

import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// `file:PATH` reads saved fleets, registries and captures.
public final class FileProvider implements FleetSourceProvider {
    @Override
    public String scheme() {
        return "file";
    }

    @Override
    public String usage() {
        return "file:PATH";
    }

    @Override
    public FleetSource open(String text, FleetSourceContext context) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a file is written as file:PATH");
        }
        try {
            return FileSource.of(Path.of(text), context.log());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + text + "' is not a path", e);
        }
    }
}
