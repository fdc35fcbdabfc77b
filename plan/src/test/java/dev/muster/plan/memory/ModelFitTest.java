package dev.muster.plan.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.ModelSize;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.catalogue.ModelCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ModelFitTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();

    @Test
    void keepsAsManyBitsAsFit() {
        AcceleratorRegistry one = gpus(24);
        assertThat(fit("llama-3.1-8b", one).level()).isEqualTo(QuantizationLevel.BFLOAT16);
        assertThat(fit("qwen2.5-14b", one).level()).isEqualTo(QuantizationLevel.INT8);
        assertThat(fit("qwen2.5-32b", one).level()).isEqualTo(QuantizationLevel.INT4);
        assertThat(ModelFit.find(model("llama-3.1-70b"), one)).isEmpty();
        assertThat(fit("llama-3.1-70b", gpus(48, 48, 48)).level()).isEqualTo(QuantizationLevel.INT8);
        assertThat(fit("llama-3.1-70b", gpus(80, 80)).level()).isEqualTo(QuantizationLevel.BFLOAT16);
    }

    @Test
    void smallDevicesDoNotSpoilALargeOne() {
        ModelFit fit = fit("llama-3.1-8b", gpus(80, 8));
        assertThat(fit.devices()).hasSize(1);
        assertThat(fit.context().find()).contains(131_072L);
        assertThat(fit.contextIsWhole()).isTrue();
    }

    @Test
    void saysHowMuchContextIsLeft() {
        ModelFit fit = fit("llama-3.1-8b", gpus(24));
        // (24 * 0.9 - 1) GiB less the weights, at 128 KiB a token.
        long room = (long) (24L * (1L << 30) * 0.9) - (1L << 30) - 2 * 8_030_261_248L;
        assertThat(fit.context().find()).contains(room / (128 * 1024));
        assertThat(fit.contextIsWhole()).isFalse();
    }

    @Test
    void aModelOfWhichOnlyTheSizeIsKnownHasAnUnknownContext() {
        ModelFit fit = ModelFit.find(ModelSummary.ofSize("7B", ModelSize.parse("7B")), gpus(24))
                .orElseThrow();
        assertThat(fit.context().isKnown()).isFalse();
    }

    @Test
    void withoutAcceleratorsTheProcessorIsAsked() {
        AcceleratorRegistry cpu = AcceleratorRegistry.of(List.of(AcceleratorProfile.cpu(Bytes.ofGib(64))));
        assertThat(fit("llama-3.1-8b", cpu).level()).isEqualTo(QuantizationLevel.BFLOAT16);
    }

    @Test
    void moreMemoryNeverMeansFewerBitsOrLessContext() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            ModelSummary model = MODELS.entries()
                    .get(random.nextInt(MODELS.entries().size()))
                    .toSummary();
            int small = 4 + random.nextInt(100);
            int large = small + random.nextInt(100);
            int count = 1 + random.nextInt(8);
            var less = ModelFit.find(model, gpus(repeat(small, count)));
            var more = ModelFit.find(model, gpus(repeat(large, count)));
            if (less.isPresent()) {
                assertThat(more).as("seed %d", seed).isPresent();
                int bits = less.get().level().bitsPerParameter();
                int moreBits = more.orElseThrow().level().bitsPerParameter();
                assertThat(moreBits).as("seed %d", seed).isGreaterThanOrEqualTo(bits);
                if (moreBits == bits && less.get().context().isKnown()) {
                    assertThat(more.orElseThrow().context().find().orElseThrow())
                            .as("seed %d", seed)
                            .isGreaterThanOrEqualTo(less.get().context().find().orElseThrow());
                }
            }
        }
    }

    private static int[] repeat(int value, int count) {
        int[] values = new int[count];
        java.util.Arrays.fill(values, value);
        return values;
    }

    private static ModelSummary model(String name) {
        return MODELS.find(name).orElseThrow().toSummary();
    }

    private static ModelFit fit(String name, AcceleratorRegistry registry) {
        return ModelFit.find(model(name), registry).orElseThrow();
    }

    private static AcceleratorRegistry gpus(int... gib) {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        profiles.add(AcceleratorProfile.cpu(Bytes.ofGib(512)));
        for (int at = 0; at < gib.length; at++) {
            profiles.add(AcceleratorProfile.cuda(at, Bytes.ofGib(gib[at])));
        }
        return AcceleratorRegistry.of(profiles);
    }
}
