// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.cuda;

import dev.muster.core.foreign.NativeFunction;
import dev.muster.core.foreign.NativeLibrary;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// A vendor's library, as far as the mesh calls it. For any thread.
final class GpuLibrary {
    static final int SUCCESS = 0;
    /// Both vendors' word for a stream that still works.
    static final int NOT_READY = 600;

    private static final int OUT_OF_MEMORY = 2;

    private final GpuRuntime runtime;
    private final NativeLibrary library;
    private final Map<GpuFunction, NativeFunction> functions = new EnumMap<>(GpuFunction.class);
    private final Map<Integer, GpuDevice> devices = new ConcurrentHashMap<>();
    private final NativeFunction query;
    private final NativeFunction bind;

    private GpuLibrary(GpuRuntime runtime, NativeLibrary library) {
        this.runtime = runtime;
        this.library = library;
        for (GpuFunction function : GpuFunction.values()) {
            functions.put(function, library.require(function.name(runtime)));
        }
        this.query = function(GpuFunction.QUERY_STREAM);
        this.bind = library.require(runtime.equals(GpuRuntime.CUDA) ? "cuCtxSetCurrent" : "hipSetDevice");
    }

    /// Loads a library and begins.
    ///
    /// @throws GroupException if it is not there, is too old or refuses
    static GpuLibrary load(GpuRuntime runtime, List<String> names) {
        GpuLibrary gpu = new GpuLibrary(
                runtime, NativeLibrary.load(names, reason -> unavailable(reason + "; " + runtime.advice())));
        gpu.call(GpuFunction.INIT, 0);
        return gpu;
    }

    private static GroupException unavailable(String reason) {
        return new GroupException(GroupError.UNAVAILABLE, reason);
    }

    private NativeFunction function(GpuFunction name) {
        NativeFunction function = functions.get(name);
        if (function == null) {
            throw new IllegalStateException(name + " is not linked");
        }
        return function;
    }

    GpuRuntime runtime() {
        return runtime;
    }

    int countDevices() {
        int status = function(GpuFunction.COUNT).call(answerAddress());
        requireSuccess(GpuFunction.COUNT.name(runtime), status);
        return (int) answer();
    }

    /// Those that were opened.
    Stream<GpuDevice> devices() {
        return devices.values().stream();
    }

    GpuDevice device(int ordinal) {
        int count = countDevices();
        if (ordinal < 0 || ordinal >= count) {
            throw unavailable("no device " + ordinal + ": this process may use " + count + " of " + runtime + "; "
                    + runtime.whereToLook());
        }
        return devices.computeIfAbsent(ordinal, number -> new GpuDevice(this, number, enter(number)));
    }

    /// Takes a device for this process.
    ///
    /// @return the binding to a thread
    private long enter(int ordinal) {
        if (runtime.equals(GpuRuntime.HIP)) {
            return ordinal;
        }
        requireSuccess("cuDeviceGet", library.require("cuDeviceGet").call(answerAddress(), ordinal));
        long device = answer();
        NativeFunction retain = library.require("cuDevicePrimaryCtxRetain");
        requireSuccess("cuDevicePrimaryCtxRetain", retain.call(answerAddress(), device));
        return answer();
    }

    /// Makes a device that of the calling thread.
    void bind(long entered) {
        int status = bind.call(entered);
        if (status != SUCCESS) {
            throw failure("choosing the device", status);
        }
    }

    void call(GpuFunction function, long a) {
        requireSuccess(function.name(runtime), function(function).call(a));
    }

    void call(GpuFunction function, long a, long b, long c, long d) {
        requireSuccess(function.name(runtime), function(function).call(a, b, c, d));
    }

    /// Calls a function whose first argument is where its answer goes.
    long ask(GpuFunction function, long b) {
        requireSuccess(function.name(runtime), function(function).call(answerAddress(), b));
        return answer();
    }

    /// Calls a function whose first argument is where its answer goes.
    long ask(GpuFunction function, long b, long c) {
        requireSuccess(function.name(runtime), function(function).call(answerAddress(), b, c, 0));
        return answer();
    }

    /// Returns the state of a stream: [#SUCCESS] if it has nothing left to do, [#NOT_READY], or an error.
    int queryStream(long stream) {
        return query.call(stream);
    }

    private void requireSuccess(String function, int status) {
        if (status != SUCCESS) {
            throw failure(function, status);
        }
    }

    GroupException failure(String what, int status) {
        String advice = status == OUT_OF_MEMORY ? "; the device has too little memory left" : "";
        return unavailable(what + " said " + errorName(status) + advice);
    }

    private String errorName(int status) {
        String function = runtime.equals(GpuRuntime.CUDA) ? "cuGetErrorName" : "hipDrvGetErrorName";
        if (library.has(function) && library.require(function).call(status, answerAddress()) == SUCCESS) {
            return NativeLibrary.text(answer()) + " (" + status + ")";
        }
        return "error " + status;
    }

    /// Returns the memory for answers of the calling thread.
    private static long answerAddress() {
        MemorySegment answer = Answer.OF_THREAD.get();
        answer.set(ValueLayout.JAVA_LONG, 0, 0);
        return answer.address();
    }

    private static long answer() {
        return Answer.OF_THREAD.get().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Eight bytes for each thread that ever asked.
    private static final class Answer {
        private static final ThreadLocal<MemorySegment> OF_THREAD =
                ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Long.BYTES, Long.BYTES));
    }
}
