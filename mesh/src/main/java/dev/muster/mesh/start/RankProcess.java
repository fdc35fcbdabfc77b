// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.start;

import dev.muster.mesh.start.Launch.RankEnd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// One started process: its output becomes events, line by line, and its end the last one.
final class RankProcess {
    /// Something that happened to a process.
    sealed interface Event {
        record Line(int rank, boolean error, String text) implements Event {}

        record Ended(RankEnd end) implements Event {}
    }

    private static final int KEPT_LINES = 10;
    /// The time for which a grandchild may keep the output open after the process itself has ended.
    private static final Duration OUTPUT_LIMIT = Duration.ofSeconds(2);

    private final int rank;
    private final Process process;
    private final BlockingQueue<Event> events;
    private final boolean remote;
    private final ArrayDeque<String> lastLines = new ArrayDeque<>();

    private RankProcess(int rank, Process process, BlockingQueue<Event> events, boolean remote) {
        this.rank = rank;
        this.process = process;
        this.events = events;
        this.remote = remote;
    }

    /// Takes care of a process that has been started, and gives it nothing to read.
    static RankProcess of(int rank, Process process, BlockingQueue<Event> events) throws IOException {
        RankProcess started = new RankProcess(rank, process, events, false);
        started.begin();
        process.getOutputStream().close();
        return started;
    }

    /// Takes care of a way to another host: says the secret, and holds the line as long as the rank shall run.
    static RankProcess remote(int rank, Process process, BlockingQueue<Event> events, String secret)
            throws IOException {
        RankProcess started = new RankProcess(rank, process, events, true);
        started.begin();
        try {
            process.getOutputStream().write((secret + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException _) {
            // The host cannot be reached: the way to it ends, and says so.
        }
        return started;
    }

    private void begin() {
        Thread out = read(process.getInputStream(), false);
        Thread err = read(process.getErrorStream(), true);
        start("muster-launch-end", () -> awaitEnd(out, err));
    }

    private Thread read(InputStream stream, boolean error) {
        LineReader reader = new LineReader(stream, line -> {
            synchronized (lastLines) {
                if (lastLines.size() == KEPT_LINES) {
                    lastLines.removeFirst();
                }
                lastLines.add(line);
            }
            events.put(new Event.Line(rank, error, line));
        });
        return start("muster-launch-read", reader::run);
    }

    /// Reading a pipe keeps the carrier of a virtual thread, and two that do so would stop the store on a small
    /// machine.
    private static Thread start(String name, Runnable task) {
        return Thread.ofPlatform().daemon().name(name).start(task);
    }

    private void awaitEnd(Thread out, Thread err) {
        try {
            int code = process.waitFor();
            out.join(OUTPUT_LIMIT);
            err.join(OUTPUT_LIMIT);
            List<String> lines;
            synchronized (lastLines) {
                lines = List.copyOf(lastLines);
            }
            events.put(new Event.Ended(new RankEnd(rank, code, lines)));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    int rank() {
        return rank;
    }

    /// Reports whether it is the way to a rank of another host, and has not ended.
    boolean isOpenWay() {
        return remote && process.isAlive();
    }

    /// Asks the process to end, as SIGTERM does; on another host, by letting go of the line.
    void ask() {
        if (!remote) {
            process.destroy();
            return;
        }
        try {
            process.getOutputStream().close();
        } catch (IOException _) {
            // It has ended already.
        }
    }

    /// Ends the process and all that it started.
    void end() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /// Waits until the process has ended; false when it has not in time.
    boolean await(long nanos) throws InterruptedException {
        return process.waitFor(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /// Cuts the output of a process into lines. A line that is too long comes in pieces; bytes that are not UTF-8 are
    /// marked.
    private static final class LineReader {
        static final int MAX_LINE_BYTES = 16_384;
        private static final int BUFFER = 8_192;

        /// Takes a line, and may let the reader wait.
        interface Sink {
            void take(String line) throws InterruptedException;
        }

        private final InputStream stream;
        private final Sink sink;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        LineReader(InputStream stream, Sink sink) {
            this.stream = stream;
            this.sink = sink;
        }

        /// Reads to the end.
        void run() {
            byte[] buffer = new byte[BUFFER];
            try (stream) {
                int count = stream.read(buffer);
                while (count >= 0) {
                    for (int i = 0; i < count; i++) {
                        take(buffer[i]);
                    }
                    count = stream.read(buffer);
                }
            } catch (IOException _) {
                // The process is gone, and so is its output.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
            try {
                if (line.size() > 0) {
                    finishLine();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private void take(byte next) throws InterruptedException {
            if (next == '\n') {
                finishLine();
                return;
            }
            // Not in the middle of a character: continuation bytes begin with 10.
            if (line.size() >= MAX_LINE_BYTES && (next & 0xC0) != 0x80) {
                finishLine();
            }
            line.write(next);
        }

        private void finishLine() throws InterruptedException {
            String text = line.toString(StandardCharsets.UTF_8);
            line.reset();
            sink.take(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
        }
    }
}
