// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.Finding;
import dev.muster.core.Finding.Status;
import java.util.function.Function;

/// One check.
///
/// @param id its name
/// @param examination looks at a host
record Check(String id, Function<CheckContext, Verdict> examination) {
    Finding examine(CheckContext context) {
        Verdict verdict = examination.apply(context);
        return new Finding(id, verdict.status(), verdict.message(), verdict.next());
    }

    static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    /// The result of a check.
    ///
    /// @param status severity
    /// @param message the observation
    /// @param next the remedy; blank if none is needed
    record Verdict(Status status, String message, String next) {
        static Verdict pass(String message) {
            return new Verdict(Status.PASS, message, "");
        }

        static Verdict skip(String message) {
            return new Verdict(Status.SKIP, message, "");
        }

        static Verdict warn(String message, String next) {
            return new Verdict(Status.WARN, message, next);
        }

        static Verdict fail(String message, String next) {
            return new Verdict(Status.FAIL, message, next);
        }
    }
}
