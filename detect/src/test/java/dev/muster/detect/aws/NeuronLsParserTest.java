// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NeuronLsParserTest {
    private static final Provenance TOOL =
            Provenance.of("neuron-ls", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED);

    @Test
    void readsSixteenTrainium2Devices() throws IOException {
        NeuronLsParser.Listing listing = read(Fixtures.shared("neuron/trn2-16dev.neuron-ls.txt"));

        assertThat(listing.model()).isEqualTo("trn2n.48xlarge");
        assertThat(listing.coreConfig()).isEqualTo("2");
        assertThat(listing.devices()).hasSize(16).allSatisfy(device -> {
            assertThat(device.cores()).isEqualTo(4);
            assertThat(device.memory().find()).contains(Bytes.ofGib(96));
            assertThat(device.neighbours()).hasSize(4);
            assertThat(device.numaNode().find().orElseThrow()).isBetween(0L, 1L);
        });
        NeuronLsParser.Listing.Device first = listing.devices().getFirst();
        assertThat(first.address().find()).isEqualTo(PciAddress.find("0000:cc:00.0"));
        assertThat(first.numaNode().find()).contains(1L);
        assertThat(first.neighbours()).containsExactly(12L, 3L, 4L, 1L);
        assertThat(listing.devices().get(4).numaNode().find()).contains(0L);
    }

    @Test
    void readsOlderColumnsAndLeavesThePictureOfTheTorusAlone() throws IOException {
        NeuronLsParser.Listing listing = read(Fixtures.shared("neuron/trn2n-16dev.neuron-ls-topology.txt"));

        assertThat(listing.devices()).hasSize(16).allSatisfy(device -> {
            assertThat(device.cores()).isEqualTo(4);
            assertThat(device.memory().find()).contains(Bytes.ofGib(96));
            assertThat(device.numaNode().isKnown()).isFalse();
        });
        assertThat(listing.devices().getFirst().address().find()).isEqualTo(PciAddress.find("0000:cc:00.0"));
    }

    @Test
    void readsSixteenTrainiumDevices() throws IOException {
        NeuronLsParser.Listing listing = read(Fixtures.shared("neuron/trn1-32xlarge.neuron-ls-topology.txt"));

        assertThat(listing.model()).isEqualTo("trn1.32xlarge");
        assertThat(listing.devices()).hasSize(16).allSatisfy(device -> {
            assertThat(device.cores()).isEqualTo(2);
            assertThat(device.memory().find()).contains(Bytes.ofGib(32));
        });
        assertThat(listing.devices().getLast().address().find()).isEqualTo(PciAddress.find("a0:1b.0"));
        assertThat(listing.devices().getLast().neighbours()).containsExactly(11L, 14L, 3L, 12L);
    }

    @Test
    void addsUpTheMemoryChannelsOfTheFirstGeneration() throws IOException {
        NeuronLsParser.Listing listing = read(Fixtures.shared("neuron/inf1-1dev.neuron-ls.txt"));

        assertThat(listing.model()).isEqualTo("inf1");
        NeuronLsParser.Listing.Device device = listing.devices().getFirst();
        assertThat(listing.devices()).hasSize(1);
        assertThat(device.cores()).isEqualTo(4);
        assertThat(device.memory().find()).contains(Bytes.ofGib(8));
        assertThat(device.address().find()).isEqualTo(PciAddress.find("0000:00:1f.0"));
        assertThat(device.neighbours()).isEmpty();
    }

    @Test
    void pitfall21_rowsOfFurtherProcessesAreNoDevices() {
        NeuronLsParser.Listing listing = read("""
                +--------+--------+--------+-----------+---------+-------+---------+---------+
                | NEURON | NEURON | NEURON | CONNECTED |   PCI   |  PID  | COMMAND | RUNTIME |
                | DEVICE | CORES  | MEMORY |  DEVICES  |   BDF   |       |         | VERSION |
                +--------+--------+--------+-----------+---------+-------+---------+---------+
                | 0      | 4      | 8 GB   | 1         | 00:1c.0 | 23518 | infer a | 2.0.0   |
                |        |        |        |           |         | 23531 | infer b | 2.0.0   |
                +--------+--------+--------+-----------+---------+-------+---------+---------+
                | 1      | 4      | 8 GB   | 0         | 00:1d.0 | 23595 | infer c | 2.0.0   |
                +--------+--------+--------+-----------+---------+-------+---------+---------+
                """);

        assertThat(listing.devices())
                .extracting(NeuronLsParser.Listing.Device::number)
                .containsExactly(0L, 1L);
        assertThat(listing.devices().getFirst().neighbours()).containsExactly(1L);
    }

    @Test
    void jsonListsTheProcessesOfADevice() {
        NeuronLsParser.Listing listing = read("""
                [{"neuron_device": 0, "nc_count": 2, "memory_size": 34359738368, "neuron_processes": [
                  {"pid": 4711, "command": "python3 serve.py", "neuroncore_ids": [0, 1]}, {"command": "no number"}]},
                 {"neuron_device": 1, "nc_count": 2, "memory_size": 34359738368}]""");

        assertThat(listing.devices().getFirst().processes().orElseThrow())
                .isEqualTo(new ProcessList(List.of(new ProcessList.DeviceProcess(4711, "python3 serve.py", null))));
        assertThat(listing.devices().getLast().processes()).as("not told").isEmpty();
    }

    @Test
    void pitfall21_jsonIsABareArrayAndTheNumaNodeIsAText() {
        NeuronLsParser.Listing listing = read("""
                [{"neuron_device": 0, "bdf": "00:1e.0", "connected_to": null, "nc_count": 2,
                  "numa_node": "-1", "memory_size": 34359738368, "neuroncore_ids": [0, 1], "neuron_processes": []}]""");

        NeuronLsParser.Listing.Device device = listing.devices().getFirst();
        assertThat(device.memory().find()).contains(Bytes.ofGib(32));
        assertThat(device.numaNode().isKnown()).isFalse();
        assertThat(device.address().find()).isEqualTo(PciAddress.find("0000:00:1e.0"));
        assertThat(device.neighbours()).isEmpty();
    }

    @Test
    void d34_readsTheNewerJsonWithFieldsAroundTheDevices() {
        NeuronLsParser.Listing listing = read("""
                {"instance_type": "trn2.48xlarge", "instance_id": "i-0", "logical_neuroncore_config": 2,
                 "devices": [
                  {"neuron_device": 0, "bdf": "0000:cc:00.0", "connected_to": [1], "nc_count": 4,
                   "numa_node": "1", "memory_size": 103079215104},
                  {"neuron_device": 1, "bdf": "0000:b5:00.0", "connected_to": [0], "nc_count": 4,
                   "numa_node": "1", "memory_size": 103079215104}]}""");

        assertThat(listing.model()).isEqualTo("trn2.48xlarge");
        assertThat(listing.coreConfig()).isEqualTo("2");
        assertThat(listing.devices()).hasSize(2);
        assertThat(listing.devices().get(1).neighbours()).isEqualTo(List.of(0L));
        assertThat(listing.devices().get(1).memory().find()).contains(Bytes.ofGib(96));
    }

    @Test
    void anEmptyArrayIsAnAnswer() {
        assertThat(read("[]").devices()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "oops", "[{]", "[", "\"str\"", "[] trailing", "{}", "| |\n| |\n| 0 |", "{\"devices\": [1]}"})
    void otherTextsAreNoAnswer(String text) {
        assertThat(NeuronLsParser.parse(text, TOOL)).isEmpty();
    }

    @Test
    void leavesOutItemsThatSayNothing() {
        assertThat(read("[1, {}, {\"nc_count\": \"many\"}, {\"nc_count\": 2}]").devices())
                .hasSize(1);
    }

    private static NeuronLsParser.Listing read(String text) {
        Optional<NeuronLsParser.Listing> listing = NeuronLsParser.parse(text, TOOL);
        assertThat(listing).isPresent();
        return listing.get();
    }
}
