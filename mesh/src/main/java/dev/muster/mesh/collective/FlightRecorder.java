// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.collective.FlightDump.FlightRecord;
import dev.muster.mesh.collective.ProcessGroup.Metrics;
import java.util.ArrayList;
import java.util.List;

/// Remembers the last calls of a group, so that after a failure it can be seen who did what and who did not. Written by
/// the thread whose turn it is, without garbage; read by any thread, which may see a call that is just being
/// overwritten.
final class FlightRecorder {
    /// The number of remembered calls.
    static final int CAPACITY = 1024;

    private final long[] what = new long[CAPACITY];
    private final long[] howMuch = new long[CAPACITY];
    private final long[] sequence = new long[CAPACITY];
    private final long[] start = new long[CAPACITY];
    private final long[] nanos = new long[CAPACITY];
    private final CallState[] states = new CallState[CAPACITY];
    private long calls;
    private long failures;
    private long bytes;
    private long busy;

    void begin(GroupCall call) {
        int slot = (int) (call.sequence() % CAPACITY);
        what[slot] = call.what();
        howMuch[slot] = call.howMuch();
        sequence[slot] = call.sequence();
        start[slot] = call.start();
        nanos[slot] = -1;
        states[slot] = CallState.RUNNING;
    }

    void end(GroupCall call, CallState state) {
        int slot = (int) (call.sequence() % CAPACITY);
        long took = System.nanoTime() - call.start();
        states[slot] = state;
        nanos[slot] = took;
        calls++;
        bytes += call.input().byteSize();
        busy += took;
        if (state.equals(CallState.FAILED)) {
            failures++;
        }
    }

    Metrics metrics() {
        return new Metrics(calls, failures, bytes, busy);
    }

    List<FlightRecord> records() {
        List<FlightRecord> records = new ArrayList<>();
        long newest = 0;
        for (long number : sequence) {
            newest = Math.max(newest, number);
        }
        for (long number = Math.max(1, newest - CAPACITY + 1); number <= newest; number++) {
            int slot = (int) (number % CAPACITY);
            if (sequence[slot] == number) {
                records.add(new FlightRecord(
                        number,
                        CallDescription.text(what[slot], howMuch[slot]),
                        start[slot],
                        nanos[slot],
                        states[slot]));
            }
        }
        return records;
    }
}
