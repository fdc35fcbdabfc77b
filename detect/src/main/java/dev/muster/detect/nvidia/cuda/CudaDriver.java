// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import dev.muster.core.PciAddress;
import dev.muster.core.foreign.NativeLibrary;
import dev.muster.detect.measure.MeasurementException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/// CUDA's driver library, as far as copies and their timing need it. Confined to one thread, which
/// closes it; what is taken from the driver is held by a [CudaScope].
final class CudaDriver implements AutoCloseable {
    static final int SUCCESS = 0;
    /// Answers are 64 bits at most; names are short.
    private static final int ANSWER_BYTES = 256;

    private static final int MAX_DEVICES = 1024;
    private static final int NAME_BYTES = 128;
    private static final int BUS_ID_BYTES = 32;
    private static final int UUID_BYTES = 16;
    private static final int LONGEST_ERROR = 128;

    private final NativeLibrary library;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment answer = arena.allocate(ANSWER_BYTES, Long.BYTES);

    private CudaDriver(NativeLibrary library) {
        this.library = library;
    }

    /// Loads the library and begins.
    ///
    /// @throws IllegalArgumentException if the file cannot be loaded as a library
    /// @throws MeasurementException if the driver refuses
    static CudaDriver load(Path file) {
        CudaDriver driver = new CudaDriver(NativeLibrary.load(file, MeasurementException::ofCall));
        try {
            driver.call("cuInit", 0);
        } catch (MeasurementException e) {
            driver.close();
            throw e;
        }
        return driver;
    }

    /// Calls a function that has to succeed.
    ///
    /// @throws MeasurementException if it does not
    void call(String function, long... arguments) {
        int status = library.require(function).callWith(arguments);
        if (status != SUCCESS) {
            throw MeasurementException.ofCall(function + " returned " + errorName(status));
        }
    }

    /// The driver's own word for a status, such as `CUDA_ERROR_OUT_OF_MEMORY`.
    @SuppressWarnings("restricted") // a text of the library's own, read up to a limit
    private String errorName(int status) {
        if (library.has("cuGetErrorName") && library.require("cuGetErrorName").call(status, address()) == SUCCESS) {
            MemorySegment name = answer.get(ValueLayout.ADDRESS, 0);
            if (name.address() != 0) {
                return text(name.reinterpret(LONGEST_ERROR), LONGEST_ERROR) + " (" + status + ")";
            }
        }
        return "error " + status;
    }

    /// Calls a function whose first argument is where its answer goes.
    long ask(String function, long... further) {
        answer.set(ValueLayout.JAVA_LONG, 0, 0);
        long[] arguments = new long[further.length + 1];
        arguments[0] = address();
        System.arraycopy(further, 0, arguments, 1, further.length);
        call(function, arguments);
        return answer.get(ValueLayout.JAVA_LONG, 0);
    }

    private long address() {
        return answer.address();
    }

    int countDevices() {
        int count = (int) ask("cuDeviceGetCount");
        return Math.clamp(count, 0, MAX_DEVICES);
    }

    /// One device.
    ///
    /// @param handle the driver's number for it
    /// @param name its name
    /// @param uuid its unique id in hexadecimal digits with dashes, without `GPU-` or `MIG-`
    /// @param address PCI address
    record Device(int handle, String name, String uuid, Optional<PciAddress> address) {}

    Device device(int ordinal) {
        int handle = (int) ask("cuDeviceGet", ordinal);
        call("cuDeviceGetName", address(), NAME_BYTES, handle);
        String name = text(answer, NAME_BYTES);
        String uuidFunction = library.has("cuDeviceGetUuid_v2") ? "cuDeviceGetUuid_v2" : "cuDeviceGetUuid";
        call(uuidFunction, address(), handle);
        String uuid = uuid(answer.asSlice(0, UUID_BYTES).toArray(ValueLayout.JAVA_BYTE));
        call("cuDeviceGetPCIBusId", address(), BUS_ID_BYTES, handle);
        return new Device(handle, name, uuid, PciAddress.find(text(answer, BUS_ID_BYTES)));
    }

    private static String uuid(byte[] bytes) {
        String digits = HexFormat.of().formatHex(bytes);
        return String.join(
                "-",
                digits.substring(0, 8),
                digits.substring(8, 12),
                digits.substring(12, 16),
                digits.substring(16, 20),
                digits.substring(20));
    }

    /// Device memory that can be taken, in bytes.
    long freeMemory() {
        call("cuMemGetInfo_v2", address(), address() + Long.BYTES);
        return answer.get(ValueLayout.JAVA_LONG, 0);
    }

    void copyWithinDevice(long target, long source, long bytes, long stream) {
        call("cuMemcpyDtoDAsync_v2", target, source, bytes, stream);
    }

    void copyToDevice(long target, long hostSource, long bytes, long stream) {
        call("cuMemcpyHtoDAsync_v2", target, hostSource, bytes, stream);
    }

    void copyToHost(long hostTarget, long source, long bytes, long stream) {
        call("cuMemcpyDtoHAsync_v2", hostTarget, source, bytes, stream);
    }

    void record(long event, long stream) {
        call("cuEventRecord", event, stream);
    }

    void awaitEvent(long event) {
        call("cuEventSynchronize", event);
    }

    void awaitStream(long stream) {
        call("cuStreamSynchronize", stream);
    }

    /// Seconds between two events that have happened.
    double secondsBetween(long first, long second) {
        call("cuEventElapsedTime", address(), first, second);
        return answer.get(ValueLayout.JAVA_FLOAT, 0) / 1e3;
    }

    /// The text that ends with a zero byte, or at its longest.
    private static String text(MemorySegment memory, int longest) {
        int length = 0;
        while (length < longest && memory.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        return new String(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        arena.close();
    }
}
