// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.MeasurementGap;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Calibrator;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostLibraries;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The real binding against libraries that are none: whose clock is made up, so that every rate is known
/// beforehand.
class CudaMeterTest {
    private static final Provenance SOURCE =
            Provenance.of("test", Provenance.Method.GIVEN, Provenance.Confidence.STATED);
    private static final AcceleratorProfile SECOND_GPU = gpu("GPU-01112131-4151-6171-8191-a1b1c1d1e1f1");

    @TempDir
    private static Path folder;

    private static CudaStub stub;

    private final List<Measurement> results = new ArrayList<>();
    private final List<MeasurementGap> gaps = new ArrayList<>();
    private final List<MeasuredQuantity> begun = new ArrayList<>();

    private static AcceleratorProfile gpu(String uuid) {
        return AcceleratorProfile.cuda(1, Bytes.ofGib(24)).toBuilder()
                .with(DeviceFact.MEMORY, Reading.known(Bytes.ofGib(24), SOURCE))
                .with(DeviceFact.UUID, Reading.known(uuid, SOURCE))
                .build();
    }

    @BeforeAll
    static void compile() throws Exception {
        stub = CudaStub.compile(folder);
    }

    @BeforeEach
    void reset() {
        stub.reset();
    }

    private void measure(Host host, AcceleratorProfile device, Duration limit) {
        new CudaMeter(
                        host,
                        List.of(),
                        Thoroughness.FULL,
                        Deadline.in(limit),
                        "cuda:1",
                        begun::add,
                        results::add,
                        gaps::add)
                .measure(device);
    }

    private void measure() {
        measure(stub.host(true), SECOND_GPU, Duration.ofSeconds(60));
    }

    private double rate(MeasuredQuantity quantity) {
        return results.stream()
                .filter(result -> result.quantity() == quantity)
                .findFirst()
                .orElseThrow()
                .median();
    }

    @Test
    void everyRateIsTheOneOfTheDevice() {
        measure();

        assertThat(gaps).isEmpty();
        assertThat(begun).isEqualTo(results.stream().map(Measurement::quantity).toList());
        assertThat(rate(MeasuredQuantity.MEMORY_COPY)).isCloseTo(2e12, within(2e9));
        assertThat(rate(MeasuredQuantity.HOST_TO_DEVICE)).isCloseTo(50e9, within(50e6));
        assertThat(rate(MeasuredQuantity.DEVICE_TO_HOST)).isCloseTo(25e9, within(25e6));
        assertThat(rate(MeasuredQuantity.MATRIX_BF16)).isCloseTo(800e12, within(800e9));
        assertThat(rate(MeasuredQuantity.MATRIX_FP16)).isCloseTo(750e12, within(750e9));
        assertThat(rate(MeasuredQuantity.MATRIX_TF32)).isCloseTo(400e12, within(400e9));
        assertThat(rate(MeasuredQuantity.MATRIX_FP32)).isCloseTo(50e12, within(50e9));
        assertThat(results).allSatisfy(result -> assertThat(result.repeats()).isGreaterThanOrEqualTo(11));
        assertThat(stub.lastSize()).isEqualTo(8192);
        assertThat(stub.sawRandomInput()).isTrue();
        assertThat(stub.live()).isZero();
    }

    @Test
    void smallerMatricesAndBuffersWhereMemoryIsShort() {
        stub.setFreeMib(700);
        measure();

        assertThat(gaps).isEmpty();
        assertThat(results.getFirst().method()).startsWith("copies of 256 MiB within device memory");
        assertThat(stub.lastSize()).isEqualTo(4096);
        assertThat(stub.live()).isZero();
    }

    @Test
    void tooLittleMemoryIsSaid() {
        stub.setFreeMib(100);
        measure();

        assertThat(gaps.getFirst().display())
                .isEqualTo("cuda:1: memory copy: too little of the device's memory is free (80 MiB of 512 MiB that are"
                        + " needed); end other programs that use it");
        assertThat(stub.live()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4 | 0  | not measured: cuInit returned CUDA_ERROR_NO_DEVICE (100)
            9 | 0  | not measured: cuDevicePrimaryCtxRetain returned CUDA_ERROR_INVALID_VALUE (1)
            6 | 0  | not measured: cuStreamCreate returned CUDA_ERROR_INVALID_VALUE (1)
            1 | 0  | memory copy: cuMemAlloc_v2 returned CUDA_ERROR_OUT_OF_MEMORY (2)
            1 | 1  | memory copy: cuMemAlloc_v2 returned CUDA_ERROR_OUT_OF_MEMORY (2)
            2 | 0  | memory copy: cuMemHostAlloc returned CUDA_ERROR_OUT_OF_MEMORY (2)
            2 | 1  | host to device: cuMemHostAlloc returned CUDA_ERROR_OUT_OF_MEMORY (2)
            5 | 3  | memory copy: cuMemcpyHtoDAsync_v2 returned CUDA_ERROR_INVALID_VALUE (1)
            8 | 5  | memory copy: cuEventCreate returned CUDA_ERROR_INVALID_VALUE (1)
            7 | 0  | matrix products: cublasCreate_v2 returned CUBLAS_STATUS_ALLOC_FAILED (3)
            3 | 0  | matrix product bf16: cublasGemmEx returned CUBLAS_STATUS_EXECUTION_FAILED (13)
            10 | 0 | matrix product bf16: cublasGemmEx returned CUBLAS_STATUS_NOT_SUPPORTED (15): this device, or this \
            version of the library, cannot do it
            3 | 50 | matrix product bf16: cublasGemmEx returned CUBLAS_STATUS_EXECUTION_FAILED (13)
            """)
    void aCallThatFailsLeavesOneGapAndNothingBehind(int function, int after, String message) {
        stub.fail(function, after);
        measure();

        assertThat(gaps)
                .singleElement()
                .satisfies(gap -> assertThat(gap.message()).isEqualTo(message));
        assertThat(stub.live()).isZero();
    }

    @Test
    void withoutCublasCopiesAreMeasuredAllTheSame() {
        measure(stub.host(false), SECOND_GPU, Duration.ofSeconds(60));

        assertThat(results)
                .extracting(Measurement::quantity)
                .containsExactly(
                        MeasuredQuantity.MEMORY_COPY, MeasuredQuantity.HOST_TO_DEVICE, MeasuredQuantity.DEVICE_TO_HOST);
        assertThat(gaps).singleElement().satisfies(gap -> {
            assertThat(gap.reason()).isEqualTo(UnknownReason.NOT_INSTALLED);
            assertThat(gap.message()).startsWith("matrix products: libcublas.so.13, .12 or .11 was not found;");
        });
        assertThat(stub.live()).isZero();
    }

    @Test
    void aDeviceIsFoundByItsAddressWhereItsIdIsNotKnown() {
        AcceleratorProfile device = AcceleratorProfile.cuda(0, Bytes.ofGib(24)).toBuilder()
                .with(
                        DeviceFact.PCI_ADDRESS,
                        Reading.known(PciAddress.find("3b:00.0").orElseThrow(), SOURCE))
                .build();
        measure(stub.host(false), device, Duration.ofSeconds(60));

        assertThat(results).hasSize(3);
    }

    @Test
    void aDeviceThatCudaDoesNotShowIsSaid() {
        measure(stub.host(true), gpu("GPU-ffffffff-4151-6171-8191-a1b1c1d1e1f1"), Duration.ofSeconds(60));

        assertThat(results).isEmpty();
        assertThat(gaps)
                .singleElement()
                .satisfies(gap -> assertThat(gap.message())
                        .isEqualTo("not measured: CUDA shows 2 devices to this program, but not this one; check"
                                + " CUDA_VISIBLE_DEVICES and the device's partitions"));
    }

    @Test
    void whatWouldTakeTooLongIsNotBegun() {
        measure(stub.host(true), SECOND_GPU, Duration.ofMillis(900));

        assertThat(results).isEmpty();
        assertThat(gaps).isNotEmpty().allSatisfy(gap -> assertThat(gap.reason()).isEqualTo(UnknownReason.TIMED_OUT));
        assertThat(stub.live()).isZero();
    }

    @Test
    void aFileThatIsNoLibraryIsSaid() {
        HostLibraries libraries =
                (names, folders) -> new HostAnswer.Found<>(Path.of("src/test/resources/native/cuda-stub.c"));
        Host bare = new HostBuilder().build();
        measure(
                new Host(
                        bare.system(),
                        bare.architecture(),
                        bare.files(),
                        bare.commands(),
                        libraries,
                        bare.variables(),
                        bare.clock()),
                SECOND_GPU,
                Duration.ofSeconds(5));

        assertThat(gaps)
                .singleElement()
                .satisfies(gap -> assertThat(gap.message())
                        .startsWith("not measured: src/test/resources/native/cuda-stub.c cannot be loaded: "));
    }

    @Test
    void aCalibrationHasTheDeviceAndItsTime() {
        CalibrationDocument document = Calibrator.of(stub.host(true), 1, List.of(), Thoroughness.QUICK, _ -> {})
                .calibrate(List.of(SECOND_GPU, AcceleratorProfile.rocm(0, Bytes.ofGib(1))));

        assertThat(document.devices()).singleElement().satisfies(device -> {
            assertThat(device.device().id()).isEqualTo("cuda:1");
            assertThat(device.measuredAt()).hasToString("2026-11-15T08:30:00Z");
            assertThat(device.results()).hasSize(7);
        });
        assertThat(document.gaps())
                .singleElement()
                .satisfies(gap -> assertThat(gap.display())
                        .isEqualTo("rocm:0: only processors and NVIDIA's GPUs can be measured so far"));
    }
}
