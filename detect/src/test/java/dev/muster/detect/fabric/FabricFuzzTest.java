// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.declared;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.detect.pci.DeviceMemoryNodes;
import javax.xml.stream.XMLStreamException;

/// Fuzz test: content of files about links, ports and memory nodes; any input ends in a result or a declared failure.
final class FabricFuzzTest {
    /// More than any machine has.
    private static final int NODES = 1 << 16;

    @FuzzTest
    void ncclTopology(byte[] data) {
        try {
            NcclTopology topology = NcclTopologyParser.parse(text(data));
            atMost(NODES, topology.functions().keySet());
            atMost(NODES, topology.gpus());
            NcclDocument.registry(topology);
        } catch (XMLStreamException expected) {
            declared(expected);
        }
    }

    @FuzzTest
    void port(byte[] data) {
        String text = text(data);
        PortText.parseRate(text);
        PortText.isActive(text);
        PortText.isEthernet(text);
    }

    @FuzzTest
    void numaStatus(byte[] data) {
        DeviceMemoryNodes.parse(text(data));
    }

    @FuzzTest
    void memorySize(byte[] data) {
        MemoryProbe.parseHexadecimal(text(data));
    }
}
