// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.declared;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.detect.FuzzText;
import java.util.List;

/// Fuzz test: output of the driver's tools and files; any input ends in a result or a declared failure.
final class NvidiaFuzzTest {
    @FuzzTest
    void xml(byte[] data) {
        try {
            NvidiaSmiXmlParser.parse(text(data));
        } catch (NvidiaFormatException expected) {
            declared(expected);
        }
    }

    @FuzzTest
    void log(byte[] data) {
        try {
            NvidiaSmiLog log = new NvidiaSmiLog(NvidiaSmiXmlParser.parse(text(data)), FuzzText.SOURCE);
            log.driverVersion();
            log.cudaVersion();
            log.hasSlices();
            atMost(DEVICES, log.gpus());
            log.profiles(NvidiaListing.EMPTY, gap -> {});
        } catch (NvidiaFormatException expected) {
            declared(expected);
        }
    }

    @FuzzTest
    void query(byte[] data) {
        NvidiaQuery query = NvidiaQuery.parse(text(data));
        atMost(DEVICES, query.rows());
        query.rows().forEach(row -> row.profile(FuzzText.SOURCE));
    }

    @FuzzTest
    void topo(byte[] data) {
        try {
            NvidiaTopology topology = NvidiaTopoParser.parse(text(data));
            atMost(1 << 12, topology.rows());
            topology.lanes(0, 1);
        } catch (NvidiaFormatException expected) {
            declared(expected);
        }
    }

    @FuzzTest
    void nvlink(byte[] data) {
        List<NvidiaNvlinks> links = NvidiaNvlinkParser.parse(text(data));
        atMost(DEVICES, links);
        links.forEach(NvidiaNvlinks::findTotal);
    }

    @FuzzTest
    void list(byte[] data) {
        NvidiaListing.parse(text(data)).findSlice(0, 0);
    }

    @FuzzTest
    void proc(byte[] data) {
        String text = text(data);
        NvidiaProcParser.value(text, "GPU UUID");
        NvidiaProcParser.findDriverVersion(text);
    }
}
