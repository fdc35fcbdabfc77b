// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/// A page of metrics in text, read line by line.
///
/// @param badLines lines that are neither metrics, comments nor blank
/// @param firstBad the number of the first of them; 0 where there is none
record ExpositionPage(int badLines, int firstBad) {
    private static final int MAX_LINE_BYTES = 64 << 10;
    private static final long MAX_BYTES = 256L << 20;
    private static final int BUFFER = 64 << 10;

    /// Hands samples that tell of devices to a sink.
    ///
    /// @throws IOException if the page cannot be read, or has no end
    static ExpositionPage read(InputStream body, Consumer<Sample> sink) throws IOException {
        BufferedInputStream stream = new BufferedInputStream(body, BUFFER);
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        long bytes = 0;
        int number = 0;
        int bad = 0;
        int firstBad = 0;
        int next = stream.read();
        while (next >= 0) {
            line.reset();
            while (next >= 0 && next != '\n') {
                // Of a line that is too long the beginning is kept, so that it is seen to be too long.
                if (line.size() <= MAX_LINE_BYTES) {
                    line.write(next);
                }
                if (++bytes > MAX_BYTES) {
                    throw new IOException("the page has more than " + MAX_BYTES + " bytes");
                }
                next = stream.read();
            }
            number++;
            if (!isGood(line, sink)) {
                bad++;
                firstBad = firstBad == 0 ? number : firstBad;
            }
            next = next < 0 ? next : stream.read();
        }
        return new ExpositionPage(bad, firstBad);
    }

    /// Reports whether a line is as it should be; hands on what it says.
    private static boolean isGood(ByteArrayOutputStream bytes, Consumer<Sample> sink) {
        if (bytes.size() > MAX_LINE_BYTES) {
            return false;
        }
        String line = bytes.toString(StandardCharsets.UTF_8).strip();
        if (ExpositionReader.isComment(line)) {
            return true;
        }
        Optional<Sample> sample = ExpositionReader.read(line);
        sample.filter(read -> Metric.find(read.name()).isPresent()).ifPresent(sink);
        return sample.isPresent();
    }
}
