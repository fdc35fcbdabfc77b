// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.cuda;

import java.util.Arrays;

/// The addresses of a device that are taken, so that memory that was given back, or belongs to others, is
/// known as such. For any thread; looking leaves no garbage.
final class DeviceRanges {
    /// Starts in ascending order, then their ends.
    private volatile long[] ranges = {};

    synchronized void add(long start, long bytes) {
        long[] old = ranges;
        int count = old.length / 2;
        int at = -Arrays.binarySearch(old, 0, count, start) - 1;
        if (at < 0) {
            throw new IllegalStateException("memory at " + Long.toHexString(start) + " is taken already");
        }
        long[] next = new long[old.length + 2];
        for (int i = 0, from = 0; i <= count; i++) {
            boolean added = i == at;
            next[i] = added ? start : old[from];
            next[count + 1 + i] = added ? start + bytes : old[count + from];
            from += added ? 0 : 1;
        }
        ranges = next;
    }

    synchronized void remove(long start) {
        long[] old = ranges;
        int count = old.length / 2;
        int at = Arrays.binarySearch(old, 0, count, start);
        long[] next = new long[old.length - 2];
        for (int i = 0, to = 0; i < count; i++) {
            if (i != at) {
                next[to] = old[i];
                next[count - 1 + to] = old[count + i];
                to++;
            }
        }
        ranges = next;
    }

    /// Reports whether all of a piece lies in memory that is taken.
    boolean holds(long address, long bytes) {
        long[] all = ranges;
        int count = all.length / 2;
        int found = Arrays.binarySearch(all, 0, count, address);
        int at = found >= 0 ? found : -found - 2;
        return at >= 0 && address + bytes <= all[count + at];
    }
}
