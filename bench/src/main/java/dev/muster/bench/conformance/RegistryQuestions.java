// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.SystemIo;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.json.ReferenceDocument;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/// Questions about whole registries.
final class RegistryQuestions {
    private RegistryQuestions() {}

    static JsonValue registry(JsonValue input) {
        AcceleratorRegistry registry = readRegistry(input);
        List<AcceleratorProfile> profiles = registry.profiles();
        Map<String, JsonValue> byFamily = new LinkedHashMap<>();
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            byFamily.put(family.referenceName(), indexes(profiles, registry.byFamily(family)));
        }
        return Json.object(
                "schema_version",
                registry.referenceSchema(),
                "best_index",
                registry.findBest().map(best -> indexOf(profiles, best)),
                "best_display",
                registry.findBest().map(AcceleratorProfile::display),
                "available",
                indexes(profiles, registry.available()),
                "by_family",
                new JsonObject(byFamily),
                "total_memory",
                registry.totalMemory(),
                "total_accelerator_memory",
                registry.totalAcceleratorMemory(),
                "has_accelerator",
                registry.hasAccelerator(),
                "json_text",
                ReferenceDocument.write(registry));
    }

    static JsonValue pretty(JsonValue input) {
        return new JsonString(ReferenceDocument.writeIndented(readRegistry(input)));
    }

    static JsonValue fromJson(JsonValue input) {
        try {
            AcceleratorRegistry registry = ReferenceDocument.read(input.requireText("text"));
            return Json.object("ok", true, "json_text", ReferenceDocument.write(registry));
        } catch (DocumentException e) {
            return Json.object("ok", false, "error", String.valueOf(e.getMessage()));
        }
    }

    /// Messages are our own; everything else must be the same.
    static boolean isSameReading(JsonValue expected, JsonValue actual) {
        boolean sameOutcome = Json.isSame(expected.require("ok"), actual.require("ok"));
        return sameOutcome && expected.find("json_text").equals(actual.find("json_text"));
    }

    static JsonValue requirement(JsonValue input) {
        AcceleratorRegistry registry = readRegistry(input);
        AcceleratorRequirement requirement = ReferenceDocument.readRequirement(Json.document(input, "requirement"));
        return indexes(registry.profiles(), registry.satisfying(requirement));
    }

    static JsonValue whatIf(JsonValue input) {
        AcceleratorRegistry registry = readRegistry(input);
        AcceleratorRegistry changed = switch (input.requireText("op")) {
            case "add" -> registry.whatIfAdd(readProfiles(input));
            case "replace" -> registry.whatIfReplace(readProfiles(input));
            case "remove" -> registry.whatIfRemove(indexedProfiles(registry, input)::contains);
            default -> throw new IllegalArgumentException("no such operation");
        };
        boolean cpuAppended = isCpuAppended(registry, changed, input);
        JsonValue json = JsonValue.parse(ReferenceDocument.write(changed));
        return Json.object(
                "registry", cpuAppended ? withUnknownLastMemory(json) : json, "host_cpu_appended", cpuAppended);
    }

    static JsonValue systemIo(JsonValue input) {
        SystemIo io = ReferenceDocument.readSystemIo(Json.document(input, "system_io"));
        JsonNumber dataset = (JsonNumber) input.require("dataset_bytes");
        OptionalDouble seconds = io.estimateIngestionSeconds(
                new Bytes(dataset.toDecimal().toBigInteger().longValue()));
        return Json.object(
                "has_interconnect",
                io.hasInterconnect(),
                "total_interconnect_bandwidth_gbps",
                io.totalInterconnectBandwidth().gigabytesPerSecond(),
                "ingestion_secs",
                seconds.isPresent() ? JsonNumber.of(seconds.getAsDouble()) : new JsonNull(),
                "json",
                JsonValue.parse(ReferenceDocument.write(io)));
    }

    private static AcceleratorRegistry readRegistry(JsonValue input) {
        return ReferenceDocument.read(Json.document(input, "registry"));
    }

    private static List<AcceleratorProfile> readProfiles(JsonValue input) {
        return input.requireItems("profiles").stream()
                .map(profile -> ReferenceDocument.readProfile(profile.toText()))
                .toList();
    }

    /// By identity: equal profiles at other places stay.
    private static Set<AcceleratorProfile> indexedProfiles(AcceleratorRegistry registry, JsonValue input) {
        Set<AcceleratorProfile> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        for (JsonValue index : input.requireItems("indexes")) {
            gone.add(registry.profiles().get((int) Json.number(index)));
        }
        return gone;
    }

    private static boolean isCpuAppended(AcceleratorRegistry before, AcceleratorRegistry after, JsonValue input) {
        if (!input.requireText("op").equals("remove")) {
            return false;
        }
        Set<AcceleratorProfile> gone = indexedProfiles(before, input);
        return before.profiles().stream()
                        .filter(profile -> !gone.contains(profile))
                        .noneMatch(profile -> profile.accelerator().kind() == AcceleratorKind.CPU)
                && after.profiles().getLast().accelerator().kind() == AcceleratorKind.CPU;
    }

    /// The recorded host's memory is not ours to know.
    private static JsonValue withUnknownLastMemory(JsonValue registry) {
        List<JsonValue> profiles = new ArrayList<>(registry.requireItems("profiles"));
        JsonObject last = (JsonObject) profiles.removeLast();
        profiles.add(with(last, "memory_bytes", new JsonNull()));
        return with((JsonObject) registry, "profiles", new JsonArray(profiles));
    }

    private static JsonObject with(JsonObject object, String name, JsonValue value) {
        Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
        members.put(name, value);
        return new JsonObject(members);
    }

    private static JsonValue indexes(List<AcceleratorProfile> all, List<AcceleratorProfile> some) {
        return Json.value(some.stream().map(profile -> indexOf(all, profile)).toList());
    }

    @SuppressWarnings("ReferenceEquality") // equal devices may stand at several places
    private static int indexOf(List<AcceleratorProfile> all, AcceleratorProfile wanted) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) == wanted) {
                return i;
            }
        }
        throw new IllegalArgumentException("not in the registry: " + wanted);
    }
}
