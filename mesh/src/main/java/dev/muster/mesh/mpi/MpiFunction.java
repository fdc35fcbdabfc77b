// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.core.foreign.NativeFunction;

/// A function of a library of MPI. Every one takes integers, pointers and handles, which are one or the other by
/// library, and returns a status; so one binding serves every library.
///
/// @param library library of the function
/// @param name for messages
/// @param function the native function
record MpiFunction(MpiLibrary library, String name, NativeFunction function) {
    private static final int SUCCESS = 0;

    /// Calls it with as many arguments as it has; those beyond them count for nothing.
    ///
    /// @throws MpiException if it returns an error
    void call(long a, long b, long c, long d, long e, long f, long g, long h) {
        int status = function.call(a, b, c, d, e, f, g, h);
        if (status != SUCCESS) {
            throw new MpiException(name + " failed with code " + status + ": " + library.errorText(status));
        }
    }

    /// Reports whether it succeeds; for functions whose failure is ignored.
    boolean succeeds(long a, long b, long c) {
        return function.call(a, b, c, 0) == SUCCESS;
    }

    void call(long a) {
        call(a, 0, 0, 0, 0, 0, 0, 0);
    }

    void call(long a, long b) {
        call(a, b, 0, 0, 0, 0, 0, 0);
    }

    void call(long a, long b, long c) {
        call(a, b, c, 0, 0, 0, 0, 0);
    }

    void call(long a, long b, long c, long d) {
        call(a, b, c, d, 0, 0, 0, 0);
    }

    void call(long a, long b, long c, long d, long e) {
        call(a, b, c, d, e, 0, 0, 0);
    }

    void call(long a, long b, long c, long d, long e, long f) {
        call(a, b, c, d, e, f, 0, 0);
    }

    void call(long a, long b, long c, long d, long e, long f, long g) {
        call(a, b, c, d, e, f, g, 0);
    }

    /// A function of MPI returned an error; the message is the function and what the library says.
    static final class MpiException extends RuntimeException {
        private static final long serialVersionUID = 1;

        MpiException(String message) {
            super(message);
        }
    }
}
