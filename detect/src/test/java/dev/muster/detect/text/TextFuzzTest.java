// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.text.CsvReader;

/// Fuzz test: output of any tool; any input ends in a result or a declared failure.
final class TextFuzzTest {
    @FuzzTest
    void amount(byte[] data) {
        String text = text(data);
        Amount.count(text, Long.MAX_VALUE);
        Amount.decimal(text);
        Amount.celsius(text);
        Amount.watts(text);
        Amount.percent(text);
        Amount.megahertz(text);
        Amount.bytes(text);
        Amount.bytes(text, "MiB");
        Amount.bytes("1", text);
        Amount.memoryLine(text, "MiB", "GiB");
    }

    @FuzzTest
    void pipeTable(byte[] data) {
        PipeTable.rows(text(data));
    }

    @FuzzTest
    void csvLine(byte[] data) {
        CsvReader.fieldsOf(text(data));
    }
}
