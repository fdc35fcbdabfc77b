// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDList;
import ai.djl.repository.zoo.Criteria;
import com.github.tjake.jlama.model.AbstractModel;
import com.github.tjake.jlama.model.ModelSupport;
import com.github.tjake.jlama.safetensors.DType;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.ollama.OllamaChatRequestParameters;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.plan.rules.RulePlanner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// The examples of `docs/guides/jvm-frameworks.md`. What needs a native library, a model or a server is compiled and
/// not run.
class FrameworksGuideTest {
    private static final AcceleratorRegistry MACHINE = AcceleratorRegistry.of(
            List.of(AcceleratorProfile.cpu(Bytes.ofGib(64)), gpu(0, 24, 1), gpu(1, 24, 20), gpu(2, 24, 10)));

    @Test
    void theGpuWithMostFreeMemoryIsChosen() {
        assertThat(GpuChoice.findRoomiest(MACHINE, Map.of())).hasValue(1);
    }

    @Test
    void numbersCountVisibleDevices() {
        assertThat(GpuChoice.findRoomiest(MACHINE, Map.of("CUDA_VISIBLE_DEVICES", "1,2")))
                .hasValue(0);
        assertThat(GpuChoice.findRoomiest(MACHINE, Map.of("CUDA_VISIBLE_DEVICES", "")))
                .isEmpty();
    }

    @Test
    void threadsAreAtLeastOne() {
        assertThat(CpuChoice.threads(MACHINE)).isPositive();
    }

    @Test
    void djlGetsADevice() {
        AcceleratorRegistry registry = MACHINE;
        // begin djl-device
        OptionalInt gpu = GpuChoice.findRoomiest(registry, System.getenv());
        Device device = gpu.isPresent() ? Device.gpu(gpu.getAsInt()) : Device.cpu();
        // end djl-device

        assertThat(device.getDeviceType()).isIn(Device.Type.GPU, Device.Type.CPU);
    }

    /// Compiled, not run: needs what DJL brings along.
    static Criteria<NDList, NDList> criteria(Path folder, Device device) {
        // begin djl-criteria
        Criteria<NDList, NDList> criteria = Criteria.builder()
                .setTypes(NDList.class, NDList.class)
                .optModelPath(folder)
                .optDevice(device)
                .build();
        // end djl-criteria
        return criteria;
    }

    @Test
    void jlamaQuantizesWhatTheProcessorCannotHold() {
        assertThat(weights(MACHINE, 8_030_000_000L)).isEmpty();
        assertThat(weights(MACHINE, 70_600_000_000L)).contains(DType.Q4);
    }

    private static Optional<DType> weights(AcceleratorRegistry registry, long parameters) {
        // begin jlama-weights
        AcceleratorRegistry cpuAlone =
                registry.whatIfRemove(device -> device.accelerator().kind() != AcceleratorKind.CPU);
        QuantizationLevel level =
                RulePlanner.of(cpuAlone).suggestQuantization(parameters).level();
        Optional<DType> weights = level == QuantizationLevel.FLOAT16 ? Optional.empty() : Optional.of(DType.Q4);
        // end jlama-weights
        return weights;
    }

    /// Compiled, not run: needs a model.
    static AbstractModel load(AcceleratorRegistry registry, Path folder, Path working) {
        long parameters =
                CheckpointReader.create().read(folder).parameters().find().orElseThrow();
        Optional<DType> weights = weights(registry, parameters);
        // begin jlama-load
        AbstractModel model = ModelSupport.loadModel(
                folder.toFile(),
                working.toFile(),
                DType.F32,
                DType.I8,
                weights,
                Optional.of(CpuChoice.threads(registry)));
        // end jlama-load
        return model;
    }

    @Test
    void ollamaGetsAModelThatFits() {
        AcceleratorRegistry registry = MACHINE;
        // begin langchain4j-parameters
        OllamaChatRequestParameters parameters = OllamaChatRequestParameters.builder()
                .modelName(ModelChoice.of(registry))
                .numCtx(8192)
                .numThread(CpuChoice.threads(registry))
                .build();
        // end langchain4j-parameters

        assertThat(parameters.modelName()).isEqualTo("llama3.1:8b-instruct-fp16");
    }

    /// Compiled, not run: needs an HTTP client and a server.
    static OllamaChatModel connect(OllamaChatRequestParameters parameters) {
        // begin langchain4j-model
        OllamaChatModel model = OllamaChatModel.builder()
                .baseUrl("http://localhost:11434")
                .defaultRequestParameters(parameters)
                .build();
        // end langchain4j-model
        return model;
    }

    private static AcceleratorProfile gpu(long number, long gib, long freeGib) {
        return AcceleratorProfile.cuda(number, Bytes.ofGib(gib)).toBuilder()
                .with(DeviceFact.MEMORY_FREE, Reading.known(Bytes.ofGib(freeGib), Provenance.GIVEN))
                .build();
    }
}
