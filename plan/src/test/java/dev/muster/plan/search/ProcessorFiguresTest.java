// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.MemoryBasis;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Rates of processors: as they were measured, and what llama.cpp makes of them with each weight format.
class ProcessorFiguresTest {
    private static final double READS = 34e9;
    private static final double FLOATS = 220e9;
    private static final String ZEN4 = "avx avx2 fma avx512f avx512_vnni avx512_bf16";

    @Test
    void whatWasMeasuredOfAProcessorTakesThePlaceOfWhatWasDerived() {
        DevicePool pool = pool(ZEN4, MeasuredQuantity.MEMORY_READ, MeasuredQuantity.MEMORY_COPY);
        assertThat(pool.isMeasured()).isTrue();
        assertThat(pool.device().bandwidth()).isCloseTo(READS, within(1e6));
        assertThat(pool.device().half()).isCloseTo(FLOATS, within(1e6));
        assertThat(pool.device().instructions()).contains("avx512_vnni");
    }

    @Test
    void copiesStandForReadsWhereOnlyTheyWereMeasured() {
        assertThat(pool(ZEN4, MeasuredQuantity.MEMORY_COPY).device().bandwidth())
                .isCloseTo(READS, within(1e6));
    }

    @Test
    void decodeIsBoundByMemoryAndPrefillByTheFormatsKernels() {
        DeviceFigures zen = pool(ZEN4, MeasuredQuantity.MEMORY_READ, MeasuredQuantity.MEMORY_COPY)
                .device();
        // llama-bench 11669 on two cores of Zen 4 that reach these rates: tokens per second of a Llama of 1.24 B.
        assertThat(1 / model(zen, "q4_0").decode(1, 16).seconds()).isCloseTo(40.8, withPercentage(15));
        assertThat(1 / model(zen, "q8_0").decode(1, 16).seconds()).isCloseTo(23.7, withPercentage(15));
        assertThat(1 / model(zen, "bf16").decode(1, 16).seconds()).isCloseTo(12.3, withPercentage(15));
        assertThat(128 / model(zen, "q4_0").prefill(128, 0).seconds()).isCloseTo(131, withPercentage(25));
        assertThat(128 / model(zen, "q8_0").prefill(128, 0).seconds()).isCloseTo(56, withPercentage(25));
        assertThat(128 / model(zen, "bf16").prefill(128, 0).seconds()).isCloseTo(71, withPercentage(25));
        assertThat(128 / model(zen, "f16").prefill(128, 0).seconds()).isCloseTo(27, withPercentage(25));
    }

    @Test
    void formatsAreSlowerWithoutTheInstructionsForThem() {
        DeviceFigures zen = pool(ZEN4, MeasuredQuantity.MEMORY_READ, MeasuredQuantity.MEMORY_COPY)
                .device();
        DeviceFigures older = pool("avx avx2 fma", MeasuredQuantity.MEMORY_READ, MeasuredQuantity.MEMORY_COPY)
                .device();
        assertThat(model(older, "bf16").prefill(128, 0).seconds())
                .isEqualTo(model(older, "f16").prefill(128, 0).seconds());
        assertThat(model(older, "q4_k_m").prefill(128, 0).seconds())
                .isGreaterThan(1.5 * model(zen, "q4_k_m").prefill(128, 0).seconds());
        assertThat(model(older, "f16").prefill(128, 0).seconds())
                .isEqualTo(model(zen, "f16").prefill(128, 0).seconds());
    }

    private static LlamaCppModel model(DeviceFigures device, String format) {
        ModelArchitecture llama =
                ModelCatalogue.builtIn().find("llama-3.2-1b").orElseThrow().architecture();
        WeightParts weights = StoredWeights.of(llama, WeightFormat.find(format).orElseThrow())
                .map(WeightParts::of)
                .find()
                .orElseThrow();
        return new LlamaCppModel(
                ModelShape.of(llama).orElseThrow(),
                weights,
                device,
                1,
                true,
                Optional.of(format),
                CoefficientTable.builtIn());
    }

    /// @param moves measured memory bandwidths: the first at [#READS], others at twice as many
    private static DevicePool pool(String extensions, MeasuredQuantity... moves) {
        AcceleratorProfile cpu = AcceleratorProfile.cpu(Bytes.ofGib(64)).toBuilder()
                .with(DeviceFact.EXTENSIONS, Reading.known(extensions, Provenance.GIVEN))
                .build();
        double[] one = {1, 1, 1};
        List<Measurement> results = new ArrayList<>();
        results.add(Measurement.of(MeasuredQuantity.MULTIPLY_ADD_FP32, FLOATS, one, "made up"));
        for (MeasuredQuantity move : moves) {
            results.add(Measurement.of(move, results.size() * READS, one, "made up"));
        }
        CalibrationDocument measured = new CalibrationDocument(
                List.of(new DeviceCalibration(MeasuredDevice.of(cpu), Instant.EPOCH, Thoroughness.QUICK, results)),
                List.of());
        AcceleratorRegistry registry = AcceleratorRegistry.of(List.of(cpu));
        return PlannedDevices.of(
                        registry,
                        DeviceChoice.defaults(registry),
                        DeviceCatalogue.builtIn(),
                        Optional.of(measured),
                        MemoryBasis.FREE,
                        Optional.empty(),
                        Optional.empty())
                .pools()
                .getFirst();
    }
}
