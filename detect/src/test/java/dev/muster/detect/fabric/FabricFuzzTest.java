package dev.muster.detect.fabric;

import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.declared;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import javax.xml.stream.XMLStreamException;

/// What files about links, ports and memory nodes may hold: whatever it is, the readers end as they declare.
final class FabricFuzzTest {
    /// More than any machine has.
    private static final int NODES = 1 << 16;

    @FuzzTest
    void ncclTopology(byte[] data) {
        try {
            NcclTopology topology = NcclTopologyParser.parse(text(data));
            atMost(NODES, topology.functions());
            atMost(NODES, topology.ports());
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
    void distances(byte[] data) {
        NumaProbe.parseDistances(text(data)).ifPresent(distances -> atMost(NODES, distances));
    }

    @FuzzTest
    void memorySize(byte[] data) {
        MemoryProbe.parseHexadecimal(text(data));
    }
}
