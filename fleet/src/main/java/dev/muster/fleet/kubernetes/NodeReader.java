// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static dev.muster.fleet.json.JsonFields.isTrue;
import static dev.muster.fleet.json.JsonFields.items;
import static dev.muster.fleet.json.JsonFields.members;
import static dev.muster.fleet.json.JsonFields.plain;
import static dev.muster.fleet.json.JsonFields.text;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/// Reads Node objects. Safe to share between threads.
final class NodeReader {
    private static final int MAX_LABEL = 256;
    private static final int MAX_LABELS = 256;
    private static final int MAX_TAINTS = 64;
    /// Labels repeat on thousands of nodes; so many different texts are kept once.
    private static final int MAX_SHARED_TEXTS = 50_000;

    private final Provenance provenance;
    private final NodeDevices devices;
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    NodeReader(Provenance provenance) {
        this.provenance = provenance;
        this.devices = new NodeDevices(provenance);
    }

    /// The record of a Node; empty if it has no name.
    Optional<NodeRecord> read(JsonValue node) {
        String name = text(node, "metadata", "name");
        if (name.isBlank()) {
            return Optional.empty();
        }
        Map<String, String> labels = labels(node);
        Map<String, String> aboutDevices = new HashMap<>();
        labels.forEach((key, value) -> {
            if (NodeLabels.isAboutDevices(key)) {
                aboutDevices.put(key, value);
            }
        });
        NodeOffer offer = new NodeOffer(
                counts(node, "capacity", aboutDevices), counts(node, "allocatable", new HashMap<>()), aboutDevices);
        Map<String, String> kept = new HashMap<>(offer.labels());
        labels.forEach((key, value) -> {
            if (NodeLabels.isAboutPlaces(key)) {
                kept.put(key, value);
            }
        });
        return Optional.of(new NodeRecord(
                name,
                state(node),
                devices(node, offer),
                NodeDevices.coresOfDevice(offer),
                NodeLabels.domains(labels),
                taints(node),
                Map.copyOf(kept)));
    }

    private List<AcceleratorProfile> devices(JsonValue node, NodeOffer offer) {
        List<AcceleratorProfile> told = devices.list(offer);
        List<AcceleratorProfile> shared =
                HamiNode.devices(text(node, "metadata", "annotations", HamiNode.ANNOTATION), provenance);
        if (shared.isEmpty()) {
            return told;
        }
        List<AcceleratorProfile> all = new ArrayList<>(shared);
        told.stream()
                .filter(device -> device.accelerator().kind() != AcceleratorKind.CUDA_GPU)
                .forEach(all::add);
        return List.copyOf(all);
    }

    private Map<String, String> labels(JsonValue node) {
        Map<String, String> labels = new HashMap<>();
        members(node, "metadata", "labels").forEach((key, value) -> {
            String text = plain(value);
            boolean worth = NodeLabels.isAboutDevices(key)
                    || NodeLabels.isAboutPlaces(key)
                    || key.startsWith("failure-domain.beta.kubernetes.io/");
            if (worth && key.length() <= MAX_LABEL && text.length() <= MAX_LABEL && labels.size() < MAX_LABELS) {
                labels.put(shared(key), shared(text));
            }
        });
        // An older name of the same label.
        String older = text(node, "metadata", "labels", "beta.kubernetes.io/instance-type");
        if (!older.isEmpty() && older.length() <= MAX_LABEL) {
            labels.putIfAbsent("node.kubernetes.io/instance-type", shared(older));
        }
        return labels;
    }

    /// Devices by resource. What shares them out in other measures, such as memory of GPUs, is kept among the
    /// labels.
    private Map<String, Long> counts(JsonValue node, String list, Map<String, String> labels) {
        Map<String, Long> counts = new HashMap<>();
        members(node, "status", list).forEach((name, value) -> {
            OptionalLong count = Quantity.find(plain(value));
            if (name.indexOf('/') < 0 || count.isEmpty()) {
                return;
            }
            if (DeviceResource.find(name).isPresent()) {
                counts.put(shared(name), count.getAsLong());
            } else if (NodeLabels.isAboutDevices(name) && labels.size() < MAX_LABELS) {
                labels.putIfAbsent(shared(name), shared(plain(value)));
            }
        });
        return counts;
    }

    /// In the words of `kubectl get nodes`.
    private static HostState state(JsonValue node) {
        boolean cordoned = isTrue(node, "spec", "unschedulable");
        String suffix = cordoned ? ",SchedulingDisabled" : "";
        for (JsonValue condition : items(node, "status", "conditions")) {
            if (text(condition, "type").equals("Ready")) {
                if (!text(condition, "status").equals("True")) {
                    return new HostState(HostState.HostStateKind.DOWN, "NotReady" + suffix, text(condition, "message"));
                }
                return new HostState(
                        cordoned ? HostState.HostStateKind.DRAINING : HostState.HostStateKind.READY,
                        "Ready" + suffix,
                        cordoned ? "cordoned" : "");
            }
        }
        return cordoned
                ? new HostState(HostState.HostStateKind.DRAINING, "Unknown" + suffix, "cordoned")
                : HostState.UNKNOWN;
    }

    private List<Restriction> taints(JsonValue node) {
        List<Restriction> taints = new ArrayList<>();
        for (JsonValue taint : items(node, "spec", "taints")) {
            String value = text(taint, "value");
            if (taints.size() < MAX_TAINTS && !text(taint, "key").isBlank()) {
                taints.add(new Restriction(
                        Restriction.RestrictionKind.TAINT,
                        shared(text(taint, "key")),
                        shared((value.isEmpty() ? "" : value + ":") + text(taint, "effect"))));
            }
        }
        return List.copyOf(taints);
    }

    private String shared(String text) {
        if (texts.size() >= MAX_SHARED_TEXTS) {
            return texts.getOrDefault(text, text);
        }
        String known = texts.putIfAbsent(text, text);
        return known == null ? text : known;
    }
}
