// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.Finding;
import dev.muster.core.Finding.Status;
import java.util.function.Function;

/// One check.
///
/// @param id its name
/// @param examination looks at a host
record Check(String id, Function<Patient, Verdict> examination) {
    Finding examine(Patient patient) {
        Verdict verdict = examination.apply(patient);
        return new Finding(id, verdict.status(), verdict.message(), verdict.next());
    }

    static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    /// What a check says.
    ///
    /// @param status how it went
    /// @param message what was seen
    /// @param next what to do; blank where nothing is to be done
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
