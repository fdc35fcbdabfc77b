// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.report.picture.Frames.Group;
import dev.muster.report.picture.Frames.Host;
import dev.muster.report.picture.Placement.Device;
import dev.muster.report.text.Count;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Identical devices in replicas, stages and members of stages, on the hosts of their ranks. Of many devices one
/// replica is drawn, and of a large replica each stage as one box: a thousand boxes cannot be read.
///
/// @param replicas replicas of the model
/// @param layersOfStage layers of each stage, as text
/// @param members devices of each stage of a replica
/// @param idle number of unused devices
/// @param perHost devices of each host
/// @param areReplicasNeighbours true if replicas of a stage follow each other, rather than stages of a replica
/// @param memory memory of each device
/// @param names ids of the devices, in the order of their ranks; empty if they have none of their own
record MeshPlacement(
        int replicas,
        List<String> layersOfStage,
        int members,
        int idle,
        int perHost,
        boolean areReplicasNeighbours,
        DeviceMemory memory,
        List<String> names) {
    /// The largest number of boxes that are easy to read.
    static final int MOST_DRAWN = 32;

    MeshPlacement {
        layersOfStage = List.copyOf(layersOfStage);
        names = List.copyOf(names);
    }

    /// @param notes explanations for readers
    Placement placement(List<String> notes) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(leftOut());
        return new Placement(stages() * members <= MOST_DRAWN ? hosts() : List.of(folded()), true, all);
    }

    /// Returns each device that is drawn, on its host.
    private List<Host<Device>> hosts() {
        Map<Integer, Map<String, List<Device>>> hosts = new TreeMap<>();
        for (int replica = 0; replica < drawnReplicas(); replica++) {
            for (int stage = 0; stage < stages(); stage++) {
                for (int member = 0; member < members; member++) {
                    add(hosts, rank(replica, stage) + member, title(replica, stage), memory);
                }
            }
        }
        if (areIdleDrawn()) {
            for (int rank = devices(); rank < devices() + idle; rank++) {
                add(hosts, rank, "idle", DeviceMemory.empty(memory.capacity()));
            }
        }
        List<Host<Device>> drawn = new ArrayList<>();
        hosts.forEach((host, groups) -> {
            List<Group<Device>> inside = new ArrayList<>();
            groups.forEach((title, devices) -> inside.add(new Group<>(title, devices)));
            drawn.add(new Host<>(hasOneHost() ? "host" : "host " + host, inside));
        });
        return drawn;
    }

    private void add(Map<Integer, Map<String, List<Device>>> hosts, int rank, String title, DeviceMemory held) {
        hosts.computeIfAbsent(rank / perHost, _ -> new LinkedHashMap<>())
                .computeIfAbsent(title, _ -> new ArrayList<>())
                .add(new Device(name(rank), List.of(figure(held)), held));
    }

    /// Returns the name of a rank's device; hosts that are counted several times have the same ids each.
    private String name(int rank) {
        return areNamed() ? names.get(rank) : "device " + rank;
    }

    private boolean areNamed() {
        return names.size() >= devices() + idle;
    }

    private static String figure(DeviceMemory held) {
        return held.parts().isEmpty()
                ? "nothing"
                : Quantity.ofBytes(held.total()) + (held.fits() ? " used" : " needed");
    }

    /// Returns one replica with a box for each stage; of very many stages the first and the last.
    private Host<Device> folded() {
        int left = Math.max(0, stages() - MOST_DRAWN);
        List<Group<Device>> groups = new ArrayList<>();
        for (int stage = 0; stage < stages(); stage++) {
            boolean isLeftOut = left > 0 && stage >= MOST_DRAWN / 2 && stage < MOST_DRAWN / 2 + left;
            if (!isLeftOut) {
                int first = rank(0, stage);
                int last = first + members - 1;
                String name = members == 1
                        ? name(first)
                        : areNamed() ? name(first) + " to " + name(last) : "devices " + first + " to " + last;
                String each = figure(memory) + (members == 1 ? "" : " each");
                groups.add(new Group<>(part(stage), List.of(new Device(name, List.of(each), memory))));
            }
        }
        return new Host<>(replicas == 1 ? "one replica" : "replica 0", groups);
    }

    private int stages() {
        return layersOfStage.size();
    }

    private int devices() {
        return replicas * stages() * members;
    }

    private boolean areIdleDrawn() {
        return devices() + idle <= MOST_DRAWN;
    }

    private boolean hasOneHost() {
        return devices() + idle <= perHost;
    }

    private int drawnReplicas() {
        return devices() <= MOST_DRAWN ? replicas : 1;
    }

    /// Returns the first device of a stage.
    private int rank(int replica, int stage) {
        int group = areReplicasNeighbours ? stage * replicas + replica : replica * stages() + stage;
        return group * members;
    }

    private String part(int stage) {
        return stages() == 1 ? layersOfStage.get(stage) : "stage " + stage + ": " + layersOfStage.get(stage);
    }

    private String title(int replica, int stage) {
        return replicas == 1 ? part(stage) : "replica " + replica + ", " + part(stage);
    }

    private List<String> leftOut() {
        List<String> notes = new ArrayList<>();
        if (devices() > MOST_DRAWN) {
            String drawn = drawnReplicas() < replicas ? "One of " + replicas + " replicas is drawn" : "";
            String stage = stages() > MOST_DRAWN ? "each of the first and last stages" : "each stage";
            String fold = stages() * members <= MOST_DRAWN ? "" : stage + " is one box";
            String joint = drawn.isEmpty() || fold.isEmpty() ? "" : ", ";
            String what = drawn + joint + (drawn.isEmpty() ? capital(fold) : fold);
            notes.add(what + ": " + Count.of(devices(), "device") + " in all.");
        }
        if (idle > 0 && !areIdleDrawn()) {
            notes.add(Count.of(idle, "device") + " more " + (idle == 1 ? "holds" : "hold") + " nothing.");
        }
        return notes;
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
