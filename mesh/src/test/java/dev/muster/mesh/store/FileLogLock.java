// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Path;

/// Holds the lock of a file store until the end of standard input, as a process in the middle of a change does.
final class FileLogLock {
    private FileLogLock() {}

    static void hold(Path folder, Runnable locked) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve("lock").toFile(), "rw");
                FileLock _ = file.getChannel().lock()) {
            locked.run();
            while (System.in.read() >= 0) {
                // The lock stays until the end in any case.
            }
        }
    }
}
