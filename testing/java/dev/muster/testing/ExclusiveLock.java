// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Holds a lock on a file of this checkout while the tests of an [Exclusive] class run.
final class ExclusiveLock implements BeforeAllCallback, AfterAllCallback {
    private static final Path FILE = Path.of("../target/exclusive-tests.lock");
    private static final ExtensionContext.Namespace OWN = ExtensionContext.Namespace.create(ExclusiveLock.class);
    /// Longer than the slowest class takes on a busy machine.
    private static final long LIMIT_SECONDS = 900;

    private static final long LOOK_AGAIN_MILLIS = 100;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
        Files.createDirectories(FILE.getParent());
        FileChannel channel = FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        long start = System.nanoTime();
        FileLock lock = channel.tryLock();
        while (lock == null) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(Waiting.seconds(LIMIT_SECONDS))) {
                channel.close();
                throw new IOException("other exclusive tests did not end in time");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            lock = channel.tryLock();
        }
        context.getStore(OWN).put(FileChannel.class, channel);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        FileChannel channel = context.getStore(OWN).remove(FileChannel.class, FileChannel.class);
        if (channel != null) {
            channel.close();
        }
    }
}
