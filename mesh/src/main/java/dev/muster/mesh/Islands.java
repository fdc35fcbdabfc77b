// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Devices by what joins them fast: a fabric that they share, else their host. Islands stand in the
/// order of their first device; inside, devices of a host and of a NUMA node stand together.
record Islands(List<List<MeshDevice>> all) {
    private static final Comparator<MeshDevice> NEIGHBOURS =
            Comparator.comparingLong(device -> device.numaNode().find().orElse(Long.MAX_VALUE));

    static Islands of(List<MeshDevice> devices) {
        Map<String, Map<String, List<MeshDevice>>> islands = new LinkedHashMap<>();
        for (MeshDevice device : devices) {
            islands.computeIfAbsent(key(device), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(device.host(), _ -> new ArrayList<>())
                    .add(device);
        }
        List<List<MeshDevice>> sorted = new ArrayList<>();
        for (Map<String, List<MeshDevice>> hosts : islands.values()) {
            List<MeshDevice> island = new ArrayList<>();
            hosts.values().forEach(some -> some.stream().sorted(NEIGHBOURS).forEach(island::add));
            sorted.add(island);
        }
        return new Islands(sorted);
    }

    /// Returns the identity of an island.
    static String key(MeshDevice device) {
        return device.fabricDomain().find().map(domain -> "f:" + domain).orElse("h:" + device.host());
    }

    /// As many devices as the mesh has ranks, in the order in which its ranks talk. Each island gives
    /// whole groups of the dimension that talks most, if that suffices; else all that it has.
    Filling fill(MeshSpec byTalk) {
        int block = byTalk.dimensions().stream()
                .mapToInt(MeshDimension::size)
                .filter(size -> size > 1)
                .findFirst()
                .orElse(1);
        long whole = all.stream()
                .mapToLong(island -> island.size() / block * (long) block)
                .sum();
        int unit = whole >= byTalk.worldSize() ? block : 1;
        List<MeshDevice> taken = new ArrayList<>();
        List<MeshDevice> left = new ArrayList<>();
        for (List<MeshDevice> island : all) {
            int room = byTalk.worldSize() - taken.size();
            int given = Math.min(room, island.size() / unit * unit);
            taken.addAll(island.subList(0, given));
            left.addAll(island.subList(given, island.size()));
        }
        return new Filling(taken, left);
    }

    /// Reports whether a fabric joins the devices of a host, so that every link is as good as any other: ranks then
    /// keep the order of devices, which people expect and which other programs assume.
    ///
    /// @param placed the device of each rank
    /// @param devices all of them, in their own order
    static List<MeshDevice> inDeviceOrder(List<MeshDevice> placed, List<MeshDevice> devices) {
        IdentityHashMap<MeshDevice, Integer> positions = new IdentityHashMap<>();
        devices.forEach(device -> positions.put(device, positions.size()));
        Map<List<String>, List<Integer>> ranksOfFabric = new LinkedHashMap<>();
        for (int rank = 0; rank < placed.size(); rank++) {
            MeshDevice device = placed.get(rank);
            if (device.fabricDomain().find().isPresent()) {
                ranksOfFabric
                        .computeIfAbsent(List.of(key(device), device.host()), _ -> new ArrayList<>())
                        .add(rank);
            }
        }
        List<MeshDevice> ordered = new ArrayList<>(placed);
        for (List<Integer> ranks : ranksOfFabric.values()) {
            List<MeshDevice> sorted = ranks.stream()
                    .map(placed::get)
                    .sorted(Comparator.comparing(positions::get))
                    .toList();
            for (int i = 0; i < sorted.size(); i++) {
                ordered.set(ranks.get(i), sorted.get(i));
            }
        }
        return ordered;
    }

    /// Devices in the order in which ranks talk, and devices that are left over.
    record Filling(List<MeshDevice> taken, List<MeshDevice> left) {}
}
