// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import java.util.Arrays;

/// Requests by the time of their next event, the earliest first; of equal times the lowest first.
final class EventHeap {
    private long[] moments = new long[64];
    private int[] requests = new int[64];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /// Returns the earliest time; [Long#MAX_VALUE] if there is none.
    long moment() {
        return size == 0 ? Long.MAX_VALUE : moments[0];
    }

    int request() {
        return requests[0];
    }

    void clear() {
        size = 0;
    }

    void add(long moment, int request) {
        if (size == moments.length) {
            moments = Arrays.copyOf(moments, 2 * size);
            requests = Arrays.copyOf(requests, 2 * size);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isBefore(moment, request, parent)) {
                break;
            }
            moments[at] = moments[parent];
            requests[at] = requests[parent];
            at = parent;
        }
        moments[at] = moment;
        requests[at] = request;
    }

    /// Removes and returns the earliest.
    int remove() {
        int first = requests[0];
        size--;
        long moment = moments[size];
        int request = requests[size];
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(moments[child + 1], requests[child + 1], child)) {
                child++;
            }
            if (isBefore(moment, request, child)) {
                break;
            }
            moments[at] = moments[child];
            requests[at] = requests[child];
            at = child;
        }
        moments[at] = moment;
        requests[at] = request;
        return first;
    }

    private boolean isBefore(long moment, int request, int other) {
        return moment < moments[other] || (moment == moments[other] && request < requests[other]);
    }
}
