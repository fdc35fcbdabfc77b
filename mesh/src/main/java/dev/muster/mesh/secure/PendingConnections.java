// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Connections that have not proven yet who they are. There is a place for so many; when all are taken, the
/// oldest makes room for the next one, but not before it had time to prove itself: until then the next ones
/// wait in the system's queue. So a flood of connections that say nothing holds members up for moments, and
/// keeps none out.
///
/// One address beyond loopback takes a quarter of the places at most, so that it cannot use up all. On loopback
/// all users of a host have the same address. Safe for use by many threads.
///
/// @param <C> type of connections
public final class PendingConnections<C> {
    private static final Duration TIME_TO_PROVE = Duration.ofSeconds(1);
    private static final int SHARES = 4;

    private final int places;
    private final Consumer<C> turnOut;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private final Map<C, Arrival> here = new LinkedHashMap<>();
    private boolean closed;

    private record Arrival(InetAddress from, long since) {
        boolean hadItsTime() {
            return leftNanos() <= 0;
        }

        long leftNanos() {
            return TIME_TO_PROVE.toNanos() - (System.nanoTime() - since);
        }
    }

    /// @param places largest number of connections
    /// @param turnOut ends the connection of one that makes room
    public PendingConnections(int places, Consumer<C> turnOut) {
        this.places = places;
        this.turnOut = turnOut;
    }

    /// Gives a connection a place, when there is one.
    ///
    /// @return false if its address has taken its share, and it has to come again
    public boolean enter(C connection, InetAddress from) throws InterruptedException {
        @Nullable C oldest = null;
        lock.lock();
        try {
            if (!from.isLoopbackAddress() && countOf(from) >= places / SHARES) {
                oldest = oldest(from);
                if (oldest == null) {
                    return false;
                }
            } else {
                while (here.size() >= places && oldest == null && !closed) {
                    oldest = oldest(null);
                    if (oldest == null) {
                        boolean _ = left.await(firstLeftNanos(), TimeUnit.NANOSECONDS);
                    }
                }
            }
            if (oldest != null) {
                here.remove(oldest);
            }
            here.put(connection, new Arrival(from, System.nanoTime()));
        } finally {
            lock.unlock();
        }
        if (oldest != null) {
            turnOut.accept(oldest);
        }
        return true;
    }

    private long countOf(InetAddress from) {
        return here.values().stream().filter(one -> one.from().equals(from)).count();
    }

    /// The oldest of an address, or of all, if it had its time.
    private @Nullable C oldest(@Nullable InetAddress from) {
        for (Map.Entry<C, Arrival> one : here.entrySet()) {
            if (from == null || one.getValue().from().equals(from)) {
                return one.getValue().hadItsTime() ? one.getKey() : null;
            }
        }
        return null;
    }

    private long firstLeftNanos() {
        return here.values().iterator().next().leftNanos();
    }

    /// A connection has proven itself, or ended; whether it still had its place.
    public boolean leave(C connection) {
        lock.lock();
        try {
            boolean wasHere = here.remove(connection) != null;
            left.signalAll();
            return wasHere;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the waits for a place and returns the present connections.
    public List<C> close() {
        lock.lock();
        try {
            closed = true;
            left.signalAll();
            return new ArrayList<>(here.keySet());
        } finally {
            lock.unlock();
        }
    }
}
