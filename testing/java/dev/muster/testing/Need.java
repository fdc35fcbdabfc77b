// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing;

import java.io.File;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.opentest4j.TestAbortedException;

/// Things that a machine may lack and a test needs. Programs are [Program]s.
public enum Need {
    /// `/proc`, and what else only this kernel has.
    LINUX("Linux", () -> System.getProperty("os.name").equals("Linux")),
    /// Paths with slashes, permissions of files, `sh`, signals: all systems but Windows.
    POSIX("a POSIX system", () -> FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
            && File.separatorChar == '/'),
    SHARED_MEMORY("/dev/shm", () -> Files.isWritable(Path.of("/dev/shm"))),
    /// A device that has no room for anything.
    FULL_DEVICE("/dev/full", () -> Files.exists(Path.of("/dev/full"))),
    ROOT("root", Need::isRoot),
    /// Root reads and writes everything.
    ORDINARY_USER("a user who is not root", () -> !isRoot());

    private final String words;
    private final BooleanSupplier met;

    Need(String words, BooleanSupplier met) {
        this.words = words;
        this.met = met;
    }

    /// Its description.
    public String words() {
        return words;
    }

    public boolean isMet() {
        return met.getAsBoolean();
    }

    /// Ends the test as skipped where this is not met. For tests that learn what they need while they run; others say
    /// it by [Needs].
    public void require() {
        if (!isMet()) {
            throw unmet(words);
        }
    }

    /// The exception of a test that needs something of its own kind.
    ///
    /// @param words its description, and the way to get it
    public static TestAbortedException unmet(String words) {
        return new TestAbortedException(reason(words));
    }

    /// A file or folder of recordings, which lie beside the checkout and not in the repository; without them
    /// the test ends as skipped.
    ///
    /// @param path below the folder `shared`
    public static Path recording(String path) {
        Path file = Path.of(path);
        Path kind = Path.of("../../shared").resolve(file.getName(0));
        if (!Files.isDirectory(kind)) {
            throw unmet("recordings outside of the repository: missing folder "
                    + kind.toAbsolutePath().normalize());
        }
        return Path.of("../../shared").resolve(file);
    }

    static String reason(String words) {
        return "needs " + words;
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").toLowerCase(Locale.ROOT).equals("root");
    }
}
