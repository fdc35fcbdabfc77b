// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.LinkedHashMap;
import java.util.Map;

/// Writes registries in Muster's own form.
final class RegistryWriter {
    private final JsonWriter json;
    private final Map<Provenance, Integer> sources = new LinkedHashMap<>();
    private final SystemWriter system;

    RegistryWriter(JsonWriter json) {
        this.json = json;
        this.system = new SystemWriter(json, sources);
    }

    void write(AcceleratorRegistry registry) {
        json.beginObject();
        json.key("schema").unsigned(RegistryDocument.SCHEMA);
        json.key("kind").string(RegistryDocument.KIND);
        FactSheet facts = new FactSheet(json, sources)
                .put("observedAt", registry.observedAt(), time -> json.string(TimeText.of(time)));
        if (registry.referenceSchema() != AcceleratorRegistry.REFERENCE_SCHEMA) {
            json.key("referenceSchema").unsigned(registry.referenceSchema());
        }
        json.array("devices", registry.profiles(), this::write);
        json.array("gaps", registry.gaps(), system::write);
        system.write(registry.systemIo(), facts);
        json.key("topology");
        system.write(registry.topology());
        facts.end();
        json.array("sources", sources.keySet(), this::write);
        json.endObject();
    }

    private void write(AcceleratorProfile profile) {
        json.beginObject();
        json.key("id").string(profile.id().text());
        writeType(profile.accelerator());
        json.key("available").bool(profile.available());
        DeviceUsability usability = DeviceUsability.of(profile);
        if (!usability.reasons().isEmpty()) {
            write(usability);
        }
        profile.partition().ifPresent(partition -> {
            json.key("partition").beginObject();
            json.key("parent").string(partition.parent().text());
            json.key("id").string(partition.id());
            json.key("shape").string(partition.shape());
            json.endObject();
        });
        FactSheet facts = new FactSheet(json, sources);
        for (DeviceFact<?> fact : DeviceFact.all()) {
            put(facts, profile, fact);
        }
        facts.endObject();
    }

    /// Derived, so that readers in other languages need not know the rule.
    void write(DeviceUsability usability) {
        json.key("usable").bool(usability.isUsable());
        json.array("reasons", usability.reasons(), reason -> {
            json.beginObject();
            json.key("obstacle").string(reason.obstacle().text());
            json.key("words").string(reason.words());
            if (reason.evidence().isPresent()) {
                json.key("evidence").string(reason.evidence().get().key());
            }
            json.endObject();
        });
    }

    private void write(Provenance source) {
        json.beginObject();
        json.key("source").string(source.source());
        json.key("method").string(source.method().text());
        json.key("confidence").string(source.confidence().text());
        source.observedAt().ifPresent(time -> json.key("observedAt").string(TimeText.of(time)));
        json.endObject();
    }

    private <T> void put(FactSheet facts, AcceleratorProfile profile, DeviceFact<T> fact) {
        facts.put(fact.key(), profile.reading(fact), value -> writeValue(FactType.of(fact), value));
    }

    private void writeType(AcceleratorType type) {
        json.key("accelerator").string(type.kind().text());
        json.key("family").string(type.family().text());
        json.key("index").unsigned(type.deviceId());
        switch (type) {
            case AcceleratorType.Plain _ -> {}
            case AcceleratorType.Tpu tpu -> {
                json.key("generation").string(tpu.version().display());
                json.key("chipCount").unsigned(tpu.chipCount());
            }
            case AcceleratorType.Gaudi gaudi ->
                json.key("generation").string(gaudi.generation().display());
            case AcceleratorType.Neuron neuron -> {
                json.key("generation").string(neuron.chip().display());
                json.key("coreCount").unsigned(neuron.coreCount());
            }
            case AcceleratorType.Other other -> json.key("vendor").string(other.vendor());
        }
    }

    void writeValue(FactType type, Object value) {
        switch (type) {
            case BYTES -> json.unsigned(((Bytes) value).unsigned());
            case BANDWIDTH -> json.numberText(BandwidthText.of((Bandwidth) value));
            case TEXT -> json.string((String) value);
            case COUNT -> json.unsigned((Long) value);
            case CELSIUS -> json.number(((Celsius) value).degrees());
            case WATTS -> json.number(((Watts) value).value());
            case JOULES -> json.number(((Joules) value).value());
            case RATIO -> json.number(((Ratio) value).value());
            case PCI_ADDRESS -> json.string(value.toString());
            case HERTZ -> json.unsigned(((Hertz) value).value());
            case FLAG -> json.bool((Boolean) value);
            case PROCESSES -> json.array(((ProcessList) value).processes(), this::write);
        }
    }

    private void write(DeviceProcess process) {
        json.beginObject();
        json.key("pid").unsigned(process.pid());
        process.findName().ifPresent(name -> json.key("name").string(name));
        process.findMemory().ifPresent(memory -> json.key("memoryBytes").unsigned(memory.unsigned()));
        process.findLoad().ifPresent(load -> json.key("utilizationRatio").number(load.value()));
        json.endObject();
    }
}
