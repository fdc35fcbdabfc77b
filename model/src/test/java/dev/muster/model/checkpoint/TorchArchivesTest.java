// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.Tensor;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Archives that PyTorch 2.14.1 wrote; `make-archives.py` beside them says how, and what they hold.
class TorchArchivesTest {
    private static Path archive(String name) {
        try {
            return Path.of(Objects.requireNonNull(TorchArchivesTest.class.getResource("torch/" + name))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Tensor> tensors(String name) {
        List<Tensor> tensors = new ArrayList<>();
        CheckpointReader.create().read(archive(name), tensors::add);
        return tensors;
    }

    @ParameterizedTest
    @CsvSource({
        "state-dict.pt, 8, 156",
        "module.pt, 4, 42",
        "tied.pt, 2, 44",
        "training.pt, 8, 156",
        "types.pt, 8, 33",
        "views.pt, 3, 25",
        "protocol-4.pt, 2, 10",
        "quantized.pt, 1, 30",
        "subclass.pt, 1, 9",
        "script.pt, 8, 156",
        "frozen.pt, 3, 140"
    })
    void countsWhatPyTorchCounts(String name, long tensors, long parameters) {
        Checkpoint read = CheckpointReader.create().read(archive(name));
        assertThat(read.tensors().find()).contains(tensors);
        assertThat(read.parameters().find()).contains(parameters);
    }

    @ParameterizedTest
    @CsvSource({
        "optimizer.pt, the state of an optimizer",
        "sparse.pt, torch._utils._rebuild_sparse_tensor",
        "packed.pt, packed into whole numbers"
    })
    void saysWhatHidesTheCount(String name, String why) {
        assertThat(CheckpointReader.create().read(archive(name)).parameters())
                .isInstanceOfSatisfying(Reading.Unknown.class, unknown -> {
                    assertThat(unknown.reason()).isEqualTo(UnknownReason.NOT_STATED);
                    assertThat(unknown.detail()).contains(why);
                });
    }

    @Test
    void tensorsHaveTheNamesAndShapesOfTheStateDict() {
        assertThat(tensors("state-dict.pt"))
                .extracting(Tensor::name, Tensor::shape, tensor -> tensor.type().name())
                .startsWith(
                        tuple("conv.weight", List.of(4L, 3L, 3L, 3L), "float32"),
                        tuple("conv.bias", List.of(4L), "float32"),
                        tuple("norm.weight", List.of(4L), "float32"));
        assertThat(tensors("module.pt"))
                .extracting(Tensor::name)
                .containsExactly("0.weight", "0.bias", "1.weight", "1.bias");
        assertThat(tensors("types.pt"))
                .extracting(tensor -> tensor.type().name())
                .containsExactly(
                        "bfloat16", "float16", "float8_e4m3fn", "int64", "complex64", "float64", "float32", "float32");
    }

    @Test
    void tensorsLieWhereTheArchiveHasTheirNumbers() throws Exception {
        Tensor bias = tensors("state-dict.pt").stream()
                .filter(tensor -> tensor.name().equals("norm.running_var"))
                .findFirst()
                .orElseThrow();
        byte[] file = Files.readAllBytes(archive("state-dict.pt"));
        ByteBuffer numbers = ByteBuffer.wrap(file, (int) bias.offset(), 16).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 4; i++) {
            assertThat(numbers.getFloat()).isEqualTo(1f);
        }
    }
}
