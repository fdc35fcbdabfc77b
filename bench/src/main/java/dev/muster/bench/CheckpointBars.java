// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import dev.muster.model.checkpoint.Checkpoint;
import dev.muster.model.checkpoint.CheckpointReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/// Reading a header of 60 MB against reading its bytes alone, turn by turn in one run. Start it with a small heap.
public final class CheckpointBars {
    private static final int TENSORS = 300_000;
    private static final long HEADER_BYTES = 60_000_000;
    private static final int GGUF_TENSORS = 5000;
    private static final int TENSOR_BYTES = 8;
    /// The bytes around the name of a tensor.
    private static final int FIXED_BYTES = 70;
    private static final int ROUNDS = 31;
    private static final int WARM_UP = 40;
    /// A small file is read in less than a millisecond, and the compiler needs longer than 40 of these.
    private static final Duration LEAST_WARM_UP = Duration.ofSeconds(3);
    private static final int CHUNK = 1 << 16;
    private static final double SAFETENSORS_BAR = 3.0;
    private static final double GGUF_BAR = 5.0;

    private CheckpointBars() {}

    /// Prints a line for each file and ends with 1 where a bar does not hold.
    public static void main(String[] arguments) throws IOException {
        boolean safetensors = measure("safetensors", CheckpointBars::write, TENSORS, SAFETENSORS_BAR);
        boolean gguf = measure("GGUF", file -> GgufHeader.write(file, GGUF_TENSORS), GGUF_TENSORS, GGUF_BAR);
        System.exit(safetensors && gguf ? 0 : 1);
    }

    /// Writes a file and says how long its header is.
    private interface Header {
        long write(Path file) throws IOException;
    }

    private static boolean measure(String format, Header header, int tensors, double bar) throws IOException {
        Path file = Files.createTempFile("header", "." + format.toLowerCase(Locale.ROOT));
        try {
            return measure(format, file, header.write(file), tensors, bar);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static boolean measure(String format, Path file, long header, int tensors, double bar) throws IOException {
        double[] ratios = new double[ROUNDS];
        double[] reads = new double[ROUNDS];
        double[] inspections = new double[ROUNDS];
        long warm = System.nanoTime() + LEAST_WARM_UP.toNanos();
        for (int round = 0; round < WARM_UP || System.nanoTime() - warm < 0; round++) {
            readAlone(file, header);
            inspect(file, tensors);
        }
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            readAlone(file, header);
            long middle = System.nanoTime();
            inspect(file, tensors);
            long end = System.nanoTime();
            reads[round] = (middle - start) / 1e6;
            inspections[round] = (end - middle) / 1e6;
            ratios[round] = inspections[round] / reads[round];
        }
        System.out.printf(
                Locale.ROOT,
                "%s, header of %d bytes: read alone %.2f ms, as a checkpoint %.2f ms, ratio %.2f (bar %.1f), heap %d MiB%n",
                format,
                header,
                median(reads),
                median(inspections),
                median(ratios),
                bar,
                Runtime.getRuntime().maxMemory() >> 20);
        return median(ratios) <= bar;
    }

    private static void inspect(Path file, int tensors) {
        Checkpoint checkpoint = CheckpointReader.create().read(file);
        if (checkpoint.tensors().find().orElse(0L) != tensors) {
            throw new IllegalStateException("not all tensors were read");
        }
    }

    private static void readAlone(Path file, long header) throws IOException {
        byte[] chunk = new byte[CHUNK];
        long left = header;
        long sum = 0;
        try (InputStream stream = Files.newInputStream(file)) {
            while (left > 0) {
                int count = stream.read(chunk, 0, (int) Math.min(left, CHUNK));
                sum += chunk[0] + count;
                left -= count;
            }
        }
        // Never so: the bytes have to be used.
        if (sum == 0) {
            throw new IllegalStateException("nothing was read");
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /// Written piece by piece: the heap is smaller than the header.
    private static long write(Path file) throws IOException {
        int nameLength = (int) (HEADER_BYTES / TENSORS) - FIXED_BYTES;
        long length = 1;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            out.write(new byte[Long.BYTES]);
            for (int tensor = 0; tensor < TENSORS; tensor++) {
                byte[] entry = entry(tensor, nameLength).getBytes(StandardCharsets.US_ASCII);
                out.write(entry);
                length += entry.length;
            }
            out.write('}');
            out.write(new byte[TENSORS * TENSOR_BYTES]);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(
                    ByteBuffer.allocate(Long.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(length)
                            .flip(),
                    0);
        }
        return length;
    }

    private static String entry(int tensor, int nameLength) {
        String name = "model.layers." + tensor + ".block_sparse_moe.experts.";
        long from = (long) tensor * TENSOR_BYTES;
        return (tensor == 0 ? "{\"" : ",\"")
                + name
                + "w".repeat(nameLength - name.length())
                + "\":{\"dtype\":\"BF16\",\"shape\":[2,2],\"data_offsets\":["
                + from
                + ','
                + (from + TENSOR_BYTES)
                + "]}";
    }
}
