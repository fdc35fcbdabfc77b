// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.core.unit.Bytes;
import dev.muster.mesh.MeshPlacement.PlacementFit;
import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Devices arranged in named dimensions, the groups that follow from it, and one rank's view of both.
/// Immutable: every change gives a new mesh. It does not communicate; communicators are attached
/// where the mesh runs.
///
/// Groups are listed in the order of the plan, which is the same on all ranks: `world`, then the groups
/// of each family, then those that were added.
///
/// @since 0.1
public final class DeviceMesh {
    /// The group of all ranks.
    public static final String WORLD = "world";

    private final MeshTopology topology;
    private final MeshSpec spec;
    private final int worldSize;
    private final int rank;
    /// One for each rank, or none at all where devices are not known yet.
    private final List<MeshDevice> devices;
    private final PlannedGroups groups;

    private DeviceMesh(
            MeshTopology topology,
            MeshSpec spec,
            int worldSize,
            int rank,
            List<MeshDevice> devices,
            PlannedGroups groups) {
        this.topology = topology;
        this.spec = spec;
        this.worldSize = worldSize;
        this.rank = requireRank(rank, worldSize);
        this.devices = devices;
        this.groups = groups;
    }

    /// A mesh of devices that all hold the same, with the group `world` alone, seen by rank 0. Rank `i`
    /// has device `i`.
    ///
    /// @throws MeshPlanException without a device
    public static DeviceMesh of(List<MeshDevice> devices) {
        return of(devices, 0, GroupBackend.MOCK);
    }

    /// A mesh of devices that all hold the same, with the group `world` alone.
    ///
    /// @param rank rank that sees it
    /// @param backend backend of `world`
    /// @throws MeshPlanException without a device, or the rank lies outside
    public static DeviceMesh of(List<MeshDevice> devices, int rank, GroupBackend backend) {
        MeshTopology topology = MeshTopology.dataParallel();
        MeshSpec spec = topology.spec(devices.size());
        PlannedGroups groups = new PlannedGroups(devices.size(), backend, List.of(), List.of());
        return new DeviceMesh(topology, spec, devices.size(), rank, List.copyOf(devices), groups);
    }

    /// A mesh in which every device has its place, seen by rank 0.
    ///
    /// @throws MeshPlanException if there are too few devices or too many
    public static DeviceMesh withTopology(List<MeshDevice> devices, MeshTopology topology) {
        return withTopology(devices, topology, PlacementFit.EXACT);
    }

    /// A mesh of a topology, seen by rank 0.
    ///
    /// @throws MeshPlanException if there are too few devices, or some are left over that may not be
    public static DeviceMesh withTopology(List<MeshDevice> devices, MeshTopology topology, PlacementFit fit) {
        return plan(List.copyOf(devices), devices.size(), 0, topology, fit);
    }

    /// A mesh whose devices are not known yet, seen by rank 0: as many ranks as the shape has.
    public static DeviceMesh planned(MeshSpec spec) {
        return plan(List.of(), spec.worldSize(), 0, MeshTopology.of(spec), PlacementFit.EXACT);
    }

    private static DeviceMesh plan(
            List<MeshDevice> devices, int worldSize, int rank, MeshTopology topology, PlacementFit fit) {
        MeshSpec spec = topology.spec(worldSize);
        if (spec.worldSize() < worldSize && fit == PlacementFit.EXACT) {
            throw new MeshPlanException(
                    MeshPlanError.SURPLUS_DEVICES,
                    "Mesh " + spec + " fills " + spec.worldSize() + " of " + worldSize
                            + " devices; change the sizes, or allow that ranks from " + spec.worldSize()
                            + " on are idle");
        }
        List<GroupFamily> families = GroupFamilies.of(topology, spec);
        PlannedGroups groups = new PlannedGroups(worldSize, GroupBackend.MOCK, families, List.of());
        return new DeviceMesh(topology, spec, worldSize, rank, devices, groups);
    }

    /// Returns the arrangement by which the devices share the work.
    public MeshTopology topology() {
        return topology;
    }

    /// The shape.
    public MeshSpec spec() {
        return spec;
    }

    /// Returns the number of ranks, idle ones included.
    public int worldSize() {
        return worldSize;
    }

    /// Returns the rank that sees the mesh.
    public int rank() {
        return rank;
    }

    /// The mesh as another rank sees it.
    ///
    /// @throws MeshPlanException if the rank does not exist
    public DeviceMesh withRank(int newRank) {
        return new DeviceMesh(topology, spec, worldSize, newRank, devices, groups);
    }

    /// Ranks without a place in the shape; nothing if every rank has one.
    public Optional<RankSequence> findIdleRanks() {
        int idle = worldSize - spec.worldSize();
        return idle == 0 ? Optional.empty() : Optional.of(RankSequence.range(spec.worldSize(), idle));
    }

    /// Reports whether this rank has no place in the shape.
    public boolean isIdle() {
        return rank >= spec.worldSize();
    }

    /// The devices, one for each rank; none where they are not known yet.
    public List<MeshDevice> devices() {
        return devices;
    }

    /// The device of a rank.
    public Optional<MeshDevice> findDevice(int ofRank) {
        return ofRank >= 0 && ofRank < devices.size() ? Optional.of(devices.get(ofRank)) : Optional.empty();
    }

    /// The device of this rank.
    public Optional<MeshDevice> findLocalDevice() {
        return findDevice(rank);
    }

    /// The devices that a backend drives.
    public List<MeshDevice> devicesByBackend(DeviceBackend backend) {
        return devices.stream()
                .filter(device -> device.backend().equals(backend))
                .toList();
    }

    /// The devices of a group's ranks, as far as they are known.
    ///
    /// @throws MeshPlanException if the group does not exist
    public List<MeshDevice> devicesInGroup(String name) {
        return requireGroup(name).ranks().stream()
                .mapToObj(this::findDevice)
                .flatMap(Optional::stream)
                .toList();
    }

    /// Adds a group.
    ///
    /// @throws MeshPlanException if its name is taken, or a rank lies outside
    public DeviceMesh withGroup(MeshGroup group) {
        if (group.ranks().largest() >= worldSize) {
            throw new MeshPlanException(
                    MeshPlanError.RANK_OUT_OF_BOUNDS, "Rank " + group.ranks().largest() + " out of bounds");
        }
        if (findGroup(group.name()).isPresent()) {
            throw new MeshPlanException(
                    MeshPlanError.BAD_NAME, "Group '" + group.name() + "' already exists; choose another name");
        }
        return withGroups(groups.with(group));
    }

    /// Adds a group of those ranks.
    ///
    /// @throws MeshPlanException if its name is taken, a rank lies outside or stands there twice, or
    ///     there is none
    public DeviceMesh withGroup(String name, Collection<Integer> ranks, GroupBackend backend) {
        return withGroup(new MeshGroup(name, RankSequence.of(ranks), backend));
    }

    /// Adds the groups along some dimensions together, `tp-pp_0` and so on; what is listed already stays
    /// as it is.
    ///
    /// @throws MeshPlanException if the dimension does not exist, or an added group has one of their names
    public DeviceMesh withGroupsAlong(String... names) {
        GroupFamily family = spec.along(names);
        if (groups.families().stream().anyMatch(one -> one.label().equals(family.label()))) {
            return this;
        }
        for (MeshGroup group : groups.added()) {
            if (family.find(group.name()).isPresent()) {
                throw new MeshPlanException(MeshPlanError.BAD_NAME, "Group '" + group.name() + "' already exists");
            }
        }
        return withGroups(groups.withFamilies(GroupFamilies.append(groups.families(), family)));
    }

    /// The mesh with the messages of `world` and of all families carried by one backend.
    public DeviceMesh withBackend(GroupBackend backend) {
        return withGroups(new PlannedGroups(
                worldSize,
                backend,
                groups.families().stream()
                        .map(family -> family.withBackend(backend))
                        .toList(),
                groups.added()));
    }

    /// The mesh with the messages of one family carried by another backend.
    ///
    /// @param label such as `dp` or `tp-pp`
    /// @throws MeshPlanException if the family does not exist
    public DeviceMesh withBackend(String label, GroupBackend backend) {
        if (groups.families().stream().noneMatch(family -> family.label().equals(label))) {
            throw GroupFamily.notFound(label);
        }
        return withGroups(groups.withFamilies(groups.families().stream()
                .map(family -> family.label().equals(label) ? family.withBackend(backend) : family)
                .toList()));
    }

    private DeviceMesh withGroups(PlannedGroups changed) {
        return new DeviceMesh(topology, spec, worldSize, rank, devices, changed);
    }

    /// The families of groups in the order of the plan.
    public List<GroupFamily> families() {
        return groups.families();
    }

    /// Returns the number of groups that the plan lists.
    public long groupCount() {
        return groups.count();
    }

    /// The groups in the order of the plan, as a list that computes them when they are asked for.
    public List<MeshGroup> groups() {
        return groups.list();
    }

    /// The names of the groups in the order of the plan, as a list that computes them when they are
    /// asked for.
    public List<String> groupNames() {
        return groups.names();
    }

    /// The groups that this rank belongs to, in the order of the plan.
    public List<MeshGroup> ownGroups() {
        List<MeshGroup> own = new ArrayList<>(List.of(groups.world()));
        if (!isIdle()) {
            groups.families().forEach(family -> own.add(family.groupOf(rank)));
        }
        groups.added().stream().filter(group -> group.contains(rank)).forEach(own::add);
        return own;
    }

    /// The group of this rank along some dimensions; along all of them it is `world`.
    ///
    /// @throws MeshPlanException if a dimension does not exist, the plan has no such groups, or this rank is idle
    public MeshGroup ownGroup(String... dimensions) {
        GroupFamily along = spec.along(dimensions);
        if (isIdle()) {
            throw new MeshPlanException(
                    MeshPlanError.GROUP_NOT_FOUND, "rank " + rank + " is idle: mesh " + spec + " has no place for it");
        }
        if (along.count() == 1 && spec.worldSize() == worldSize) {
            return groups.world();
        }
        return groups.families().stream()
                .filter(family -> family.dimensions().equals(along.dimensions()))
                .findFirst()
                .map(family -> family.groupOf(rank))
                .orElseThrow(() -> new MeshPlanException(
                        MeshPlanError.GROUP_NOT_FOUND,
                        "the plan has no groups along " + String.join(" and ", along.dimensions())
                                + " together; add them with withGroupsAlong"));
    }

    /// The group with that name.
    public Optional<MeshGroup> findGroup(String name) {
        return groups.find(name);
    }

    /// The group with that name.
    ///
    /// @throws MeshPlanException if there is none
    public MeshGroup requireGroup(String name) {
        return findGroup(name).orElseThrow(() -> GroupFamily.notFound(name));
    }

    /// Reports whether this rank belongs to a group; to one that is not there it does not.
    public boolean isInGroup(String name) {
        return findGroupRank(name).isPresent();
    }

    /// The position of this rank in a group; empty if it is not a member.
    public OptionalInt findGroupRank(String name) {
        return findGroup(name).map(group -> group.findPosition(rank)).orElse(OptionalInt.empty());
    }

    /// Known memory of all devices together.
    public Bytes totalMemory() {
        return stats().totalMemory();
    }

    /// Known compute units of all devices together.
    public long totalComputeUnits() {
        return stats().totalComputeUnits();
    }

    /// The mesh in figures.
    public MeshStats stats() {
        return MeshStats.of(worldSize, devices, groupCount());
    }

    /// The same devices in another topology, every one in its place. The groups are those of the new
    /// plan alone: those that were added are gone.
    ///
    /// @throws MeshPlanException if the topology has another number of ranks
    public DeviceMesh reshape(MeshTopology newTopology) {
        return reshape(newTopology, PlacementFit.EXACT);
    }

    /// The same devices in another topology.
    ///
    /// @throws MeshPlanException if there are too few devices, or some are left over that may not be
    public DeviceMesh reshape(MeshTopology newTopology, PlacementFit fit) {
        return plan(devices, worldSize, rank, newTopology, fit);
    }

    /// Returns the hash of the plan, as 16 hexadecimal digits: ranks, shape, groups and their order, the same for every
    /// rank that sees it. Ranks whose meshes have the same hash create the same groups in the same order.
    public String planHash() {
        StringBuilder text = new StringBuilder("muster-mesh-plan-1\n");
        text.append(worldSize).append('\n').append(spec).append('\n');
        groups.describe(text);
        return HexFormat.of().toHexDigits(PlanHash.of(text.toString()));
    }

    /// Checks that all ranks have the same plan.
    ///
    /// @param hashesByRank the [plan hash][#planHash()] of each rank, by its number
    /// @throws MeshPlanException naming the ranks that differ from what most have; on a tie, from the first
    public static void requireSamePlan(List<String> hashesByRank) {
        PlanHash.requireSame(hashesByRank);
    }

    private static int requireRank(int rank, int worldSize) {
        if (rank < 0 || rank >= worldSize) {
            throw new MeshPlanException(
                    MeshPlanError.RANK_OUT_OF_BOUNDS, "Rank " + rank + " out of bounds for world size " + worldSize);
        }
        return rank;
    }

    /// The mesh for people: shape, ranks and hash.
    @Override
    public String toString() {
        return spec + " of " + worldSize + " ranks, plan " + planHash();
    }
}
