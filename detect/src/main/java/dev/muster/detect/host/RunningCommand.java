// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Waits for one process and takes what it says. Confined to one thread.
///
/// Both streams are emptied by turns without blocking, so that no thread can be left behind in a read, even if another
/// process keeps a pipe open.
final class RunningCommand {
    /// Between a request to end and the end by force; a fifth of its time where that is less.
    private static final Duration GRACE = Duration.ofMillis(150);
    /// After the end by force: a process that outlives this hangs in the kernel. A third of the grace where that is
    /// less.
    private static final Duration LAST_WAIT = Duration.ofMillis(50);

    private static final int CHUNK = 64 << 10;
    private static final long POLL_MICROS = 500;

    private final Process process;
    private final CommandLimits limits;
    private final Stream output;
    private final Stream error;
    private final long started = System.nanoTime();
    private final byte[] chunk = new byte[CHUNK];

    RunningCommand(Process process, CommandLimits limits) {
        this.process = process;
        this.limits = limits;
        this.output = new Stream(process.getInputStream(), limits.maxBytes());
        this.error = new Stream(process.getErrorStream(), limits.maxBytes());
    }

    CommandOutcome await() {
        try {
            if (!endsWithin(limits.time())) {
                end();
                return new CommandOutcome.Expired(limits.time());
            }
            drain();
            return new CommandOutcome.Completed(
                    process.exitValue(),
                    output.text(),
                    error.text(),
                    Duration.ofNanos(System.nanoTime() - started),
                    output.truncated || error.truncated);
        } catch (InterruptedException _) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return new CommandOutcome.Failed("interrupted");
        } catch (IOException e) {
            process.destroyForcibly();
            return new CommandOutcome.Failed(String.valueOf(e.getMessage()));
        } finally {
            output.close();
            error.close();
        }
    }

    private boolean endsWithin(Duration time) throws InterruptedException, IOException {
        long end = System.nanoTime() + time.toNanos();
        while (!process.waitFor(POLL_MICROS, TimeUnit.MICROSECONDS)) {
            drain();
            if (System.nanoTime() - end >= 0) {
                return !process.isAlive();
            }
        }
        return true;
    }

    /// Asks the whole family to end, then ends it.
    private void end() throws InterruptedException, IOException {
        List<ProcessHandle> family = process.descendants().toList();
        // Through its handle: the process's own method would close the streams that are still being emptied.
        process.toHandle().destroy();
        family.forEach(ProcessHandle::destroy);
        Duration grace = least(GRACE, limits.time().dividedBy(5));
        if (!endsWithin(grace) || family.stream().anyMatch(ProcessHandle::isAlive)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            family.forEach(ProcessHandle::destroyForcibly);
            process.toHandle().destroyForcibly();
            endsWithin(least(LAST_WAIT, grace.dividedBy(3)));
        }
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void drain() throws IOException {
        output.drain(chunk);
        error.drain(chunk);
    }

    /// One stream of the process, of which the beginning is kept.
    private static final class Stream {
        private final InputStream source;
        private final int maxBytes;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private boolean truncated;

        Stream(InputStream source, int maxBytes) {
            this.source = source;
            this.maxBytes = maxBytes;
        }

        /// Takes what is there now. A stream that is filled faster than it is emptied is left after some rounds, so
        /// that the caller can look at the time.
        void drain(byte[] chunk) throws IOException {
            for (int round = 0; round < 16; round++) {
                int waiting = source.available();
                if (waiting <= 0) {
                    return;
                }
                int count = source.read(chunk, 0, Math.min(waiting, chunk.length));
                if (count <= 0) {
                    return;
                }
                int room = maxBytes - kept.size();
                kept.write(chunk, 0, Math.min(room, count));
                truncated |= count > room;
            }
        }

        String text() {
            return kept.toString(StandardCharsets.UTF_8);
        }

        void close() {
            try {
                source.close();
            } catch (IOException _) {
                // The process is gone or being ended; nothing was going to be read any more.
            }
        }
    }
}
