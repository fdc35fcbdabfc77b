// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.aws;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.detect.FuzzText;

/// Fuzz test: output of `neuron-ls`; any input ends in a result or a declared failure.
final class NeuronFuzzTest {
    @FuzzTest
    void json(byte[] data) {
        NeuronLsParser.parse(text(data), FuzzText.SOURCE).ifPresent(listing -> atMost(DEVICES, listing.devices()));
    }

    @FuzzTest
    void table(byte[] data) {
        NeuronTableParser.parse(text(data), FuzzText.SOURCE).ifPresent(listing -> atMost(DEVICES, listing.devices()));
    }

    @FuzzTest
    void model(byte[] data) {
        NeuronChips.find(text(data));
    }
}
