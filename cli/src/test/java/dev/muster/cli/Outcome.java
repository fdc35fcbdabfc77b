// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;

/// The result of a run of the program.
///
/// @param code the exit code
/// @param out standard output
/// @param err standard error
record Outcome(int code, String out, String err) {
    /// The run did what it was asked, without a word on standard error.
    String quietOutput() {
        assertThat(err).isEmpty();
        assertThat(code).isEqualTo(ExitCode.OK);
        return out;
    }

    /// The run was refused with exactly that sentence, and wrote no data. Which command's help the sentence points to
    /// may be left out.
    void assertRefused(int expectedCode, String sentence) {
        assertThat(sentence.endsWith("'muster help'") ? withoutCommand() : err).isEqualTo(sentence + "\n");
        assertThat(out).isEmpty();
        assertThat(code).isEqualTo(expectedCode);
    }

    private String withoutCommand() {
        return err.replaceAll("'muster help [a-z ]+'\n$", "'muster help'\n");
    }
}
