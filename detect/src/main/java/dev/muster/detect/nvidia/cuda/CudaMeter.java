// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.UnknownReason;
import dev.muster.core.foreign.NativeLibrary;
import dev.muster.core.measure.CalibrationDocument.MeasurementGap;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.measure.MeasurementException;
import dev.muster.detect.nvidia.cuda.Cublas.Product;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Measures one NVIDIA GPU through CUDA and cuBLAS. Confined to one thread; a call into a driver that
/// hangs never comes back, so that thread should be one to spare.
public final class CudaMeter {
    private static final long MIB = 1 << 20;
    private static final long COPY_BYTES = 1024 * MIB;
    /// Less than this and caches begin to help.
    private static final long LEAST_COPY = 256 * MIB;
    private static final long HOST_BYTES = 256 * MIB;
    private static final int MATRIX_SIZE = 8192;
    private static final int LEAST_MATRIX = 1024;
    /// A product that takes more seconds than this is measured on smaller matrices.
    private static final double LONGEST_PRODUCT = 1;
    /// cuBLAS's own memory on the newest devices.
    private static final long WORKSPACE_BYTES = 32 * MIB;
    /// An odd number of elements, so that rows of a matrix differ though the numbers repeat.
    private static final long POOL_ELEMENTS = 4 * MIB + 4099;

    private static final List<Product> PRODUCTS = List.of(
            new Product(MeasuredQuantity.MATRIX_BF16, RandomMatrix.BFLOAT16, 68, Short.BYTES),
            new Product(MeasuredQuantity.MATRIX_FP16, RandomMatrix.HALF, 68, Short.BYTES),
            new Product(MeasuredQuantity.MATRIX_TF32, RandomMatrix.FLOAT, 77, Float.BYTES),
            new Product(MeasuredQuantity.MATRIX_FP32, RandomMatrix.FLOAT, 68, Float.BYTES));

    private final CudaLibraries libraries;
    private final Thoroughness thoroughness;
    private final Deadline deadline;
    private final String device;
    private final Consumer<MeasuredQuantity> begun;
    private final Consumer<Measurement> results;
    private final Consumer<MeasurementGap> gaps;

    /// Makes it.
    ///
    /// @param folders folders of cuBLAS beside the usual ones
    /// @param device the device's id
    /// @param begun told what is measured next
    /// @param results takes what was measured, as soon as it was
    /// @param gaps takes what could not be
    public CudaMeter(
            Host host,
            List<String> folders,
            Thoroughness thoroughness,
            Deadline deadline,
            String device,
            Consumer<MeasuredQuantity> begun,
            Consumer<Measurement> results,
            Consumer<MeasurementGap> gaps) {
        this.libraries = new CudaLibraries(host, folders);
        this.thoroughness = thoroughness;
        this.deadline = deadline;
        this.device = device;
        this.begun = begun;
        this.results = results;
        this.gaps = gaps;
    }

    /// Measures all there is to measure; what cannot be leaves a gap.
    public void measure(AcceleratorProfile profile) {
        attempt("not measured", () -> {
            Path file = libraries.driver();
            try (CudaDriver driver = loaded(file, CudaDriver::load);
                    CudaScope scope = new CudaScope(driver)) {
                scope.enter(find(driver, profile).handle());
                long stream = scope.createStream();
                CudaTimer timer = new CudaTimer(driver, stream, thoroughness, deadline);
                measure(MeasuredQuantity.MEMORY_COPY, () -> copy(timer));
                measure(MeasuredQuantity.HOST_TO_DEVICE, () -> hostCopy(timer, true));
                measure(MeasuredQuantity.DEVICE_TO_HOST, () -> hostCopy(timer, false));
                attempt("matrix products", () -> multiply(scope, timer));
            }
        });
    }

    private static <T> T loaded(Path file, Function<Path, T> loader) {
        try {
            return loader.apply(file);
        } catch (IllegalArgumentException e) {
            throw new MeasurementException(UnknownReason.UNREADABLE, file + " cannot be loaded: " + e.getMessage());
        }
    }

    private void measure(MeasuredQuantity quantity, Supplier<Measurement> measurement) {
        begun.accept(quantity);
        attempt(quantity.display(), () -> results.accept(measurement.get()));
    }

    private void attempt(String what, Runnable work) {
        try {
            if (deadline.hasPassed() || Thread.currentThread().isInterrupted()) {
                throw new MeasurementException(UnknownReason.TIMED_OUT, "no time was left for it");
            }
            work.run();
        } catch (MeasurementException e) {
            gaps.accept(e.toGap(device, what));
        }
    }

    /// By unique id; by address only if the id is unknown, since partitions share their parent's
    /// address.
    private static CudaDriver.Device find(CudaDriver driver, AcceleratorProfile profile) {
        Optional<String> uuid = profile.reading(DeviceFact.UUID).find();
        Optional<PciAddress> address = profile.reading(DeviceFact.PCI_ADDRESS).find();
        int count = driver.countDevices();
        for (int i = 0; i < count; i++) {
            CudaDriver.Device candidate = driver.device(i);
            boolean same = uuid.isPresent()
                    ? uuid.get().toLowerCase(Locale.ROOT).endsWith(candidate.uuid())
                    : address.isPresent() && candidate.address().equals(address);
            if (same) {
                return candidate;
            }
        }
        throw new MeasurementException(
                UnknownReason.NOT_PERMITTED,
                "CUDA shows " + count + " devices to this program, but not this one; check"
                        + " CUDA_VISIBLE_DEVICES and the device's partitions");
    }

    private Measurement copy(CudaTimer timer) {
        CudaDriver driver = timer.driver();
        long bytes = fitting(driver, COPY_BYTES, LEAST_COPY, 2);
        try (CudaScope memory = new CudaScope(driver)) {
            long source = memory.allocate(bytes);
            long target = memory.allocate(bytes);
            fill(timer, source, bytes, RandomMatrix.BFLOAT16);
            String method = "copies of " + size(bytes) + " within device memory (cuMemcpyDtoDAsync), bytes read and"
                    + " bytes written counted once each";
            return timer.measure(
                    MeasuredQuantity.MEMORY_COPY,
                    2.0 * bytes,
                    method,
                    () -> driver.copyWithinDevice(target, source, bytes, timer.stream()));
        }
    }

    private Measurement hostCopy(CudaTimer timer, boolean toDevice) {
        CudaDriver driver = timer.driver();
        long bytes = fitting(driver, HOST_BYTES, MIB, 1);
        try (CudaScope memory = new CudaScope(driver)) {
            long host = memory.allocateHost(bytes);
            long there = memory.allocate(bytes);
            String method =
                    "copies of " + size(bytes) + (toDevice ? " from" : " to") + " pinned memory of the host, one way";
            return timer.measure(
                    toDevice ? MeasuredQuantity.HOST_TO_DEVICE : MeasuredQuantity.DEVICE_TO_HOST,
                    (double) bytes,
                    method,
                    toDevice
                            ? () -> driver.copyToDevice(there, host, bytes, timer.stream())
                            : () -> driver.copyToHost(host, there, bytes, timer.stream()));
        }
    }

    /// Returns the size of a buffer: half as much again and again, until all of them fit into four fifths of
    /// the free memory.
    private static long fitting(CudaDriver driver, long wanted, long least, int buffers) {
        long usable = driver.freeMemory() / 5 * 4;
        long bytes = wanted;
        while (bytes * buffers > usable && bytes > least) {
            bytes /= 2;
        }
        if (bytes * buffers > usable) {
            throw new MeasurementException(
                    UnknownReason.NOT_SUPPORTED,
                    "too little of the device's memory is free (" + size(usable) + " of " + size(least * buffers)
                            + " that are needed); end other programs that use it");
        }
        return bytes;
    }

    private void multiply(CudaScope outer, CudaTimer timer) {
        CudaLibraries.CublasFiles files = libraries.cublas();
        for (Path needed : files.needed()) {
            // The loader then takes this one, wherever it would look itself.
            loaded(needed, path -> NativeLibrary.load(path, MeasurementException::ofCall));
        }
        Cublas cublas = loaded(files.file(), Cublas::load);
        long handle = cublas.create(outer);
        cublas.setStream(handle, timer.stream());
        cublas.setWorkspace(handle, outer.allocate(WORKSPACE_BYTES), WORKSPACE_BYTES);
        for (Product product : PRODUCTS) {
            measure(product.quantity(), () -> multiply(cublas, handle, product, timer));
        }
    }

    private Measurement multiply(Cublas cublas, long handle, Product product, CudaTimer timer) {
        CudaDriver driver = timer.driver();
        long largest = (long) MATRIX_SIZE * MATRIX_SIZE * product.bytes();
        long fitting = fitting(driver, largest, (long) LEAST_MATRIX * LEAST_MATRIX * product.bytes(), 3);
        int n = MATRIX_SIZE;
        while ((long) n * n * product.bytes() > fitting) {
            n /= 2;
        }
        try (CudaScope memory = new CudaScope(driver)) {
            long bytes = (long) n * n * product.bytes();
            long a = memory.allocate(bytes);
            long b = memory.allocate(bytes);
            long c = memory.allocate(bytes);
            fill(timer, a, bytes, product.dataType());
            fill(timer, b, bytes, product.dataType());
            int size = shortened(cublas, handle, product, timer, n, a, b, c);
            String method = "products of random matrices of " + size + " x " + size
                    + " (cublasGemmEx), one after the other without pause; a multiplication and an addition are two"
                    + " operations";
            return timer.measure(
                    product.quantity(),
                    2.0 * size * size * size,
                    method,
                    () -> cublas.multiply(handle, product, size, a, b, c));
        }
    }

    /// Smaller matrices where one product alone would take a sample or more.
    private static int shortened(
            Cublas cublas, long handle, Product product, CudaTimer timer, int n, long a, long b, long c) {
        CudaDriver driver = timer.driver();
        int size = n;
        try (CudaScope events = new CudaScope(driver)) {
            long first = events.createEvent();
            long last = events.createEvent();
            cublas.multiply(handle, product, LEAST_MATRIX, a, b, c);
            driver.record(first, timer.stream());
            cublas.multiply(handle, product, LEAST_MATRIX, a, b, c);
            driver.record(last, timer.stream());
            driver.awaitEvent(last);
            double least = driver.secondsBetween(first, last);
            while (size > LEAST_MATRIX && least * Math.pow((double) size / LEAST_MATRIX, 3) > LONGEST_PRODUCT) {
                size /= 2;
            }
        }
        return size;
    }

    /// Puts random numbers into device memory, made once and laid down end to end.
    @SuppressWarnings("restricted") // memory that the driver has just given, of the length that was asked for
    private static void fill(CudaTimer timer, long target, long bytes, int dataType) {
        CudaDriver driver = timer.driver();
        int element = dataType == RandomMatrix.FLOAT ? Float.BYTES : Short.BYTES;
        long pool = Math.min(bytes, POOL_ELEMENTS * element);
        try (CudaScope host = new CudaScope(driver)) {
            long numbers = host.allocateHost(pool);
            RandomMatrix.fill(MemorySegment.ofAddress(numbers).reinterpret(pool), dataType);
            for (long offset = 0; offset < bytes; offset += pool) {
                driver.copyToDevice(target + offset, numbers, Math.min(pool, bytes - offset), timer.stream());
            }
            driver.awaitStream(timer.stream());
        }
    }

    private static String size(long bytes) {
        return bytes / MIB + " MiB";
    }
}
