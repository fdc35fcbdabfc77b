// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.nccl;

import java.io.PrintStream;

/// The results of checks, a line each, and their verdict.
final class Findings {
    private final PrintStream out;
    private boolean good = true;

    Findings(PrintStream out) {
        this.out = out;
    }

    void expect(String what, boolean holds, String seen) {
        good &= holds;
        out.println((holds ? "ok    " : "WRONG ") + what + (seen.isEmpty() ? "" : ": " + seen));
        out.flush();
    }

    /// A line as it is, for who reads it.
    void print(String line) {
        out.println(line);
        out.flush();
    }

    void say(String line) {
        out.println("      " + line);
        out.flush();
    }

    boolean areGood() {
        return good;
    }
}
