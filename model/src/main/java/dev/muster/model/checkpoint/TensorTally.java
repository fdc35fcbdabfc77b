// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;

import dev.muster.core.unit.Bytes;
import dev.muster.model.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A tally of the tensors of a checkpoint, over all its files, which passes them on to a sink if there is one.
/// Confined to one thread.
final class TensorTally {
    private final CheckpointReader.Limits limits;
    private final @Nullable Consumer<Tensor> sink;
    private final NameLog names = new NameLog();
    private final Map<Tensor.Type, Share> shares = new HashMap<>();
    private @Nullable Share last;
    private long tensors;

    TensorTally(CheckpointReader.Limits limits, @Nullable Consumer<Tensor> sink) {
        this.limits = limits;
        this.sink = sink;
    }

    /// Counts one tensor.
    ///
    /// @param type storage type of its elements
    /// @throws CheckpointException if there are too many
    void count(FileBytes file, long nameHash, Tensor.Type type, long elements, long bytes) {
        if (++tensors > limits.tensors()) {
            throw file.error(TOO_LARGE, "there are more than " + limits.tensors() + " tensors");
        }
        names.add(nameHash);
        // Neighbours mostly have the same type.
        Share share = last != null && last.type.equals(type) ? last : shares.computeIfAbsent(type, Share::new);
        last = share;
        share.tensors++;
        try {
            share.elements = Math.addExact(share.elements, elements);
            share.bytes = Math.addExact(share.bytes, bytes);
        } catch (ArithmeticException _) {
            throw file.error(TOO_LARGE, "the tensors together exceed 2^63-1 bytes");
        }
    }

    boolean hasSink() {
        return sink != null;
    }

    /// Passes a counted tensor to the sink, if there is one.
    ///
    /// @param holder name of the file with its numbers, in which `offset` counts
    /// @param name its name in UTF-8
    /// @param shape its dimensions, slowest first, `rank` of them
    void handOn(
            String holder,
            byte[] name,
            Tensor.Type type,
            long[] shape,
            int rank,
            long elements,
            long bytes,
            long offset) {
        if (sink != null) {
            List<Long> dimensions = Arrays.stream(shape, 0, rank).boxed().toList();
            sink.accept(new Tensor(
                    new String(name, StandardCharsets.UTF_8), type, dimensions, elements, bytes, holder, offset));
        }
    }

    /// Checks that no two tensors so far have the same name; called once behind each file.
    void requireDistinct(FileBytes file) {
        if (names.sort()) {
            throw file.error(DUPLICATE, "two tensors of the checkpoint have the same name");
        }
    }

    /// Reports whether a tensor of that name was added before names were last compared.
    boolean has(byte[] name) {
        return names.has(NameHash.of(name));
    }

    long tensors() {
        return tensors;
    }

    /// Returns the number of elements of all tensors.
    ///
    /// @throws ArithmeticException past 2^63-1
    long elements() {
        long sum = 0;
        for (Share share : shares.values()) {
            sum = Math.addExact(sum, share.elements);
        }
        return sum;
    }

    /// Returns the bytes of all tensors.
    Bytes bytes() {
        Bytes sum = Bytes.ZERO;
        for (Share share : shares.values()) {
            sum = sum.plus(Bytes.of(share.bytes));
        }
        return sum;
    }

    /// Returns the tensors by type, the type with most bytes first.
    List<Checkpoint.TypeShare> types() {
        return shares.values().stream()
                .map(share ->
                        new Checkpoint.TypeShare(share.type, share.tensors, share.elements, Bytes.of(share.bytes)))
                .sorted(Comparator.comparing(Checkpoint.TypeShare::bytes)
                        .reversed()
                        .thenComparing(share -> share.type().name()))
                .toList();
    }

    private static final class Share {
        private final Tensor.Type type;
        private long tensors;
        private long elements;
        private long bytes;

        Share(Tensor.Type type) {
            this.type = type;
        }
    }

    /// The names of many tensors as hashes in an array, sorted once behind each file: a hash table would wait for
    /// memory on each of some hundred thousand names.
    private static final class NameLog {
        private static final int FIRST_CAPACITY = 1 << 10;
        /// The first bits of a hash choose a bucket, so that each bucket is sorted in a core's cache.
        private static final int BUCKET_BITS = 11;

        private static final int BUCKETS = 1 << BUCKET_BITS;

        private long[] hashes = new long[FIRST_CAPACITY];
        private int size;

        void add(long hash) {
            if (size == hashes.length) {
                hashes = Arrays.copyOf(hashes, size * 2);
            }
            hashes[size++] = hash;
        }

        /// Sorts the hashes.
        ///
        /// @return true if one occurs twice
        boolean sort() {
            long[] sorted = new long[hashes.length];
            int[] ends = new int[BUCKETS];
            for (int at = 0; at < size; at++) {
                ends[bucket(hashes[at])]++;
            }
            for (int bucket = 1; bucket < BUCKETS; bucket++) {
                ends[bucket] += ends[bucket - 1];
            }
            for (int at = size - 1; at >= 0; at--) {
                sorted[--ends[bucket(hashes[at])]] = hashes[at];
            }
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                Arrays.sort(sorted, ends[bucket], bucket + 1 < BUCKETS ? ends[bucket + 1] : size);
            }
            hashes = sorted;
            for (int at = 1; at < size; at++) {
                if (hashes[at] == hashes[at - 1]) {
                    return true;
                }
            }
            return false;
        }

        private static int bucket(long hash) {
            return (int) (hash >> (Long.SIZE - BUCKET_BITS)) + BUCKETS / 2;
        }

        /// Reports whether a hash was present at the last sort.
        boolean has(long hash) {
            return Arrays.binarySearch(hashes, 0, size, hash) >= 0;
        }
    }
}
