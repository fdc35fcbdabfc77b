// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.declared;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.json.DocumentException;
import dev.muster.detect.FuzzText;
import java.util.List;

/// Fuzz test: output of AMD's tools and driver; any input ends in a result or a declared failure.
final class AmdFuzzTest {
    @FuzzTest
    void amdSmi(byte[] data) {
        try {
            List<AmdSmiGpu> gpus = AmdSmiGpu.parse(text(data));
            atMost(DEVICES, gpus);
            gpus.forEach(gpu -> AmdSmiFacts.profile(gpu, FuzzText.SOURCE));
        } catch (DocumentException expected) {
            declared(expected);
        }
    }

    @FuzzTest
    void amdSmiXgmi(byte[] data) {
        atMost(DEVICES, XgmiPort.parse(text(data)));
    }

    @FuzzTest
    void amdSmiVersion(byte[] data) {
        AmdText.rocmVersion(text(data));
    }

    @FuzzTest
    void firmware(byte[] data) {
        AmdText.line(text(data), "VBIOS version:");
    }

    @FuzzTest
    void rocmSmi(byte[] data) {
        try {
            atMost(DEVICES, RocmSmiFacts.parse(text(data), FuzzText.SOURCE));
        } catch (DocumentException expected) {
            declared(expected);
        }
    }

    @FuzzTest
    void rocminfo(byte[] data) {
        atMost(DEVICES, RocminfoParser.parse(text(data), FuzzText.SOURCE));
    }

    @FuzzTest
    void linkMatrix(byte[] data) {
        LinkMatrix matrix = LinkMatrix.parse(text(data), "Link Type");
        atMost(DEVICES, matrix.labels());
        for (int i = 0; i < matrix.size(); i++) {
            matrix.cell(i, matrix.size() - 1 - i);
        }
    }

    @FuzzTest
    void kfdNode(byte[] data) {
        String text = text(data);
        KfdNode.parse(1, text);
        KfdLink.parse(text);
    }

    @FuzzTest
    void amdgpuIds(byte[] data) {
        Catalogue.findListed(text(data), 0x74a1, 0);
    }

    @FuzzTest
    void clocks(byte[] data) {
        String text = text(data);
        AmdText.activeClock(text);
        AmdText.fastestClock(text);
    }

    @FuzzTest
    void values(byte[] data) {
        String text = text(data);
        AmdText.memory(text);
        AmdText.used(text);
        AmdText.whole(text);
        AmdText.degrees(text);
        AmdText.milliDegrees(text);
        AmdText.watts(text);
        AmdText.microWatts(text);
        AmdText.uuidOfHex(text);
        AmdText.hex16(text);
        AmdText.partitioning(text, text);
        AmdModel.findArchitecture(text);
    }
}
