// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.muster.model.checkpoint.PickleReader.NotUnderstoodException;
import dev.muster.model.checkpoint.Pickled.Whole;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PickleReaderTest {
    private static final Duration SHORT = Duration.ofSeconds(20);

    private static byte[] bytes(String latin) {
        return latin.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void refused(String part, byte[] pickle) {
        assertThatExceptionOfType(NotUnderstoodException.class)
                .isThrownBy(() -> TorchWeights.of(PickleReader.read(pickle), Map.of()))
                .withMessageContaining(part);
    }

    @Test
    void whatIsNoPickleIsSaidSo() {
        refused("cut off", bytes(""));
        refused("cut off", bytes("\u0080\u0002X\u00ff\u0000\u0000\u0000ab."));
        refused("takes more values than it made", bytes("."));
        refused("takes more values than it made", bytes("NNt."));
        refused("never stored", bytes("h\u0005."));
        refused("instruction 120", bytes("x."));
        refused("calls something that is not a function", bytes("NN\u0086)R."));
    }

    @ParameterizedTest
    @CsvSource({"os, system", "builtins, eval", "__builtin__, exec", "subprocess, Popen"})
    void functionsAreNamesAndAreNotCalled(String module, String name) {
        Pickled built = PickleReader.read(bytes("c" + module + "\n" + name + "\n(Vtouch /tmp/x\ntR."));
        assertThat(built)
                .isInstanceOfSatisfying(
                        Pickled.Result.class,
                        result -> assertThat(result.function().name()).isEqualTo(module + "." + name));
        assertThat(TorchWeights.of(built, Map.of())).isEmpty();
    }

    @Test
    void wholeNumbersOfEveryForm() {
        isWhole(255, "K\u00ff");
        isWhole(32_768, "M\u0000\u0080");
        isWhole(-1, "J\u00ff\u00ff\u00ff\u00ff");
        isWhole(65_536, "\u008a\u0003\u0000\u0000\u0001");
        isWhole(-1, "\u008a\u0001\u00ff");
        isWhole(0, "\u008a\u0000");
        isWhole(17, "I17\n");
        isWhole(17, "L17L\n");
    }

    private static void isWhole(long value, String instruction) {
        assertThat(PickleReader.read(bytes(instruction + "."))).isEqualTo(new Whole(value));
    }

    @Test
    void namesHaveALimit() {
        refused("name of more than 4096", bytes("}X\u0000 \u0000\u0000" + "k".repeat(0x2000) + "}Va\nNss."));
    }

    @Test
    void aListThatHoldsItselfHasAnEnd() {
        assertThat(TorchWeights.of(PickleReader.read(bytes("]q\u0000h\u0000a.")), Map.of()))
                .isEmpty();
    }

    @Test
    void listsOfListsThatDoubleAreWalkedOnce() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bytes("]q\u0000"));
        for (int i = 1; i < 60; i++) {
            out.writeBytes(new byte[] {']', 'q', (byte) i, '(', 'h', (byte) (i - 1), 'h', (byte) (i - 1), 'e'});
        }
        out.write('.');
        assertTimeoutPreemptively(
                SHORT,
                () -> assertThat(TorchWeights.of(PickleReader.read(out.toByteArray()), Map.of()))
                        .isEmpty());
    }

    @Test
    void nestingHasALimit() {
        refused("deeper than 64", bytes("N" + "\u0085".repeat(100_000) + "."));
    }

    @Test
    void theCountOfValuesHasALimit() {
        refused("more than", bytes("N".repeat(PickleReader.MAX_VALUES + 1) + "."));
    }

    @Test
    void tensorsThatTheArchiveDoesNotHoldAreNotCounted() {
        String storage = "(X\u0007\u0000\u0000\u0000storagectorch\nFloatStorage\nX\u0001\u0000\u0000\u00000"
                + "X\u0003\u0000\u0000\u0000cpuK\u0004tQ";
        byte[] pickle = bytes("ctorch._utils\n_rebuild_tensor_v2\n(" + storage
                + "K\u0000K\u0002K\u0002\u0086K\u0002K\u0001\u0086\u0089NtR.");
        assertThat(TorchWeights.of(PickleReader.read(pickle), Map.of("0", 16L)))
                .singleElement()
                .satisfies(named -> assertThat(named.elements()).isEqualTo(4));
        assertThatExceptionOfType(NotUnderstoodException.class)
                .isThrownBy(() -> TorchWeights.of(PickleReader.read(pickle), Map.of("0", 15L)))
                .withMessageContaining("past the end of its storage");
        refused("which the archive does not have", pickle);
    }
}
