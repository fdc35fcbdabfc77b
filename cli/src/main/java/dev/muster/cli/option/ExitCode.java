// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

/// The exit code of the process.
public final class ExitCode {
    /// Done.
    public static final int OK = 0;
    /// The answer is no, or something could not be done.
    public static final int NO = 1;
    /// The command line could not be understood.
    public static final int USAGE = 2;
    /// No accelerator, and one was required.
    public static final int NO_ACCELERATOR = 3;
    /// The answer has gaps, and a complete one was required.
    public static final int PARTIAL = 4;
    /// A defect of Muster itself.
    public static final int DEFECT = 70;
    /// The output could not be written.
    public static final int CANNOT_WRITE = 74;
    /// The reader of the output went away.
    public static final int READER_GONE = 141;

    private ExitCode() {}
}
