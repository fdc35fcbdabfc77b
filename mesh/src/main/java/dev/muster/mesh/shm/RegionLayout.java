// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

/// The layout of the memory that a group shares.
///
/// First comes the head: what the region is, and the first failure. Each rank has two **lines**, used in turns,
/// where it says how far it is and what it calls, with room for a few bytes of payload; two **slots** for more;
/// and for each other rank a **ring** of messages. Lines lie two cache lines apart, since processors fetch them
/// in pairs.
record RegionLayout(int ranks, int slotBytes, int ringBytes) {
    static final long MAGIC = 0x4d55_5354_4552_0002L;
    static final long MAGIC_AT = 0;
    static final long RANKS_AT = 8;
    static final long SLOT_BYTES_AT = 16;
    static final long RING_BYTES_AT = 24;
    static final long INCARNATION_AT = 32;
    /// 0, or 1 while the first failure is being written, or 2 when it can be read.
    static final long FAILURE_AT = 128;

    static final long FAILURE_RANK_AT = 136;
    static final long FAILURE_LENGTH_AT = 144;
    static final long FAILURE_TEXT_AT = 152;
    static final int FAILURE_TEXT_BYTES = 1024 - 24;
    private static final long HEAD_BYTES = 2048;

    static final int LINE_BYTES = 128;
    /// Of a line: the number of the round, what is called, how much, and the payload.
    static final long ROUND = 0;

    static final long WHAT = 8;
    static final long HOW_MUCH = 16;
    static final long INLINE = 24;
    /// As much payload as lies in the same 64 bytes as the number of the round, and so travels with it.
    static final int INLINE_BYTES = 64 - 24;

    /// Of a ring: how far the sender is, how far the receiver is, and the bytes.
    static final long SENT = 0;

    static final long RECEIVED = 128;
    private static final long RING_HEAD_BYTES = 256;
    /// Before each message: its length, rounded up where messages meet.
    static final int MESSAGE_HEAD_BYTES = 16;

    /// Returns the offset of a rank's presence: 0 not yet, 1 here, 2 left.
    long presence(int rank) {
        return HEAD_BYTES + (long) rank * LINE_BYTES;
    }

    /// Returns the offset of the processor that a rank runs on, plus one.
    long processor(int rank) {
        return presence(rank) + LINE_BYTES / 2;
    }

    long line(int rank, int parity) {
        return HEAD_BYTES + ((long) ranks + 2L * rank + parity) * LINE_BYTES;
    }

    long slot(int rank, int parity) {
        return page(line(ranks, 0)) + (2L * rank + parity) * slotBytes;
    }

    long ring(int from, int to) {
        return slot(ranks, 0) + ((long) from * ranks + to) * (RING_HEAD_BYTES + ringBytes);
    }

    static long ringData(long ring) {
        return ring + RING_HEAD_BYTES;
    }

    long bytes() {
        return ring(ranks, 0);
    }

    private static long page(long offset) {
        return (offset + 4095) & -4096L;
    }

    /// A layout for so many ranks: rings get smaller as their number grows with the square of the ranks.
    static RegionLayout of(int ranks, int slotBytes) {
        int ring = 64 << 10;
        while (ring > 4096 && (long) ranks * ranks * ring > 16 << 20) {
            ring >>= 1;
        }
        return new RegionLayout(ranks, slotBytes, ring);
    }
}
