package dev.muster.mesh;

import java.util.Objects;
import java.util.OptionalInt;

/// Ranks along dimensions of a mesh: a first one, and for each dimension how many there are and how far apart. The
/// first dimension varies fastest, and each stride is a multiple of all that lies below it.
final class StridedRanks extends RankSequence {
    private final int first;
    private final int[] sizes;
    private final int[] strides;
    private final int count;

    private StridedRanks(int first, int[] sizes, int[] strides, int count) {
        this.first = first;
        this.sizes = sizes;
        this.strides = strides;
        this.count = count;
    }

    /// Takes the arrays as they are; callers keep no reference.
    static StridedRanks of(int first, int[] sizes, int[] strides) {
        if (first < 0) {
            throw negative(first);
        }
        int count = 1;
        for (int size : sizes) {
            if (size < 1) {
                throw empty();
            }
            count = Math.multiplyExact(count, size);
        }
        return new StridedRanks(first, sizes, strides, count);
    }

    @Override
    public int size() {
        return count;
    }

    @Override
    public int rank(int position) {
        int rest = Objects.checkIndex(position, count);
        int rank = first;
        for (int i = 0; i < sizes.length; i++) {
            rank += rest % sizes[i] * strides[i];
            rest /= sizes[i];
        }
        return rank;
    }

    @Override
    public OptionalInt findPosition(int rank) {
        int rest = rank - first;
        if (rank < 0 || rest < 0) {
            return OptionalInt.empty();
        }
        int position = 0;
        int below = 1;
        for (int i = 0; i < sizes.length; i++) {
            int index = rest / strides[i] % sizes[i];
            rest -= index * strides[i];
            position += index * below;
            below *= sizes[i];
        }
        return rest == 0 ? OptionalInt.of(position) : OptionalInt.empty();
    }

    @Override
    int largest() {
        return rank(count - 1);
    }
}
