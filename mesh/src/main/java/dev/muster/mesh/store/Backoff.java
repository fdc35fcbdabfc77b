// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

/// The pause between two looks at something that gives no sign: little at first, then twice as long each time,
/// up to a bound. Confined to one thread.
final class Backoff {
    private static final long FIRST_NANOS = 1_000_000;
    private static final long LAST_NANOS = 32_000_000;

    private final long first;
    private final long last;
    private long next;

    private Backoff(long first, long last) {
        this.first = first;
        this.last = last;
        this.next = first;
    }

    /// For what must be asked: from 1 to 32 ms.
    static Backoff polling() {
        return new Backoff(FIRST_NANOS, LAST_NANOS);
    }

    /// For what calls by itself.
    static Backoff unhurried() {
        return new Backoff(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /// The time to wait now.
    long nextNanos() {
        long now = next;
        next = now > last / 2 ? last : now * 2;
        return now;
    }

    /// Something happened, so more may follow soon.
    void hurry() {
        next = first;
    }
}
