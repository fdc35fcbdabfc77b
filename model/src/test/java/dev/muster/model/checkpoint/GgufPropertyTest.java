// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelDimension;
import dev.muster.model.Tensor;
import dev.muster.model.tensor.GgufType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reads files that were made at random.
class GgufPropertyTest {
    private static final int FILES = 200;
    private static final int DAMAGES = 50;

    @TempDir
    private Path folder;

    @Test
    void readsWhatWasWritten() {
        Random random = random("readsWhatWasWritten");
        for (int trial = 0; trial < FILES; trial++) {
            Model model = new Model(random);
            List<Tensor> tensors = new ArrayList<>();
            Path path = model.file.write(folder.resolve("random.gguf"));

            Checkpoint read = GgufReader.read(path, Scan.start(CheckpointReader.Limits.DEFAULT, tensors::add));

            assertThat(tensors).hasSameSizeAs(model.shapes.keySet());
            for (Tensor tensor : tensors) {
                assertThat(tensor.shape()).isEqualTo(model.shapes.get(tensor.name()));
                assertThat(tensor.type()).isEqualTo(model.types.get(tensor.name()));
            }
            model.dimensions.forEach((dimension, value) ->
                    assertThat(read.architecture().find(dimension)).hasValue(value));
            assertThat(read.weightBytes().find())
                    .contains(Bytes.of(tensors.stream().mapToLong(Tensor::bytes).sum()));
            assertThat(read.parameters().find())
                    .contains(tensors.stream().mapToLong(Tensor::elements).sum());
        }
    }

    @Test
    void damagedFilesAreReadOrRefused() {
        Random random = random("damagedFilesAreReadOrRefused");
        for (int trial = 0; trial < FILES; trial++) {
            byte[] valid = new Model(random).file.bytes();
            for (int damage = 0; damage < DAMAGES; damage++) {
                byte[] bytes = damaged(valid, random);
                Path path = GgufFile.write(folder.resolve("damaged.gguf"), bytes);

                Throwable thrown = catchThrowable(() -> GgufFile.read(path, CheckpointReader.Limits.DEFAULT));

                assertThat(thrown)
                        .satisfiesAnyOf(
                                none -> assertThat(none).isNull(),
                                e -> assertThat(e).isInstanceOf(CheckpointException.class));
            }
        }
    }

    private static byte[] damaged(byte[] valid, Random random) {
        byte[] bytes = valid.clone();
        // Beyond the header there are only zeros.
        int header = Math.min(bytes.length, 600);
        for (int change = random.nextInt(4); change >= 0; change--) {
            bytes[random.nextInt(header)] = (byte) (random.nextBoolean() ? random.nextInt() : -random.nextInt(2));
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }

    private static Random random(String test) {
        long seed = Long.getLong("tests.seed", System.nanoTime());
        System.out.println(test + ": -Dtests.seed=" + seed);
        return new Random(seed);
    }

    /// A random model and its file.
    private static final class Model {
        private static final List<GgufType> TYPES = List.of(GgufType.values());
        private static final GgufInput.ValueType[] WIDTHS = {
            GgufInput.ValueType.UINT16,
            GgufInput.ValueType.INT16,
            GgufInput.ValueType.UINT32,
            GgufInput.ValueType.INT32,
            GgufInput.ValueType.UINT64,
            GgufInput.ValueType.INT64
        };

        private final GgufFile file;
        private final Map<ModelDimension, Long> dimensions = new TreeMap<>();
        private final Map<String, List<Long>> shapes = new TreeMap<>();
        private final Map<String, Tensor.Type> types = new TreeMap<>();

        Model(Random random) {
            file = random.nextInt(4) == 0 ? GgufFile.bigEndian() : GgufFile.of(1 + random.nextInt(3));
            if (random.nextBoolean()) {
                file.alignment(8L << random.nextInt(6));
            }
            file.text("general.architecture", "random");
            GgufMetadata.Key.DIMENSIONS.forEach((dimension, ending) -> {
                // Zero would mean absence, a rank that keys mean something else.
                if (random.nextBoolean() && dimension != ModelDimension.KV_RANK) {
                    long value = 1L + random.nextInt(Short.MAX_VALUE);
                    dimensions.put(dimension, value);
                    file.number("random" + ending, WIDTHS[random.nextInt(WIDTHS.length)], value);
                }
            });
            file.texts("skipped", "x".repeat(random.nextInt(300)), "");
            int tensors = random.nextInt(12);
            for (int at = 0; at < tensors; at++) {
                addTensor("tensor." + at, random);
            }
        }

        private void addTensor(String name, Random random) {
            GgufType type = TYPES.get(random.nextInt(TYPES.size()));
            long[] shape = new long[1 + random.nextInt(4)];
            Arrays.setAll(shape, at -> 1L + random.nextInt(5));
            shape[shape.length - 1] *= type.blockElements();
            file.tensor(name, type, shape);
            types.put(name, type.tensorType());
            shapes.put(name, Arrays.stream(shape).boxed().toList());
        }
    }
}
