// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.model.checkpoint.CheckpointException.Code.INCONSISTENT;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISSING;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.model.ModelDimension;
import dev.muster.model.tensor.GgufType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GgufSplitTest {
    @TempDir
    private Path folder;

    private static GgufFile part(int number, int count, int tensors) {
        return GgufFile.create()
                .number("split.no", GgufInput.ValueType.UINT16, number)
                .number("split.count", GgufInput.ValueType.UINT16, count)
                .number("split.tensors.count", GgufInput.ValueType.INT32, tensors);
    }

    private Path path(int number) {
        return folder.resolve("m-0000" + number + "-of-00003.gguf");
    }

    private void writeAll() {
        part(0, 3, 5).llama().write(path(1));
        part(1, 3, 5).tensor("blk.1.weight", GgufType.F16, 7).write(path(2));
        part(2, 3, 5).tensor("output.weight", GgufType.F16, 9).write(path(3));
    }

    private CheckpointException refused(Path path, CheckpointReader.Limits limits) {
        return catchThrowableOfType(CheckpointException.class, () -> GgufFile.read(path, limits));
    }

    private CheckpointException refused(Path path) {
        return refused(path, CheckpointReader.Limits.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void anyPartStandsForTheModel(int number) {
        writeAll();

        Checkpoint model = GgufFile.read(path(number), CheckpointReader.Limits.DEFAULT);

        assertThat(model.files())
                .extracting(Checkpoint.File::name)
                .containsExactly("m-00001-of-00003.gguf", "m-00002-of-00003.gguf", "m-00003-of-00003.gguf");
        assertThat(model.tensors().find()).contains(5L);
        assertThat(model.parameters().find()).contains((3L * 64) + (64 * 64) + 5 + 7 + 9);
        assertThat(model.name().find()).contains("Tiny");
        assertThat(model.architecture().find(ModelDimension.LAYERS)).hasValue(2);
        assertThat(model.architecture().tiedEmbeddings().find()).contains(false);
    }

    @Test
    void namesThePartThatIsMissing() throws Exception {
        writeAll();
        Files.delete(path(2));

        CheckpointException e = refused(path(3));

        assertThat(e.code()).isEqualTo(INCONSISTENT);
        assertThat(e.file()).isEqualTo("m-00002-of-00003.gguf");
    }

    @Test
    void thePartThatWasAskedForIsSimplyMissing() {
        assertThat(refused(path(2)).code()).isEqualTo(MISSING);
    }

    @Test
    void partsHaveToSayWhatTheirNamesSay() {
        writeAll();
        part(0, 3, 5).tensor("blk.1.weight", GgufType.F16, 7).write(path(2));
        assertThat(refused(path(1)).code()).isEqualTo(INCONSISTENT);

        writeAll();
        part(1, 4, 5).tensor("blk.1.weight", GgufType.F16, 7).write(path(2));
        assertThat(refused(path(1)).code()).isEqualTo(INCONSISTENT);

        writeAll();
        GgufFile.create().tensor("blk.1.weight", GgufType.F16, 7).write(path(2));
        assertThat(refused(path(1)).code()).isEqualTo(INCONSISTENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6, -1})
    void theTensorsHaveToBeAllThere(int tensors) {
        writeAll();
        part(2, 3, tensors).tensor("output.weight", GgufType.F16, 9).write(path(3));

        assertThat(refused(path(1)).code()).isEqualTo(INCONSISTENT);
    }

    @Test
    void noTensorIsInTwoParts() {
        writeAll();
        part(1, 3, 5).tensor("output.weight", GgufType.F16, 7).write(path(2));

        assertThat(refused(path(1)).code()).isEqualTo(DUPLICATE);
    }

    @Test
    void aPartUnderAnotherNameIsRefused() {
        Path renamed = part(0, 3, 5).llama().write(folder.resolve("model.gguf"));
        Path beyond = part(0, 3, 5).llama().write(folder.resolve("m-00004-of-00003.gguf"));

        assertThat(refused(renamed).code()).isEqualTo(INCONSISTENT);
        assertThat(refused(beyond).code()).isEqualTo(INCONSISTENT);
    }

    @Test
    void oneOfOneIsAWholeModel() {
        Path path = GgufFile.create().llama().write(folder.resolve("m-00001-of-00001.gguf"));

        assertThat(GgufFile.read(path, CheckpointReader.Limits.DEFAULT).files()).hasSize(1);
    }

    @Test
    void thereAreNotAnyNumberOfParts() {
        writeAll();
        CheckpointReader.Limits two = new CheckpointReader.Limits(1 << 20, 100, 100, 2, Duration.ofSeconds(10));

        assertThat(refused(path(1), two).code()).isEqualTo(TOO_LARGE);
    }
}
