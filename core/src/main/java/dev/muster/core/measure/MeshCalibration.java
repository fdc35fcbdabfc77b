// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// The times of collectives between ranks over one backend, by group size and by bytes. Immutable.
///
/// While a group of some ranks was measured, all ranks worked in groups of that size, as they do in a step of
/// a plan.
///
/// @param backend the backend of the groups, such as `shm` or `nccl`
/// @param ranks the number of ranks
/// @param hosts the number of machines
/// @param measuredAt the time of the measurement
/// @param thoroughness the thoroughness of the measurement
/// @param curves a curve for each collective and group size
/// @since 0.1
public record MeshCalibration(
        String backend, int ranks, int hosts, Instant measuredAt, Thoroughness thoroughness, List<Curve> curves) {
    /// Checks the numbers and copies the curves.
    public MeshCalibration {
        if (backend.isBlank() || ranks < 2 || hosts < 1 || hosts > ranks) {
            throw new IllegalArgumentException(
                    "a mesh that is measured has a backend, at least 2 ranks, and no more hosts than ranks");
        }
        curves = List.copyOf(curves);
    }

    /// Seconds of one call; empty where groups of that size were not measured.
    ///
    /// @param members ranks of the group
    /// @param bytes of the whole buffer: what a rank reduces or sends, what all ranks gather, scatter or exchange
    public OptionalDouble seconds(Collective collective, int members, double bytes) {
        for (Curve curve : curves) {
            if (curve.collective == collective && curve.members == members) {
                return OptionalDouble.of(curve.seconds(bytes));
            }
        }
        return OptionalDouble.empty();
    }

    /// Reports whether a newer measurement takes the place of this one.
    boolean isReplacedBy(MeshCalibration newer) {
        return backend.equals(newer.backend) && ranks == newer.ranks && hosts == newer.hosts;
    }

    /// A collective operation of a group, as plans count and ranks call it.
    ///
    /// @since 0.1
    public enum Collective {
        /// All get the sum.
        ALL_REDUCE,
        /// All get what each has.
        ALL_GATHER,
        /// Each gets a piece of the sum.
        REDUCE_SCATTER,
        /// Each gets a piece of what each has.
        ALL_TO_ALL,
        /// Each sends to the next and gets from the one before; the last sends nothing, the first gets nothing.
        SEND,
        /// The same, with the first behind the last.
        RING_SEND;

        /// The name in documents and for people: `all-reduce`.
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /// The one that documents call so.
        public static Optional<Collective> find(String text) {
            return Arrays.stream(values())
                    .filter(one -> one.text().equals(text))
                    .findFirst();
        }

        /// Bytes that all members of a group send together in one call, as rings move them; exact, without the
        /// bytes of headers.
        ///
        /// @param bytes of the whole buffer
        public double sentBytes(int members, double bytes) {
            double others = members - 1.0;
            return switch (this) {
                case ALL_REDUCE -> 2 * others * bytes;
                case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, SEND -> others * bytes;
                case RING_SEND -> members > 1 ? members * bytes : 0;
            };
        }
    }

    /// The time of a collective by size.
    ///
    /// @param members ranks of a group
    /// @param points the measured points, the smallest first
    /// @since 0.1
    public record Curve(Collective collective, int members, List<CurvePoint> points) {
        /// Checks that there are points, and that sizes grow.
        public Curve {
            points = List.copyOf(points);
            if (members < 2 || points.isEmpty()) {
                throw new IllegalArgumentException("a curve has a group of at least 2 ranks, and a point");
            }
            for (int i = 1; i < points.size(); i++) {
                if (points.get(i).bytes <= points.get(i - 1).bytes) {
                    throw new IllegalArgumentException("sizes of a curve grow");
                }
            }
        }

        /// Straight between two points, as a latency and a bandwidth of their own say; beyond the last one by
        /// the last two, and before the first one as long as that.
        double seconds(double bytes) {
            CurvePoint first = points.getFirst();
            if (bytes <= first.bytes || points.size() == 1) {
                return first.seconds * Math.max(1, points.size() == 1 ? bytes / first.bytes : 1);
            }
            int next = 1;
            while (next < points.size() - 1 && points.get(next).bytes < bytes) {
                next++;
            }
            CurvePoint below = points.get(next - 1);
            CurvePoint above = points.get(next);
            double slope = Math.max(0, above.seconds - below.seconds) / (above.bytes - below.bytes);
            return Math.max(below.seconds, above.seconds + slope * (bytes - above.bytes));
        }

        /// Seconds that a call takes however little it moves.
        public double latency() {
            return points.getFirst().seconds;
        }

        /// Bytes of the buffer for each second, of large calls: those of the largest one.
        public double bytesPerSecond() {
            return points.getLast().bytes / points.getLast().seconds;
        }
    }

    /// A size and the median of its calls.
    ///
    /// @param bytes of the whole buffer
    /// @param seconds of one call, above 0
    /// @since 0.1
    public record CurvePoint(long bytes, double seconds) {
        /// Checks both.
        public CurvePoint {
            if (bytes < 1 || !(seconds > 0) || Double.isInfinite(seconds)) {
                throw new IllegalArgumentException("a call that was measured has bytes, and took time");
            }
        }
    }
}
