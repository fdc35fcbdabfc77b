// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

/// The exit code of the process.
final class ExitCode {
    /// Done.
    static final int OK = 0;
    /// The answer is no, or something could not be done.
    static final int NO = 1;
    /// The command line could not be understood.
    static final int USAGE = 2;
    /// No accelerator, and one was required.
    static final int NO_ACCELERATOR = 3;
    /// The answer has gaps, and a complete one was required.
    static final int PARTIAL = 4;
    /// A defect of Muster itself.
    static final int DEFECT = 70;
    /// The output could not be written.
    static final int CANNOT_WRITE = 74;
    /// The reader of the output went away.
    static final int READER_GONE = 141;

    private ExitCode() {}
}
