// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A registry as what sets it apart from another: hosts of one kind differ in a UUID and a temperature, not in
/// what they are, and a thousand of them need not say a thousand times what an H100 is. Thread-safe: nothing is
/// kept between calls.
final class RegistryChanges {
    private static final String AVAILABLE = "available";
    private static final JsonKeys ROOT = JsonKeys.of("observedAt", "devices");
    /// The facts by their number, and behind them whether the device can be used.
    private static final JsonKeys DEVICE = deviceKeys();

    private RegistryChanges() {}

    private static JsonKeys deviceKeys() {
        List<String> names = new ArrayList<>();
        DeviceFact.all().forEach(fact -> names.add(fact.key()));
        names.add(AVAILABLE);
        return JsonKeys.of(names);
    }

    /// The changes of a registry as a JSON object on one line. Empty if they cannot be expressed: the two have
    /// other devices, another system around them, or know a fact from elsewhere.
    static Optional<String> write(AcceleratorRegistry base, AcceleratorRegistry registry) {
        if (!isAlike(base, registry)) {
            return Optional.empty();
        }
        JsonWriter json = new JsonWriter(false);
        json.beginObject();
        if (!registry.observedAt().equals(base.observedAt())) {
            registry.observedAt()
                    .find()
                    .ifPresent(time -> json.key("observedAt").string(TimeText.of(time)));
        }
        if (!registry.profiles().equals(base.profiles())) {
            RegistryWriter values = new RegistryWriter(json);
            json.key("devices").beginArray();
            for (int i = 0; i < registry.profiles().size(); i++) {
                write(base.profiles().get(i), registry.profiles().get(i), json, values);
            }
            json.endArray();
        }
        json.endObject();
        return Optional.of(json.toString());
    }

    private static void write(
            AcceleratorProfile base, AcceleratorProfile device, JsonWriter json, RegistryWriter values) {
        json.beginObject();
        for (DeviceFact<?> fact : DeviceFact.all()) {
            Reading<?> reading = device.reading(fact);
            if (!reading.equals(base.reading(fact))) {
                reading.find().ifPresent(value -> {
                    json.key(fact.key());
                    values.writeValue(FactType.of(fact), value);
                });
            }
        }
        if (device.available() != base.available()) {
            json.key(AVAILABLE).bool(device.available());
        }
        DeviceUsability usability = DeviceUsability.of(device);
        if (!usability.equals(DeviceUsability.of(base))) {
            values.write(usability);
        }
        json.endObject();
    }

    private static boolean isAlike(AcceleratorRegistry base, AcceleratorRegistry registry) {
        if (base.referenceSchema() != registry.referenceSchema()
                || base.profiles().size() != registry.profiles().size()
                || !isAlike(base.observedAt(), registry.observedAt())) {
            return false;
        }
        for (int i = 0; i < registry.profiles().size(); i++) {
            if (!isAlike(base.profiles().get(i), registry.profiles().get(i))) {
                return false;
            }
        }
        return base.gaps().equals(registry.gaps())
                && base.systemIo().equals(registry.systemIo())
                && base.topology().equals(registry.topology());
    }

    private static boolean isAlike(AcceleratorProfile base, AcceleratorProfile device) {
        if (!base.accelerator().equals(device.accelerator())
                || !base.partition().equals(device.partition())) {
            return false;
        }
        for (DeviceFact<?> fact : DeviceFact.all()) {
            if (!isAlike(base.reading(fact), device.reading(fact))) {
                return false;
            }
        }
        return true;
    }

    /// Reports whether two readings are the same, or tell other values from the same source.
    private static boolean isAlike(Reading<?> base, Reading<?> reading) {
        return reading.equals(base)
                || (reading instanceof Reading.Known<?> now
                        && base instanceof Reading.Known<?> before
                        && now.provenance().equals(before.provenance()));
    }

    /// The registry that a text sets apart from another.
    ///
    /// @throws DocumentException if the text says no such thing
    static AcceleratorRegistry read(AcceleratorRegistry base, byte[] utf8) {
        JsonReader json = JsonReader.of(utf8);
        Reading<Instant> time = base.observedAt();
        List<AcceleratorProfile> devices = base.profiles();
        json.beginObject();
        int key = json.nextKey(ROOT, 0);
        while (key != JsonReader.END) {
            if (key == 0) {
                time = Reading.known(RegistryReader.readTime(json), provenance(base.observedAt(), json));
            } else if (key == 1) {
                devices = readDevices(base.profiles(), json);
            } else {
                json.skipValue();
            }
            key = json.nextKey(ROOT, 0);
        }
        json.requireEnd();
        return new AcceleratorRegistry(
                base.referenceSchema(), devices, base.gaps(), base.systemIo(), base.topology(), time);
    }

    private static List<AcceleratorProfile> readDevices(List<AcceleratorProfile> base, JsonReader json) {
        DeviceReader values = new DeviceReader(json, List.of());
        List<AcceleratorProfile> devices = new ArrayList<>(base.size());
        json.beginArray();
        while (json.nextItem()) {
            if (devices.size() == base.size()) {
                throw json.error(WRONG_VALUE, "there are more devices than the " + base.size() + " of the registry");
            }
            devices.add(readDevice(base.get(devices.size()), json, values));
        }
        devices.addAll(base.subList(devices.size(), base.size()));
        return devices;
    }

    private static AcceleratorProfile readDevice(AcceleratorProfile base, JsonReader json, DeviceReader values) {
        AcceleratorProfile.ProfileBuilder device = base.toBuilder();
        List<DeviceFact<?>> facts = DeviceFact.all();
        json.beginObject();
        int key = json.nextKey(DEVICE, 0);
        while (key != JsonReader.END) {
            if (key == JsonReader.UNKNOWN) {
                json.skipValue();
            } else if (key == facts.size()) {
                device.available(json.nextBoolean());
            } else {
                set(device, facts.get(key), base, values);
            }
            key = json.nextKey(DEVICE, Math.max(0, key + 1));
        }
        return device.build();
    }

    private static <T> void set(
            AcceleratorProfile.ProfileBuilder device,
            DeviceFact<T> fact,
            AcceleratorProfile base,
            DeviceReader values) {
        Provenance source = provenance(base.reading(fact), values.json());
        device.with(fact, Reading.known(values.readValue(fact), source));
    }

    private static Provenance provenance(Reading<?> base, JsonReader json) {
        if (base instanceof Reading.Known<?> known) {
            return known.provenance();
        }
        throw json.error(WRONG_VALUE, "'" + json.shownKey() + "' is not known in the registry that this one is like");
    }
}
