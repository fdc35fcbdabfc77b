// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// Requests in order, linked through the columns of their table: a request is in one queue at a time.
final class RequestQueue {
    private final int[] next;
    private final int[] previous;
    private int head = RequestTable.NONE;
    private int tail = RequestTable.NONE;
    private int size;

    RequestQueue(RequestTable table) {
        this.next = table.next;
        this.previous = table.previous;
    }

    int head() {
        return head;
    }

    int tail() {
        return tail;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return head == RequestTable.NONE;
    }

    int behind(int request) {
        return next[request];
    }

    void append(int request) {
        next[request] = RequestTable.NONE;
        previous[request] = tail;
        if (tail == RequestTable.NONE) {
            head = request;
        } else {
            next[tail] = request;
        }
        tail = request;
        size++;
    }

    void prepend(int request) {
        previous[request] = RequestTable.NONE;
        next[request] = head;
        if (head == RequestTable.NONE) {
            tail = request;
        } else {
            previous[head] = request;
        }
        head = request;
        size++;
    }

    void remove(int request) {
        int before = previous[request];
        int after = next[request];
        if (before == RequestTable.NONE) {
            head = after;
        } else {
            next[before] = after;
        }
        if (after == RequestTable.NONE) {
            tail = before;
        } else {
            previous[after] = before;
        }
        size--;
    }

    void takeAll(RequestQueue other) {
        if (other.isEmpty()) {
            return;
        }
        if (tail == RequestTable.NONE) {
            head = other.head;
        } else {
            next[tail] = other.head;
            previous[other.head] = tail;
        }
        tail = other.tail;
        size += other.size;
        other.head = RequestTable.NONE;
        other.tail = RequestTable.NONE;
        other.size = 0;
    }
}
