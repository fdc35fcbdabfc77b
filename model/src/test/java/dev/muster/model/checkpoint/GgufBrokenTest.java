// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISSING;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.TRUNCATED;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_FORMAT;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_TYPE;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_VERSION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.model.checkpoint.CheckpointException.Code;
import dev.muster.model.tensor.GgufType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files with wrong counts, sizes and places, or that break the rules of the format otherwise.
class GgufBrokenTest {
    private static final long TERABYTE = 1L << 40;

    @TempDir
    private Path folder;

    private CheckpointException refused(byte[] bytes, CheckpointReader.Limits limits) {
        Path path = GgufFile.write(folder.resolve("model.gguf"), bytes);
        return catchThrowableOfType(CheckpointException.class, () -> GgufFile.read(path, limits));
    }

    private Code code(byte[] bytes) {
        return refused(bytes, CheckpointReader.Limits.DEFAULT).code();
    }

    private Code code(GgufFile file) {
        return code(file.bytes());
    }

    private static GgufFile tensor(String name, int rank, long[] shape, int type, long offset) {
        return GgufFile.create().tensor(out -> {
            out.text(name).int32(rank);
            for (long dimension : shape) {
                out.count(dimension);
            }
            out.int32(type).int64(offset);
        });
    }

    private static GgufFile shaped(long... shape) {
        return tensor("t", shape.length, shape, GgufType.F32.id(), 0);
    }

    @Test
    void badMagic() {
        assertThat(code(GgufFile.create().magic("GGML").llama())).isEqualTo(UNKNOWN_FORMAT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 0x02000000, 0x01000000, 0x04000000, -1})
    void versionZeroFutureOrOddlySwapped(int version) {
        assertThat(code(GgufFile.create().versionField(version).llama())).isEqualTo(UNKNOWN_VERSION);
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000_001, TERABYTE, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void moreTensorsThanAreRead(long count) {
        assertThat(code(GgufFile.create().llama().tensorCount(count))).isEqualTo(TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(longs = {100_001, TERABYTE, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void moreKeysThanAreRead(long count) {
        assertThat(code(GgufFile.create().llama().entryCount(count))).isEqualTo(TOO_LARGE);
    }

    @Test
    void moreTensorsOrKeysThanFitIntoTheFile() {
        assertThat(code(GgufFile.create().llama().tensorCount(900_000))).isEqualTo(TRUNCATED);
        assertThat(code(GgufFile.create().llama().entryCount(90_000))).isEqualTo(TRUNCATED);
    }

    @ParameterizedTest
    @ValueSource(longs = {65_536, TERABYTE, Long.MAX_VALUE, -1})
    void badKeySize(long length) {
        assertThat(code(GgufFile.create().entry(out -> out.count(length).raw(new byte[20]))))
                .isEqualTo(TOO_LARGE);
    }

    @Test
    void keyLongerThanTheFile() {
        assertThat(code(GgufFile.create().entry(out -> out.count(1000).raw(new byte[20]))))
                .isEqualTo(TRUNCATED);
    }

    @Test
    void emptyKey() {
        assertThat(code(GgufFile.create().number("", 1))).isEqualTo(MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(ints = {13, -1, Integer.MAX_VALUE})
    void badType(int type) {
        assertThat(code(GgufFile.create()
                        .entry(out -> out.text("key").int32(type).int64(0))))
                .isEqualTo(UNKNOWN_TYPE);
        assertThat(code(GgufFile.create()
                        .entry(out -> out.text("key")
                                .type(GgufInput.ValueType.ARRAY)
                                .int32(type)
                                .int64(0))))
                .isEqualTo(UNKNOWN_TYPE);
    }

    @Test
    void badTruthValue() {
        assertThat(code(GgufFile.create().number("key", GgufInput.ValueType.BOOL, 2)))
                .isEqualTo(MALFORMED);
    }

    @Test
    void duplicateKey() {
        assertThat(code(GgufFile.create().number("key", 1).text("key", "2"))).isEqualTo(DUPLICATE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4, 13, 48, 131_072, 0xFFFF_FFFFL})
    void badAlignment(long alignment) {
        assertThat(code(GgufFile.create().number("general.alignment", alignment)))
                .isEqualTo(MALFORMED);
    }

    @Test
    void alignmentOfAWrongType() {
        assertThat(code(GgufFile.create().number("general.alignment", GgufInput.ValueType.UINT64, 32)))
                .isEqualTo(MALFORMED);
        assertThat(code(GgufFile.create().number("general.alignment", GgufInput.ValueType.INT32, 32)))
                .isEqualTo(MALFORMED);
        assertThat(code(GgufFile.create().text("general.alignment", "32"))).isEqualTo(MALFORMED);
        assertThat(code(GgufFile.create().numbers("general.alignment", GgufInput.ValueType.UINT32, 32)))
                .isEqualTo(MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(longs = {65_536, TERABYTE, -1})
    void badNameSize(long length) {
        assertThat(code(GgufFile.create().tensor(out -> out.count(length).raw(new byte[40]))))
                .isEqualTo(TOO_LARGE);
    }

    @Test
    void longNamesOfTensorsAreRead() {
        Path path = GgufFile.create()
                .tensor("n".repeat(CheckpointReader.Limits.NAME_BYTES), GgufType.F32, 1)
                .write(folder.resolve("model.gguf"));

        assertThat(GgufFile.read(path, CheckpointReader.Limits.DEFAULT)
                        .tensors()
                        .find())
                .contains(1L);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 64, -1, Integer.MIN_VALUE})
    void badNumberOfDimensions(int rank) {
        assertThat(code(tensor("t", rank, new long[] {1, 1, 1, 1, 1}, 0, 0))).isEqualTo(MALFORMED);
    }

    @Test
    void badShape() {
        assertThat(code(shaped(-1))).isEqualTo(TOO_LARGE);
        assertThat(code(tensor("t", 1, new long[] {33}, GgufType.Q4_0.id(), 0))).isEqualTo(MALFORMED);
        assertThat(code(tensor("t", 2, new long[] {128, 2}, GgufType.Q4_K.id(), 0)))
                .isEqualTo(MALFORMED);
        assertThat(code(tensor("t", 0, new long[] {}, GgufType.Q8_0.id(), 0))).isEqualTo(MALFORMED);
    }

    @Test
    void zeroDimension() {
        assertThat(code(shaped(0))).isEqualTo(MALFORMED);
        assertThat(code(shaped(4, 0, 4))).isEqualTo(MALFORMED);
    }

    @Test
    void elementCountTooBig() {
        assertThat(code(shaped(1L << 32, 1L << 32))).isEqualTo(TOO_LARGE);
        assertThat(code(shaped(Long.MAX_VALUE, 2, 1, 1))).isEqualTo(TOO_LARGE);
    }

    @Test
    void byteCountTooBig() {
        assertThat(code(shaped(1L << 61))).isEqualTo(TOO_LARGE);
        assertThat(code(tensor("t", 2, new long[] {1L << 32, 1L << 30}, GgufType.F64.id(), 0)))
                .isEqualTo(TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 31, 32, 33, 36, 37, 38, 43, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void badTensorType(int type) {
        assertThat(code(tensor("t", 1, new long[] {32}, type, 0))).isEqualTo(UNKNOWN_TYPE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 31, 32, TERABYTE, -1, -32, Long.MIN_VALUE})
    void badOffset(long offset) {
        assertThat(code(tensor("t", 1, new long[] {1}, 0, offset))).isEqualTo(MISPLACED);
    }

    @Test
    void tensorsOverEachOtherOrApart() {
        for (long offset : new long[] {0, 32, 96, 128}) {
            GgufFile file = GgufFile.create().tensor("a", GgufType.F32, 10);
            file.tensor(out ->
                    out.text("b").int32(1).count(1).int32(GgufType.F32.id()).int64(offset));

            assertThat(code(file)).isEqualTo(MISPLACED);
        }
    }

    @Test
    void duplicateName() {
        GgufFile file = GgufFile.create().tensor("t", GgufType.F32, 1).tensor("t", GgufType.F32, 1);

        assertThat(code(file)).isEqualTo(DUPLICATE);
    }

    @ParameterizedTest
    @ValueSource(longs = {8, 16, 64})
    void inconsistentAlignment(long alignment) {
        GgufFile file =
                GgufFile.create().align(alignment).tensor("a", GgufType.F32, 1).tensor("b", GgufType.F32, 1);

        assertThat(code(file)).isEqualTo(MISPLACED);
    }

    @Test
    void notEnoughWeights() {
        byte[] whole = GgufFile.create().llama().bytes();

        assertThat(code(Arrays.copyOf(whole, whole.length - 1))).isEqualTo(TRUNCATED);
        assertThat(code(GgufFile.create().llama().header())).isEqualTo(TRUNCATED);
    }

    /// The table is read again if places are wanted; the error is the same in both cases.
    @Test
    void theFirstTensorThatIsNotAllThereIsNamed() {
        byte[] whole = GgufFile.create()
                .tensor("a", GgufType.F32, 32)
                .tensor("b", GgufType.F32, 32)
                .tensor("c", GgufType.F32, 32)
                .bytes();
        byte[] cut = Arrays.copyOf(whole, whole.length - 200);
        Path path = GgufFile.write(folder.resolve("model.gguf"), cut);
        CheckpointException counted = refused(cut, CheckpointReader.Limits.DEFAULT);
        CheckpointException listed = catchThrowableOfType(
                CheckpointException.class, () -> CheckpointReader.create().read(path, _ -> {}));

        assertThat(counted).hasMessageContaining("the tensor 'b' has 128 bytes").hasMessage(listed.getMessage());
        assertThat(counted.code()).isEqualTo(TRUNCATED);
    }

    /// Little-endian entries take the fast path, others the slow one.
    @ParameterizedTest
    @CsvSource({
        "5, 1, 0, 32",
        "-1, 1, 0, 32",
        "1, 0, 0, 32",
        "1, -1, 0, 32",
        "1, 1, 4, 32",
        "1, 1, 99, 32",
        "1, 33, 2, 32",
        "2, 4611686018427387904, 0, 32",
        "1, 4611686018427387904, 0, 32",
        "1, 1, 0, 31",
        "1, 1, 0, -32",
        "1, 99, 0, 32"
    })
    void bothWaysToReadAnEntryRefuseTheSame(int rank, long size, int type, long offset) {
        CheckpointException compact = refused(twoTensors(GgufFile.create(), rank, size, type, offset));
        CheckpointException other = refused(twoTensors(GgufFile.bigEndian(), rank, size, type, offset));

        assertThat(compact).hasMessage(other.getMessage());
        assertThat(compact.code()).isEqualTo(other.code());
        assertThat(compact.offset()).isEqualTo(other.offset());
    }

    private CheckpointException refused(GgufFile file) {
        return refused(file.bytes(), CheckpointReader.Limits.DEFAULT);
    }

    /// Returns a file with a valid tensor and one with an error.
    private static GgufFile twoTensors(GgufFile file, int rank, long size, int type, long offset) {
        return file.tensor("right", GgufType.F32, 1).tensor(out -> {
            out.text("wrong").int32(rank);
            for (int at = 0; at < rank; at++) {
                out.count(size);
            }
            out.int32(type).int64(offset);
        });
    }

    @Test
    void sizesThatOverflowTogether() {
        GgufFile file = GgufFile.create();
        for (int at = 0; at < 4; at++) {
            String name = "t" + at;
            long offset = at * (1L << 62);
            file.tensor(out -> out.text(name)
                    .int32(1)
                    .count(1L << 60)
                    .int32(GgufType.F32.id())
                    .int64(offset));
        }

        assertThat(code(file)).isEqualTo(TRUNCATED);
    }

    @ParameterizedTest
    @ValueSource(longs = {1000, TERABYTE, Long.MAX_VALUE / 8, Long.MAX_VALUE})
    void countsOfArraysAreHeldAgainstTheFile(long length) {
        for (GgufInput.ValueType type : GgufInput.ValueType.values()) {
            for (String key : new String[] {"skipped", "tokenizer.ggml.tokens", "llama.attention.head_count"}) {
                GgufFile file = GgufFile.create()
                        .entry(out -> out.text(key)
                                .type(GgufInput.ValueType.ARRAY)
                                .type(type)
                                .count(length)
                                .raw(new byte[100]));

                assertThat(code(file)).as("%s of %s", key, type).isEqualTo(TRUNCATED);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"skipped", "general.name"})
    void textsAreHeldAgainstTheFile(String key) {
        for (long length : new long[] {1000, TERABYTE, Long.MAX_VALUE}) {
            GgufFile file = GgufFile.create()
                    .entry(out -> out.text(key).type(GgufInput.ValueType.STRING).count(length));

            assertThat(code(file)).isEqualTo(TRUNCATED);
        }
    }

    @Test
    void arraysNestedTooDeep() {
        assertThat(code(nested(65))).isEqualTo(TOO_LARGE);
        assertThat(code(nested(20_000))).isEqualTo(TOO_LARGE);
        assertThat(nested(64).read(folder).tensors().find()).contains(0L);
    }

    private static GgufFile nested(int depth) {
        return GgufFile.create().entry(out -> {
            out.text("deep").type(GgufInput.ValueType.ARRAY);
            for (int at = 1; at < depth; at++) {
                out.type(GgufInput.ValueType.ARRAY).count(1);
            }
            out.type(GgufInput.ValueType.UINT8).count(0);
        });
    }

    @Test
    void headersHaveALimit() {
        CheckpointReader.Limits limits = new CheckpointReader.Limits(4096, 100, 100, 1, Duration.ofSeconds(10));
        GgufFile text = GgufFile.create().text("skipped", "x".repeat(5000));
        GgufFile numbers = GgufFile.create().numbers("skipped", GgufInput.ValueType.UINT64, new long[600]);
        GgufFile texts = GgufFile.create()
                .texts("skipped", Stream.generate(() -> "").limit(600).toArray(String[]::new));

        assertThat(refused(text.bytes(), limits).code()).isEqualTo(TOO_LARGE);
        assertThat(refused(numbers.bytes(), limits).code()).isEqualTo(TOO_LARGE);
        assertThat(refused(texts.bytes(), limits).code()).isEqualTo(TOO_LARGE);
    }

    @Test
    void filesThatAreNotThere() {
        Path path = folder.resolve("none.gguf");

        assertThat(catchThrowableOfType(
                                CheckpointException.class, () -> GgufFile.read(path, CheckpointReader.Limits.DEFAULT))
                        .code())
                .isEqualTo(MISSING);
    }

    static Stream<GgufFile> files() {
        return GgufReaderTest.files();
    }

    @ParameterizedTest
    @MethodSource("files")
    void truncatedAtEveryByte(GgufFile file) {
        byte[] whole = file.llama().bytes();

        for (int length = 0; length < whole.length; length++) {
            assertThat(code(Arrays.copyOf(whole, length)))
                    .as("%d bytes", length)
                    .isEqualTo(TRUNCATED);
        }
    }
}
