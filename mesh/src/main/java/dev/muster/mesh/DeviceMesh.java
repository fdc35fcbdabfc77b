package dev.muster.mesh;

import dev.muster.core.unit.Bytes;
import dev.muster.mesh.MeshPlanException.Code;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/// Devices arranged in named dimensions, the groups that follow from it, and one rank's view of both. Immutable: every
/// change gives a new mesh. It communicates with nobody; communicators are attached where the mesh runs.
///
/// Groups are listed in the order of the plan, which is the same on all ranks: `world`, then the groups of each family,
/// then those that were added.
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
    private final GroupBackend worldBackend;
    private final List<GroupFamily> families;
    private final List<MeshGroup> added;

    private DeviceMesh(
            MeshTopology topology,
            MeshSpec spec,
            int worldSize,
            int rank,
            List<MeshDevice> devices,
            GroupBackend worldBackend,
            List<GroupFamily> families,
            List<MeshGroup> added) {
        this.topology = topology;
        this.spec = spec;
        this.worldSize = worldSize;
        this.rank = requireRank(rank, worldSize);
        this.devices = devices;
        this.worldBackend = worldBackend;
        this.families = List.copyOf(families);
        this.added = List.copyOf(added);
    }

    /// A mesh of devices that all hold the same, with the group `world` alone, seen by rank 0. Rank `i` has device `i`.
    ///
    /// @throws MeshPlanException if there is no device
    public static DeviceMesh of(List<MeshDevice> devices) {
        return of(devices, 0, GroupBackend.MOCK);
    }

    /// A mesh of devices that all hold the same, with the group `world` alone.
    ///
    /// @param rank who sees it
    /// @param backend what carries the messages of `world`
    /// @throws MeshPlanException if there is no device, or the rank lies outside
    public static DeviceMesh of(List<MeshDevice> devices, int rank, GroupBackend backend) {
        MeshTopology topology = new MeshTopology.DataParallel();
        MeshSpec spec = topology.spec(devices.size());
        return new DeviceMesh(
                topology, spec, devices.size(), rank, List.copyOf(devices), backend, List.of(), List.of());
    }

    /// A mesh in which every device has its place, seen by rank 0.
    ///
    /// @throws MeshPlanException if there are too few devices or too many
    public static DeviceMesh withTopology(List<MeshDevice> devices, MeshTopology topology) {
        return withTopology(devices, topology, Fit.EXACT);
    }

    /// A mesh of a topology, seen by rank 0.
    ///
    /// @throws MeshPlanException if there are too few devices, or some are left over that may not be
    public static DeviceMesh withTopology(List<MeshDevice> devices, MeshTopology topology, Fit fit) {
        return plan(List.copyOf(devices), devices.size(), 0, topology, fit);
    }

    /// A mesh whose devices are not known yet, seen by rank 0: as many ranks as the shape has.
    public static DeviceMesh planned(MeshSpec spec) {
        return plan(List.of(), spec.worldSize(), 0, new MeshTopology.Named(spec), Fit.EXACT);
    }

    private static DeviceMesh plan(
            List<MeshDevice> devices, int worldSize, int rank, MeshTopology topology, Fit fit) {
        MeshSpec spec = topology.spec(worldSize);
        if (spec.worldSize() < worldSize && fit == Fit.EXACT) {
            throw new MeshPlanException(
                    Code.SURPLUS_DEVICES,
                    "Mesh " + spec + " fills " + spec.worldSize() + " of " + worldSize
                            + " devices; change the sizes, or allow that ranks from " + spec.worldSize()
                            + " on are idle");
        }
        return new DeviceMesh(
                topology,
                spec,
                worldSize,
                rank,
                devices,
                GroupBackend.MOCK,
                GroupFamilies.of(topology, spec),
                List.of());
    }

    /// How the devices share the work.
    public MeshTopology topology() {
        return topology;
    }

    /// The shape.
    public MeshSpec spec() {
        return spec;
    }

    /// How many ranks there are, idle ones included.
    public int worldSize() {
        return worldSize;
    }

    /// Who sees the mesh.
    public int rank() {
        return rank;
    }

    /// The mesh as another rank sees it.
    ///
    /// @throws MeshPlanException if there is no such rank
    public DeviceMesh withRank(int newRank) {
        return new DeviceMesh(topology, spec, worldSize, newRank, devices, worldBackend, families, added);
    }

    /// Ranks without a place in the shape; nothing if every rank has one.
    public Optional<RankSequence> findIdleRanks() {
        int idle = worldSize - spec.worldSize();
        return idle == 0 ? Optional.empty() : Optional.of(RankSequence.range(spec.worldSize(), idle));
    }

    /// Whether this rank has no place in the shape.
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
    /// @throws MeshPlanException if there is no such group
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
                    Code.RANK_OUT_OF_BOUNDS, "Rank " + group.ranks().largest() + " out of bounds");
        }
        if (findGroup(group.name()).isPresent()) {
            throw new MeshPlanException(
                    Code.BAD_NAME, "Group '" + group.name() + "' is there already; choose another name");
        }
        List<MeshGroup> more = new ArrayList<>(added);
        more.add(group);
        return new DeviceMesh(topology, spec, worldSize, rank, devices, worldBackend, families, more);
    }

    /// Adds a group of those ranks.
    ///
    /// @throws MeshPlanException if its name is taken, a rank lies outside or stands there twice, or there is none
    public DeviceMesh withGroup(String name, Collection<Integer> ranks, GroupBackend backend) {
        return withGroup(new MeshGroup(name, RankSequence.of(ranks), backend));
    }

    /// Adds the groups along some dimensions together, `tp-pp_0` and so on; what is listed already stays as it is.
    ///
    /// @throws MeshPlanException if there is no such dimension, or an added group has one of their names
    public DeviceMesh withGroupsAlong(String... names) {
        GroupFamily family = spec.along(names);
        if (families.stream().anyMatch(one -> one.label().equals(family.label()))) {
            return this;
        }
        for (MeshGroup group : added) {
            if (family.find(group.name()).isPresent()) {
                throw new MeshPlanException(Code.BAD_NAME, "Group '" + group.name() + "' is there already");
            }
        }
        return withFamilies(GroupFamilies.append(families, family));
    }

    /// The mesh with the messages of `world` and of all families carried by one backend.
    public DeviceMesh withBackend(GroupBackend backend) {
        List<GroupFamily> carried =
                families.stream().map(family -> family.withBackend(backend)).toList();
        return new DeviceMesh(topology, spec, worldSize, rank, devices, backend, carried, added);
    }

    /// The mesh with the messages of one family carried by another backend.
    ///
    /// @param label such as `dp` or `tp-pp`
    /// @throws MeshPlanException if there is no such family
    public DeviceMesh withBackend(String label, GroupBackend backend) {
        if (families.stream().noneMatch(family -> family.label().equals(label))) {
            throw GroupFamily.notFound(label);
        }
        UnaryOperator<GroupFamily> change =
                family -> family.label().equals(label) ? family.withBackend(backend) : family;
        return withFamilies(families.stream().map(change).toList());
    }

    private DeviceMesh withFamilies(List<GroupFamily> changed) {
        return new DeviceMesh(topology, spec, worldSize, rank, devices, worldBackend, changed, added);
    }

    /// The families of groups in the order of the plan.
    public List<GroupFamily> families() {
        return families;
    }

    /// How many groups the plan lists.
    public long groupCount() {
        return 1 + families.stream().mapToLong(GroupFamily::count).sum() + added.size();
    }

    /// The groups in the order of the plan, as a list that computes them when they are asked for.
    public List<MeshGroup> groups() {
        List<List<MeshGroup>> parts = new ArrayList<>();
        parts.add(List.of(world()));
        families.forEach(family -> parts.add(family.groups()));
        parts.add(added);
        return new Joined(parts);
    }

    /// The names of the groups in the order of the plan, as a list that computes them when they are asked for.
    public List<String> groupNames() {
        List<MeshGroup> groups = groups();
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

    /// The groups that this rank belongs to, in the order of the plan.
    public List<MeshGroup> ownGroups() {
        List<MeshGroup> own = new ArrayList<>(List.of(world()));
        if (!isIdle()) {
            families.forEach(family -> own.add(family.groupOf(rank)));
        }
        added.stream().filter(group -> group.contains(rank)).forEach(own::add);
        return own;
    }

    /// The group with that name.
    public Optional<MeshGroup> findGroup(String name) {
        if (name.equals(WORLD)) {
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

    /// The group with that name.
    ///
    /// @throws MeshPlanException if there is none
    public MeshGroup requireGroup(String name) {
        return findGroup(name).orElseThrow(() -> GroupFamily.notFound(name));
    }

    /// Whether this rank belongs to a group; to one that is not there it does not.
    public boolean isInGroup(String name) {
        return findGroupRank(name).isPresent();
    }

    /// The position of this rank in a group; nothing if it is no member.
    public OptionalInt findGroupRank(String name) {
        return findGroup(name).map(group -> group.findPosition(rank)).orElse(OptionalInt.empty());
    }

    private MeshGroup world() {
        return new MeshGroup(WORLD, RankSequence.range(0, worldSize), worldBackend);
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

    /// The same devices in another topology, every one in its place. The groups are those of the new plan alone:
    /// those that were added are gone.
    ///
    /// @throws MeshPlanException if the topology has another number of ranks
    public DeviceMesh reshape(MeshTopology newTopology) {
        return reshape(newTopology, Fit.EXACT);
    }

    /// The same devices in another topology.
    ///
    /// @throws MeshPlanException if there are too few devices, or some are left over that may not be
    public DeviceMesh reshape(MeshTopology newTopology, Fit fit) {
        return plan(devices, worldSize, rank, newTopology, fit);
    }

    /// What tells the plan from others: ranks, shape, groups and their order, whoever sees it. Ranks whose meshes have
    /// the same hash create the same groups in the same order.
    public PlanHash planHash() {
        StringBuilder text = new StringBuilder("muster-mesh-plan-1\n");
        text.append(worldSize).append('\n').append(spec).append('\n');
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
        return PlanHash.of(text.toString());
    }

    private static int requireRank(int rank, int worldSize) {
        if (rank < 0 || rank >= worldSize) {
            throw new MeshPlanException(
                    Code.RANK_OUT_OF_BOUNDS, "Rank " + rank + " out of bounds for world size " + worldSize);
        }
        return rank;
    }

    /// The mesh for people: shape, ranks and hash.
    @Override
    public String toString() {
        return spec + " of " + worldSize + " ranks, plan " + planHash();
    }

    /// Lists one behind the other.
    private static final class Joined extends AbstractList<MeshGroup> {
        private final List<List<MeshGroup>> parts;
        private final int size;

        Joined(List<List<MeshGroup>> parts) {
            this.parts = parts;
            this.size = (int) Math.min(Integer.MAX_VALUE, parts.stream().mapToLong(List::size).sum());
        }

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
    }
}
