// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.aws;

import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads what `neuron-ls` prints: a bare JSON array (`--json-output`), a JSON object around one
/// (`--output-format json`), or a table. Pure.
final class NeuronLsParser {
    static final int MAX_DEVICES = 1024;
    static final long MAX_CORES = 1024;

    private final Provenance source;

    private NeuronLsParser(Provenance source) {
        this.source = source;
    }

    /// Reads a text.
    ///
    /// @param source source of the facts
    /// @return nothing where the text is none of the known forms
    static Optional<Listing> parse(String text, Provenance source) {
        String form = text.strip();
        if (!form.startsWith("[") && !form.startsWith("{")) {
            return NeuronTableParser.parse(text, source);
        }
        return JsonFields.parse(form).flatMap(new NeuronLsParser(source)::read);
    }

    private Optional<Listing> read(JsonValue root) {
        Optional<List<JsonValue>> items = findDevices(root);
        if (items.isEmpty()) {
            return Optional.empty();
        }
        List<Listing.Device> devices = new ArrayList<>();
        String model = JsonFields.text(root, "instance_type").orElse("");
        String config = JsonFields.text(root, "logical_neuroncore_config").orElse("");
        for (JsonValue item : items.get()) {
            if (devices.size() < MAX_DEVICES) {
                device(item, devices.size()).ifPresent(devices::add);
            }
            model = model.isEmpty() ? JsonFields.text(item, "instance_type").orElse("") : model;
            config = config.isEmpty()
                    ? JsonFields.text(item, "logical_neuroncore_config").orElse("")
                    : config;
        }
        return Optional.of(new Listing(model, config, devices));
    }

    /// The array itself, or the member of an object whose items are devices; its name is not fixed.
    private static Optional<List<JsonValue>> findDevices(JsonValue root) {
        if (root instanceof JsonValue.JsonArray(List<JsonValue> items)) {
            return Optional.of(items);
        }
        if (root instanceof JsonValue.JsonObject object) {
            for (JsonValue member : object.members().values()) {
                List<JsonValue> items = JsonFields.items(member);
                if (!items.isEmpty() && items.getFirst().find("nc_count").isPresent()) {
                    return Optional.of(items);
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Listing.Device> device(JsonValue item, int position) {
        Optional<Long> cores = JsonFields.count(item, "nc_count", MAX_CORES);
        if (cores.isEmpty()) {
            return Optional.empty();
        }
        List<Long> neighbours = new ArrayList<>();
        for (JsonValue neighbour : JsonFields.items(item, "connected_to")) {
            if (neighbour instanceof JsonValue.JsonNumber number) {
                Amount.count(number.text(), MAX_DEVICES).ifPresent(neighbours::add);
            }
        }
        return Optional.of(new Listing.Device(
                JsonFields.count(item, "neuron_device", MAX_DEVICES).orElse((long) position),
                cores.get(),
                known(memory(item, cores.get())),
                known(JsonFields.text(item, "bdf").flatMap(PciAddress::find)),
                known(JsonFields.count(item, "numa_node", MAX_DEVICES)),
                neighbours,
                JsonFields.text(item, "model").orElse(""),
                item.find("neuron_processes").map(_ -> processes(item))));
    }

    private static ProcessList processes(JsonValue item) {
        List<ProcessList.DeviceProcess> processes = new ArrayList<>();
        for (JsonValue process : JsonFields.items(item, "neuron_processes")) {
            JsonFields.count(process, "pid", Integer.MAX_VALUE)
                    .ifPresent(pid -> processes.add(new ProcessList.DeviceProcess(
                            pid, JsonFields.text(process, "command").orElse(null), null)));
        }
        return new ProcessList(processes);
    }

    private static Optional<Bytes> memory(JsonValue item, long cores) {
        Optional<Bytes> whole = JsonFields.text(item, "memory_size").flatMap(digits -> Amount.bytes(digits, "B"));
        return whole.or(() -> JsonFields.text(item, "memory_per_nc_mb")
                .flatMap(digits -> Amount.bytes(digits, "MB"))
                .map(bytes -> bytes.saturatingTimes(cores)));
    }

    private <T> Reading<T> known(Optional<T> value) {
        return Reading.of(value, source, source.source() + " does not report it");
    }

    /// The output of `neuron-ls`.
    ///
    /// @param model name of the chip: the instance type, or the model; blank if unknown
    /// @param coreConfig physical cores in each core that programs see; blank if unknown
    /// @param devices the devices in the tool's order
    record Listing(String model, String coreConfig, List<Device> devices) {
        Listing {
            devices = List.copyOf(devices);
        }

        /// One device.
        ///
        /// @param number its number, as in `/dev/neuron0`
        /// @param cores the cores that programs see
        /// @param memory its memory
        /// @param address PCI address
        /// @param numaNode the NUMA node next to it
        /// @param neighbours the numbers of the devices that NeuronLink joins it to
        /// @param model name of its chip; blank if unknown
        /// @param processes the programs on it; nothing where the tool does not list them
        record Device(
                long number,
                long cores,
                Reading<Bytes> memory,
                Reading<PciAddress> address,
                Reading<Long> numaNode,
                List<Long> neighbours,
                String model,
                Optional<ProcessList> processes) {
            Device {
                neighbours = List.copyOf(neighbours);
            }
        }
    }
}
