// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.SafeTensorsFile.withHeader;
import static dev.muster.model.checkpoint.SafeTensorsFile.withLength;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelFormat;
import dev.muster.model.Tensor;
import dev.muster.model.checkpoint.CheckpointException.Code;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeTensorsReaderTest {
    private static final String TENSOR = "{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}";

    @TempDir
    private Path folder;

    @Test
    void countsTensorsParametersAndBytesByType() {
        Checkpoint checkpoint = read(new SafeTensorsFile()
                .member("\"__metadata__\":{\"format\":\"pt\",\"note\":\"\\u00e9 \\\"x\\\" é\"}")
                .tensor("embed", "BF16", "[100,8]", 1600)
                .tensor("norm", "F32", "[8]", 32)
                .tensor("scalar", "F32", "[]", 4)
                .tensor("empty", "F32", "[0,7]", 0)
                .bytes());
        assertThat(checkpoint.format().find()).contains(ModelFormat.SAFE_TENSORS);
        assertThat(checkpoint.tensors().find()).contains(4L);
        assertThat(checkpoint.parameters().find()).contains(809L);
        assertThat(checkpoint.weightBytes().find()).contains(Bytes.of(1636));
        assertThat(checkpoint.types())
                .extracting(share -> share.type().name() + " " + share.tensors() + " " + share.elements())
                .containsExactly("BF16 1 800", "F32 3 9");
    }

    @Test
    void handsOnEachTensorWithItsPlace() {
        List<Tensor> tensors = new ArrayList<>();
        SafeTensorsFile file =
                new SafeTensorsFile().tensor("a.b", "I64", "[3,2]", 48).tensor("ü", "F4", "[6]", 3);
        Path path = file.write(folder, "x.safetensors");
        CheckpointReader.create().read(path, tensors::add);
        long start = file.bytes().length - 51L;
        assertThat(tensors)
                .containsExactly(
                        new Tensor("a.b", Tensor.Type.plain("I64", 64), List.of(3L, 2L), 6, 48, "x.safetensors", start),
                        new Tensor("ü", Tensor.Type.plain("F4", 4), List.of(6L), 6, 3, "x.safetensors", start + 48));
    }

    @Test
    void takesBlanksEscapesAnyOrderOfKeysAndTrailingSpaces() {
        Checkpoint checkpoint = read(withHeader(
                "{ \"\\u0061\" :\n{ \"shape\" : [ 2 ] , \"data_offsets\":[0, 8],\t\"dtype\" : \"F32\" } , \"b\":"
                        + "{\"data_offsets\":[8,12],\"dtype\":\"F16\",\"shape\":[1, 2]}}    ",
                12));
        assertThat(checkpoint.parameters().find()).contains(4L);
    }

    @Test
    void takesTensorsThatAreNotInOrder() {
        assertThat(read(withHeader(
                                "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]},"
                                        + "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}",
                                8))
                        .weightBytes()
                        .find())
                .contains(Bytes.of(8));
    }

    @Test
    void readsHeadersLargerThanItsWindow() {
        SafeTensorsFile file =
                new SafeTensorsFile().member("\"__metadata__\":{\"long\":\"" + "x".repeat(700_000) + "\"}");
        for (int tensor = 0; tensor < 10_000; tensor++) {
            file.tensor("model.layers." + tensor + ".weight", "BF16", "[2,3]", 12);
        }
        assertThat(read(file.bytes()).parameters().find()).contains(60_000L);
    }

    @Test
    void doesNotTakePackedIntegersForParameters() {
        Checkpoint checkpoint = read(new SafeTensorsFile()
                .tensor("qweight", "I32", "[512,128]", 262_144)
                .bytes());
        assertThat(checkpoint.parameters().isKnown()).isFalse();
        assertThat(checkpoint.weightBytes().find()).contains(Bytes.of(262_144));
    }

    @Test
    void anEmptyHeaderHasNoTensors() {
        assertThat(read(withHeader("{}", 0)).tensors().find()).contains(0L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,7]}} | 8 | MISPLACED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}} | 16 | MISPLACED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}} | 8 | MISPLACED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}} | 7 | MISPLACED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}} | 9 | MISPLACED",
                "{\"a\":{\"dtype\":\"F31\",\"shape\":[2],\"data_offsets\":[0,8]}} | 8 | UNKNOWN_TYPE",
                "{\"a\":{\"dtype\":\"LONGER_THAN_8\",\"shape\":[2],\"data_offsets\":[0,8]}} | 8 | UNKNOWN_TYPE",
                "{\"a\":{\"dtype\":7,\"shape\":[2],\"data_offsets\":[0,8]}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2.0],\"data_offsets\":[0,8]}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[02],\"data_offsets\":[0,8]}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,],\"data_offsets\":[0,8]}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8,9]}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"x\":1}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}} | 8 | DUPLICATE",
                "{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}} | 1 | MALFORMED",
                "{\"a\":3} | 0 | MALFORMED",
                "{\"a\"} | 0 | MALFORMED",
                "{,} | 0 | MALFORMED",
                "{\"__metadata__\":{\"a\":1}} | 0 | MALFORMED",
                "{\"__metadata__\":{\"a\":\"b\",\"a\":\"c\"}} | 0 | DUPLICATE",
                "{\"__metadata__\":{},\"__metadata__\":{}} | 0 | DUPLICATE",
                "{\"__metadata__\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}} | 8 | MALFORMED",
                "{}x | 0 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4611686018427387,4611686018427387],\"data_offsets\":[0,8]}}"
                        + " | 8 | TOO_LARGE",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[461168601842738790],\"data_offsets\":[0,8]}} | 8 | TOO_LARGE",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[9999999999999999999],\"data_offsets\":[0,8]}} | 8 | MALFORMED",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]} | 8 | TRUNCATED",
                "{\"a | 0 | TRUNCATED",
                "{\"a\\ | 0 | TRUNCATED",
                "{\"__metadata__\":{\"a | 0 | TRUNCATED"
            })
    void saysWhatIsWrong(String header, int data, Code code) {
        refuses(withHeader(header, data), code);
    }

    @Test
    void refusesTheSameNameTwice() {
        refuses(
                new SafeTensorsFile()
                        .tensor("a", "U8", "[1]", 1)
                        .tensor("a", "U8", "[1]", 1)
                        .bytes(),
                Code.DUPLICATE);
        refuses(
                new SafeTensorsFile()
                        .tensor("a", "U8", "[1]", 1)
                        .tensor("\\u0061", "U8", "[1]", 1)
                        .bytes(),
                Code.DUPLICATE);
    }

    @Test
    void refusesTensorsThatLieOverEachOther() {
        refuses(
                withHeader(
                        "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
                                + "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[2,6]}}",
                        6),
                Code.MISPLACED);
    }

    @Test
    void refusesNamesThatAreNotUtf8AndControlCharacters() {
        byte[] header = ("{\"a#\":" + TENSOR + "}").getBytes(StandardCharsets.US_ASCII);
        header[3] = (byte) 0xFF;
        refuses(withLength(header.length, header, 8), Code.MALFORMED);
        header[3] = 0;
        refuses(withLength(header.length, header, 8), Code.MALFORMED);
        header[3] = '\n';
        refuses(withLength(header.length, header, 8), Code.MALFORMED);
    }

    @Test
    void refusesLengthsThatAreNotThere() {
        byte[] header = ("{\"a\":" + TENSOR + "}").getBytes(StandardCharsets.US_ASCII);
        read(withLength(header.length, header, 8));
        refuses(withLength(header.length + 9L, header, 8), Code.TRUNCATED);
        refuseLength(Long.MAX_VALUE, header, Code.TOO_LARGE);
        refuseLength(-1, header, Code.TOO_LARGE);
        refuseLength(CheckpointReader.Limits.DEFAULT.headerBytes() + 1, header, Code.TOO_LARGE);
        refuseLength(0, header, Code.MALFORMED);
    }

    private void refuseLength(long length, byte[] header, Code code) {
        Path path = SafeTensorsFile.write(folder, "x.safetensors", withLength(length, header, 8));
        assertThatExceptionOfType(CheckpointException.class)
                .isThrownBy(() -> SafeTensorsReader.read(path, Scan.start(CheckpointReader.Limits.DEFAULT, null)))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void refusesMoreTensorsThanItsLimitAndLongerEntriesThanItsWindow() {
        byte[] two = new SafeTensorsFile()
                .tensor("a", "U8", "[1]", 1)
                .tensor("b", "U8", "[1]", 1)
                .bytes();
        CheckpointReader.Limits one = new CheckpointReader.Limits(1000, 1, 10, 10, Duration.ofSeconds(10));
        Path path = SafeTensorsFile.write(folder, "x.safetensors", two);
        assertThatExceptionOfType(CheckpointException.class)
                .isThrownBy(() -> CheckpointReader.of(one).read(path))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.TOO_LARGE));
        refuses(
                new SafeTensorsFile()
                        .tensor("n".repeat(600_000), "U8", "[1]", 1)
                        .bytes(),
                Code.TOO_LARGE);
    }

    /// The length 640 is 80 02 in the file, with which a pickle begins, too.
    @Test
    void aHeaderWhoseLengthLooksLikeAPickleIsRead() {
        int length = 640;
        SafeTensorsFile file = new SafeTensorsFile().tensor("w", "U8", "[1]", 1);
        int before = file.bytes().length - Long.BYTES - 1;
        String empty = ",\"__metadata__\":{\"k\":\"\"}";
        byte[] bytes = file.member("\"__metadata__\":{\"k\":\"" + "v".repeat(length - before - empty.length()) + "\"}")
                .bytes();
        assertThat(bytes[0]).isEqualTo((byte) 0x80);
        assertThat(bytes[1]).isEqualTo((byte) 0x02);
        assertThat(read(bytes).format().find()).contains(ModelFormat.SAFE_TENSORS);
    }

    @Test
    void cutAnywhereItIsRefusedAndNothingElseHappens() {
        byte[] whole = new SafeTensorsFile()
                .member("\"__metadata__\":{\"k\":\"v\\n\"}")
                .tensor("first", "BF16", "[2,2]", 8)
                .tensor("zweité", "F32", "[1]", 4)
                .bytes();
        for (int length = 0; length < whole.length; length++) {
            Path path = SafeTensorsFile.write(folder, "x.safetensors", Arrays.copyOf(whole, length));
            assertThatExceptionOfType(CheckpointException.class)
                    .as("%d bytes", length)
                    .isThrownBy(() -> SafeTensorsReader.read(path, Scan.start(CheckpointReader.Limits.DEFAULT, null)));
        }
    }

    /// The fast path and the slow one, which a blank behind the colon forces, agree, also when they alternate and
    /// when a tensor has the same values as the one before.
    @Test
    void bothWaysToReadATensorAgree() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            List<String> entries = new ArrayList<>();
            long end = 0;
            for (int tensor = 0; tensor < 8; tensor++) {
                String name = "n".repeat(random.nextInt(40)) + tensor;
                long rows = random.nextInt(random.nextBoolean() ? 3 : 2000);
                String shape = random.nextInt(4) == 0 ? rows + "" : rows + ",1,1";
                String type = random.nextInt(3) == 0 ? "I32" : "F32";
                entries.add("\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + shape + "],\"data_offsets\":["
                        + end + "," + (end += rows * 4) + "]}");
            }
            if (random.nextInt(3) == 0) {
                Collections.shuffle(entries, random);
            }
            SafeTensorsFile compact = new SafeTensorsFile();
            SafeTensorsFile spaced = new SafeTensorsFile();
            SafeTensorsFile mixed = new SafeTensorsFile();
            for (String entry : entries) {
                compact.member(entry);
                spaced.member(spaced(entry));
                mixed.member(random.nextBoolean() ? entry : spaced(entry));
            }
            List<String> expected = tensors(spaced, (int) end);
            assertThat(tensors(compact, (int) end)).as("seed %d", seed).isEqualTo(expected);
            assertThat(tensors(mixed, (int) end)).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static String spaced(String entry) {
        return entry.replace(":{", ": {");
    }

    private List<String> tensors(SafeTensorsFile file, int data) {
        byte[] empty = file.bytes();
        byte[] bytes = Arrays.copyOf(empty, empty.length + data);
        List<String> seen = new ArrayList<>();
        Consumer<Tensor> sink = tensor -> seen.add(tensor.name() + tensor.type() + tensor.shape() + tensor.bytes()
                + " at " + (tensor.offset() - empty.length));
        SafeTensorsReader.read(
                SafeTensorsFile.write(folder, "x.safetensors", bytes),
                Scan.start(CheckpointReader.Limits.DEFAULT, sink));
        return seen;
    }

    private Checkpoint read(byte[] bytes) {
        return CheckpointReader.create().read(SafeTensorsFile.write(folder, "x.safetensors", bytes));
    }

    private void refuses(byte[] bytes, Code code) {
        assertThatExceptionOfType(CheckpointException.class)
                .isThrownBy(() -> read(bytes))
                .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }
}
