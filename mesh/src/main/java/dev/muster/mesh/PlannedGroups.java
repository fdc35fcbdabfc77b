// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The groups of a mesh in the order of its plan: `world`, families, then those that were added. Lists
/// compute their elements when they are asked for.
///
/// @param worldSize number of ranks
/// @param worldBackend backend of `world`
/// @param families groups along dimensions
/// @param added groups that were added
record PlannedGroups(int worldSize, GroupBackend worldBackend, List<GroupFamily> families, List<MeshGroup> added) {
    PlannedGroups {
        families = List.copyOf(families);
        added = List.copyOf(added);
    }

    PlannedGroups with(MeshGroup group) {
        List<MeshGroup> more = new ArrayList<>(added);
        more.add(group);
        return new PlannedGroups(worldSize, worldBackend, families, more);
    }

    PlannedGroups withFamilies(List<GroupFamily> changed) {
        return new PlannedGroups(worldSize, worldBackend, changed, added);
    }

    MeshGroup world() {
        return new MeshGroup(DeviceMesh.WORLD, RankSequence.range(0, worldSize), worldBackend);
    }

    long count() {
        return 1 + families.stream().mapToLong(GroupFamily::count).sum() + added.size();
    }

    Optional<MeshGroup> find(String name) {
        if (name.equals(DeviceMesh.WORLD)) {
            return Optional.of(world());
        }
        for (GroupFamily family : families) {
            Optional<MeshGroup> found = family.find(name);
            if (found.isPresent()) {
                return found;
            }
        }
        return added.stream().filter(group -> group.name().equals(name)).findFirst();
    }

    /// All groups.
    List<MeshGroup> list() {
        List<List<MeshGroup>> parts = new ArrayList<>();
        parts.add(List.of(world()));
        families.forEach(family -> parts.add(family.groups()));
        parts.add(added);
        // As collections have it: more elements than an int can count are as many as it can.
        int size = (int) Math.min(Integer.MAX_VALUE, count());
        return new AbstractList<>() {
            @Override
            public MeshGroup get(int index) {
                int rest = index;
                for (List<MeshGroup> part : parts) {
                    if (rest < part.size()) {
                        return part.get(rest);
                    }
                    rest -= part.size();
                }
                throw new IndexOutOfBoundsException(index);
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    /// The names of all groups.
    List<String> names() {
        List<MeshGroup> groups = list();
        return new AbstractList<>() {
            @Override
            public String get(int index) {
                return groups.get(index).name();
            }

            @Override
            public int size() {
                return groups.size();
            }
        };
    }

    /// Adds what tells these groups from others.
    void describe(StringBuilder text) {
        text.append(worldBackend.text()).append('\n');
        for (GroupFamily family : families) {
            text.append(family.group(0).name()).append(' ');
            text.append(family).append(' ').append(family.dimensions()).append(' ');
            text.append(family.backend().text()).append('\n');
        }
        for (MeshGroup group : added) {
            text.append(group.name().length()).append(' ').append(group.name()).append(' ');
            text.append(group.backend().text());
            group.ranks().stream().forEach(member -> text.append(' ').append(member));
            text.append('\n');
        }
    }
}
