package dev.muster.detect.host;

import java.io.File;
import java.util.List;

/// Parts of this machine for tests of other packages.
public final class LiveParts {
    private LiveParts() {}

    /// Files below a folder.
    public static HostFiles files(File root) {
        return new LiveFiles(root);
    }

    /// Tools in these folders.
    public static HostCommands commands(List<String> folders) {
        return new LiveCommands(folders);
    }
}
