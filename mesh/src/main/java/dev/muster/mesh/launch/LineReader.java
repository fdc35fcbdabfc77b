package dev.muster.mesh.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Cuts the output of a process into lines. A line that is too long comes in pieces; what is no UTF-8 is marked.
final class LineReader {
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
