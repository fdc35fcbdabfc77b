package dev.muster.cli.picture;

import dev.muster.cli.picture.Placement.Device;
import dev.muster.cli.picture.Placement.Group;
import dev.muster.cli.picture.Placement.Host;
import dev.muster.cli.render.Count;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Like devices in replicas, stages and sharers, on the hosts where their ranks lie. Of many devices one
/// replica is drawn, and of a large replica one stage: nobody reads a thousand boxes.
///
/// @param replicas replicas of the model
/// @param layersOfStage which layers each stage holds, for people
/// @param sharers devices of each stage of a replica
/// @param together sharers that share every matrix, of which one group is drawn where a stage has too
///     many
/// @param idle devices that hold nothing
/// @param perHost devices of each host
/// @param areCopiesNeighbours whether replicas of a stage follow each other, rather than stages of a replica
/// @param memory what each device holds
record MeshPlacement(
        int replicas,
        List<String> layersOfStage,
        int sharers,
        int together,
        int idle,
        int perHost,
        boolean areCopiesNeighbours,
        DeviceMemory memory) {
    /// So many boxes are read at a glance.
    static final int MOST_DRAWN = 32;

    MeshPlacement {
        layersOfStage = List.copyOf(layersOfStage);
    }

    /// @param notes how to read it
    Placement placement(List<String> notes) {
        Map<Integer, Map<String, List<Device>>> hosts = new TreeMap<>();
        for (int replica = 0; replica < drawnCopies(); replica++) {
            for (int stage = 0; stage < drawnStages(); stage++) {
                for (int sharer = 0; sharer < drawnSharers(); sharer++) {
                    add(hosts, rank(replica, stage, sharer), title(replica, stage), memory);
                }
            }
        }
        if (areIdleDrawn()) {
            for (int rank = devices(); rank < devices() + idle; rank++) {
                add(hosts, rank, "idle", DeviceMemory.empty(memory.capacity()));
            }
        }
        List<Host> drawn = new ArrayList<>();
        hosts.forEach((host, groups) -> {
            List<Group> inside = new ArrayList<>();
            groups.forEach((title, devices) -> inside.add(new Group(title, devices)));
            drawn.add(new Host(hasOneHost() ? "host" : "host " + host, inside));
        });
        List<String> all = new ArrayList<>(notes);
        all.addAll(leftOut());
        return new Placement(drawn, true, all);
    }

    private void add(Map<Integer, Map<String, List<Device>>> hosts, int rank, String title, DeviceMemory held) {
        List<String> lines = List.of(
                held.parts().isEmpty()
                        ? "nothing"
                        : DeviceMemory.gib(held.total()) + (held.fits() ? " used" : " needed"));
        hosts.computeIfAbsent(rank / perHost, _ -> new LinkedHashMap<>())
                .computeIfAbsent(title, _ -> new ArrayList<>())
                .add(new Device("device " + rank, lines, held));
    }

    private int stages() {
        return layersOfStage.size();
    }

    private int devices() {
        return replicas * stages() * sharers;
    }

    private boolean isAllDrawn() {
        return devices() <= MOST_DRAWN;
    }

    private boolean areIdleDrawn() {
        return devices() + idle <= MOST_DRAWN;
    }

    private boolean hasOneHost() {
        return devices() + idle <= perHost;
    }

    private int drawnCopies() {
        return isAllDrawn() ? replicas : 1;
    }

    private int drawnStages() {
        return stages() * sharers <= MOST_DRAWN ? stages() : 1;
    }

    private int drawnSharers() {
        return sharers <= MOST_DRAWN ? sharers : Math.min(together, MOST_DRAWN);
    }

    private int rank(int replica, int stage, int sharer) {
        int group = areCopiesNeighbours ? stage * replicas + replica : replica * stages() + stage;
        return group * sharers + sharer;
    }

    private String title(int replica, int stage) {
        String layers = layersOfStage.get(stage);
        String part = stages() == 1 ? layers : "stage " + stage + ": " + layers;
        return replicas == 1 ? part : "replica " + replica + ", " + part;
    }

    private List<String> leftOut() {
        List<String> notes = new ArrayList<>();
        if (!isAllDrawn()) {
            String drawn = drawnSharers() < sharers
                    ? "A group of " + drawnSharers() + " of the " + sharers + " devices of a stage"
                    : drawnStages() < stages() ? "One stage of one replica" : "One replica";
            notes.add(drawn + " is drawn"
                    + (drawnStages() < stages() ? ", x " + stages() + " stages" : "")
                    + (drawnCopies() < replicas ? ", x " + replicas + " replicas" : "")
                    + ": " + Count.of(devices(), "device") + " in all.");
        }
        if (idle > 0 && !areIdleDrawn()) {
            notes.add(Count.of(idle, "device") + " more hold nothing.");
        }
        return notes;
    }
}
