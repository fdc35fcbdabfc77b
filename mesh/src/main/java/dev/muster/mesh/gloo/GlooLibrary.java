// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.core.foreign.NativeFunction;
import dev.muster.core.foreign.NativeLibrary;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.Operation;
import java.lang.foreign.Arena;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// The library between Java and Gloo, as far as calling it goes; its functions are described where it is written, in
/// `mesh/src/main/native/gloo/muster_gloo.cc`. Immutable; stays loaded.
final class GlooLibrary {
    /// The library as the system finds it where no path is given.
    static final String NAME = "libmuster_gloo.so";

    /// The version of the native sources that fits this code.
    private static final int ABI = 1;

    final NativeFunction lost;
    private final Map<Operation, NativeFunction> operations = new EnumMap<>(Operation.class);
    private final NativeFunction open;
    private final NativeFunction abort;
    private final NativeFunction close;
    private final NativeFunction message;

    private GlooLibrary(NativeLibrary library) {
        for (Operation operation : Operation.values()) {
            if (!operation.equals(Operation.REDUCE_SCATTER)) {
                String name = operation.name().toLowerCase(Locale.ROOT);
                operations.put(operation, library.require("muster_gloo_" + name));
            }
        }
        this.lost = library.require("muster_gloo_lost");
        this.open = library.require("muster_gloo_open");
        this.abort = library.require("muster_gloo_abort");
        this.close = library.require("muster_gloo_close");
        this.message = library.require("muster_gloo_failure");
    }

    /// Loads the library.
    ///
    /// @param file a path, or a name that the system looks for
    /// @throws GroupException `unavailable` if it is not there, cannot be loaded or does not fit this Java
    static GlooLibrary load(String file) {
        NativeLibrary library = NativeLibrary.load(List.of(file), GlooLibrary::unavailable);
        if (library.require("muster_gloo_abi").call(0) != ABI) {
            throw unavailable(file + " was built from other sources than this Muster");
        }
        return new GlooLibrary(library);
    }

    /// A library that is there and cannot be loaded may miss Gloo itself.
    private static GroupException unavailable(String reason) {
        return new GroupException(
                GroupError.UNAVAILABLE,
                "gloo: " + reason + "; install Gloo (Debian: apt-get install libgloo0), build the library with"
                        + " scripts/build-gloo-shim of Muster's sources and set MUSTER_GLOO_SHIM to the file");
    }

    NativeFunction operation(Operation operation) {
        return Objects.requireNonNull(operations.get(operation));
    }

    /// Connects a member with all others.
    ///
    /// @return the handle
    /// @throws GlooFault if that fails
    long open(String address, int rank, int ranks, long millis, StoreCallbacks store) {
        try (Arena arena = Arena.ofConfined()) {
            long handle = open.callForAddress(
                    arena.allocateFrom(address).address(),
                    rank,
                    ranks,
                    millis,
                    store.setter(arena).address(),
                    store.getter(arena).address(),
                    store.waiter(arena).address(),
                    0);
            if (handle == 0) {
                throw new GlooFault(message());
            }
            return handle;
        }
    }

    void abort(long handle) {
        abort.call(handle);
    }

    void close(long handle) {
        close.call(handle);
    }

    /// Returns the error of the last call of this thread.
    String message() {
        return NativeLibrary.text(message.callForAddress(0, 0, 0, 0, 0, 0, 0, 0));
    }

    /// Gloo could not carry out an operation, in its own words.
    static final class GlooFault extends RuntimeException {
        private static final long serialVersionUID = 1;

        /// @param message as Gloo says it, often with a place in its sources in front
        GlooFault(String message) {
            super(message.replaceFirst("^\\[\\S+:\\d+] ", ""));
        }
    }
}
