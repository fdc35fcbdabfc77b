// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.terminal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// The whole terminal: its second screen, keys without an echo, no cursor, until it is closed or the program ends in
/// any way. Nothing is written after that. Ctrl-C stays what it is; Ctrl-Z arrives as a key, so that the screen can be
/// given back before the job stops.
public final class FullScreen implements Console {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[2J";
    private static final String LEAVE = "\u001b[0m\u001b[?25h\u001b[?1049l";
    private static final String[] OWN_SETTINGS = {"-icanon", "-echo", "susp", "undef", "size"};
    private static final int CHUNK = 256;
    private static final int QUEUE = 64;
    private static final byte[] WAKE = {};
    private static final byte[] GONE = {};
    private static final Size USUAL = new Size(24, 80);

    private final OutputStream out;
    private final Size size;
    private final String before;
    private boolean closed;
    private final BlockingQueue<byte[]> typed = new ArrayBlockingQueue<>(QUEUE);

    private FullScreen(OutputStream out, Size size, String before) {
        this.out = out;
        this.size = size;
        this.before = before;
    }

    /// Takes the terminal over; empty if standard input is none.
    public static Optional<FullScreen> open(InputStream stdin, OutputStream stdout) throws IOException {
        Optional<String> before = Stty.run("-g");
        Optional<String> size = before.isEmpty() ? before : Stty.run(OWN_SETTINGS);
        if (before.isEmpty() || size.isEmpty()) {
            return Optional.empty();
        }
        FullScreen screen = new FullScreen(stdout, Stty.size(size.get()).orElse(USUAL), before.get());
        Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "restore-terminal"));
        Thread.ofPlatform().daemon().name("muster-keys").start(() -> screen.read(stdin));
        screen.write(ENTER);
        return Optional.of(screen);
    }

    private void read(InputStream stdin) {
        byte[] chunk = new byte[CHUNK];
        try {
            for (int count = stdin.read(chunk); count > 0; count = stdin.read(chunk)) {
                typed.put(Arrays.copyOf(chunk, count));
            }
            typed.put(GONE);
        } catch (IOException _) {
            typed.offer(GONE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Size size() {
        return size;
    }

    @Override
    public synchronized void write(String text) throws IOException {
        if (!closed) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    @Override
    public synchronized void suspend() throws IOException {
        if (closed) {
            return;
        }
        write(LEAVE);
        Stty.run(before);
        StoppedJob.stop();
        Stty.run(OWN_SETTINGS);
        write(ENTER);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // these two arrays are signs
    public Optional<byte[]> await(Duration limit) throws IOException {
        try {
            byte[] bytes = typed.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (bytes == GONE) {
                throw new EOFException("the terminal is gone");
            }
            return bytes == null || bytes == WAKE ? Optional.empty() : Optional.of(bytes);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new EOFException("interrupted");
        }
    }

    @Override
    public void wake() {
        typed.offer(WAKE);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            try {
                write(LEAVE);
            } catch (IOException _) {
                // The terminal is gone, and its settings with it.
            }
            closed = true;
            Stty.run(before);
        }
    }
}
