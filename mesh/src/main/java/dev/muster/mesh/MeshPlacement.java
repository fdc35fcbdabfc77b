// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The assignment of ranks to devices. Immutable.
///
/// Devices are taken island by island: those of a fast fabric together, else those of a host. The
/// dimension that talks most is laid out first, so that its groups lie inside an island wherever the
/// sizes allow it, in any order of ranks. On equal links ranks keep the order of devices.
///
/// @param spec the shape
/// @param devices the device of each rank
/// @param idle devices without a rank
/// @param communicationOrder the dimensions, the one that talks most first
/// @param crossings for each dimension, how many of its groups leave a host
/// @param warnings expected bottlenecks, a sentence each
/// @since 0.1
public record MeshPlacement(
        MeshSpec spec,
        List<MeshDevice> devices,
        List<MeshDevice> idle,
        List<String> communicationOrder,
        List<Crossing> crossings,
        List<String> warnings) {
    /// Kinds of dimensions by the amount of their messages, the most first: matrices are summed in every layer,
    /// sequences and experts are exchanged in most, gradients once a step, and stages hand on what lies between two
    /// layers.
    private static final List<String> USUAL_TALK = List.of(
            MeshDimension.TENSOR,
            MeshDimension.CONTEXT,
            MeshDimension.EXPERT,
            MeshDimension.DATA,
            MeshDimension.PIPELINE);

    /// Copies the lists.
    public MeshPlacement {
        devices = List.copyOf(devices);
        idle = List.copyOf(idle);
        communicationOrder = List.copyOf(communicationOrder);
        crossings = List.copyOf(crossings);
        warnings = List.copyOf(warnings);
    }

    /// The number of groups along a dimension that leave a host, an island, a NUMA node.
    ///
    /// @param dimension the dimension
    /// @param groups number of groups
    /// @param hosts number of those that have ranks on several hosts
    /// @param islands number of those that have ranks that neither a host nor a fast fabric joins
    /// @param numaNodes number of those that have ranks at several NUMA nodes of one host
    public record Crossing(String dimension, int groups, int hosts, int islands, int numaNodes) {}

    /// Places a mesh. Dimensions talk as much as usual: `tp` most, then `cp`, `ep`, `dp`, `pp`; others,
    /// between `ep` and `dp`, in the order of the mesh.
    ///
    /// @throws MeshPlanException if there are too few devices or too many for the fit, or groups along
    ///     `tp` cross hosts and may not
    public static MeshPlacement of(MeshSpec spec, List<MeshDevice> devices, PlacementFit fit, CrossingRule rule) {
        return of(spec, devices, usualTalkOrder(spec), fit, rule);
    }

    /// Places a mesh.
    ///
    /// @param communicationOrder all dimensions, the one that talks most first
    /// @throws MeshPlanException if a dimension is missing, there are too few devices or too many for
    ///     the fit, or groups along the one that talks most cross hosts and may not
    public static MeshPlacement of(
            MeshSpec spec,
            List<MeshDevice> devices,
            List<String> communicationOrder,
            PlacementFit fit,
            CrossingRule rule) {
        requireFit(spec, devices.size(), fit);
        MeshSpec byTalk = spec.withOrder(String.join("-", communicationOrder));
        Islands.Filling filling = Islands.of(devices).fill(byTalk);
        List<MeshDevice> byDistance = new ArrayList<>(spec.worldSize());
        int[] from = new int[communicationOrder.size()];
        for (int i = 0; i < from.length; i++) {
            from[i] = spec.index(byTalk.dimensions().get(i).name());
        }
        for (int rank = 0; rank < spec.worldSize(); rank++) {
            byDistance.add(filling.taken().get(slot(byTalk, from, spec.coordinates(rank))));
        }
        List<MeshDevice> placed = Islands.inDeviceOrder(byDistance, devices);
        Crossings places = new Crossings(placed);
        List<Crossing> crossings = spec.names().stream()
                .map(name -> places.count(spec.along(name)))
                .toList();
        MeshPlacement placement =
                new MeshPlacement(spec, placed, filling.left(), byTalk.names(), crossings, warnings(byTalk, crossings));
        if (rule == CrossingRule.REFUSE && !placement.warnings.isEmpty()) {
            throw new MeshPlanException(MeshPlanError.CROSSES_HOSTS, placement.warnings.getFirst());
        }
        return placement;
    }

    private static int slot(MeshSpec byTalk, int[] from, int[] coordinates) {
        int slot = 0;
        for (int i = 0; i < from.length; i++) {
            slot += coordinates[from[i]] * byTalk.stride(i);
        }
        return slot;
    }

    private static void requireFit(MeshSpec spec, int devices, PlacementFit fit) {
        MeshTopology.of(spec).validate(devices);
        if (devices > spec.worldSize() && fit == PlacementFit.EXACT) {
            throw new MeshPlanException(
                    MeshPlanError.SURPLUS_DEVICES,
                    "Mesh " + spec + " fills " + spec.worldSize() + " of " + devices
                            + " devices; change the sizes, or allow that " + (devices - spec.worldSize())
                            + " are idle");
        }
    }

    private static List<String> usualTalkOrder(MeshSpec spec) {
        List<String> order = new ArrayList<>();
        int network = USUAL_TALK.indexOf(MeshDimension.DATA);
        USUAL_TALK.subList(0, network).stream().filter(spec::has).forEach(order::add);
        spec.names().stream().filter(name -> !USUAL_TALK.contains(name)).forEach(order::add);
        USUAL_TALK.subList(network, USUAL_TALK.size()).stream()
                .filter(spec::has)
                .forEach(order::add);
        return order;
    }

    /// Only the dimension that talks most, of those that talk at all, is worth a warning.
    private static List<String> warnings(MeshSpec byTalk, List<Crossing> crossings) {
        Optional<MeshDimension> most =
                byTalk.dimensions().stream().filter(one -> one.size() > 1).findFirst();
        if (most.isEmpty()
                || most.get().name().equals(MeshDimension.DATA)
                || most.get().name().equals(MeshDimension.PIPELINE)) {
            return List.of();
        }
        String name = most.get().name();
        return crossings.stream()
                .filter(crossing -> crossing.dimension().equals(name) && crossing.islands() > 0)
                .map(crossing -> crossing.islands() + " of " + crossing.groups() + " groups along " + name
                        + " cross hosts, and " + name
                        + " communicates most: choose a size that divides the devices of a host")
                .toList();
    }

    /// The hosts that have a rank, in the order of their first rank, with their ranks, ascending.
    public Map<String, List<Integer>> ranksByHost() {
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        for (int rank = 0; rank < devices.size(); rank++) {
            ranks.computeIfAbsent(devices.get(rank).host(), _ -> new ArrayList<>())
                    .add(rank);
        }
        return ranks;
    }

    /// Returns the number of groups along a dimension that leave a host.
    ///
    /// @throws MeshPlanException if the dimension does not exist
    public Crossing crossing(String dimension) {
        return crossings.get(spec.index(dimension));
    }

    /// The dimension that talks most of those that have several ranks; nothing where there is only one
    /// rank.
    public Optional<String> findBusiest() {
        return communicationOrder.stream().filter(name -> spec.size(name) > 1).findFirst();
    }

    /// Reports whether every device can be reached from every other one by links that are equally fast: those of one
    /// fabric.
    public boolean isFlat() {
        return devices.getFirst().fabricDomain().find().isPresent()
                && devices.stream().map(Islands::key).distinct().count() == 1;
    }

    /// Splits the dimensions into those inside a host and those between hosts; nothing where hosts hold different
    /// numbers of ranks, or a dimension cannot be cut where a host ends.
    public Optional<HybridSplit> findHybridSplit() {
        Map<String, List<Integer>> hosts = ranksByHost();
        int perHost = devices.size() / hosts.size();
        boolean even = hosts.values().stream().allMatch(ranks -> ranks.size() == perHost);
        return even
                ? HybridSplit.find(spec.withOrder(String.join("-", communicationOrder)), perHost)
                : Optional.empty();
    }

    /// The mesh on its devices, seen by rank 0; devices without a rank come last.
    public DeviceMesh mesh() {
        List<MeshDevice> all = new ArrayList<>(devices);
        all.addAll(idle);
        return DeviceMesh.withTopology(all, MeshTopology.of(spec), PlacementFit.SURPLUS_ALLOWED);
    }

    /// The treatment of devices that the sizes of a mesh do not fill.
    ///
    /// @since 0.1
    public enum PlacementFit {
        /// Every device has its place; anything else is refused.
        EXACT,
        /// Devices may be left over: the last ranks are idle, and the mesh lists them.
        SURPLUS_ALLOWED
    }

    /// The treatment of a group that talks much and lies on several hosts that no fast fabric joins.
    ///
    /// @since 0.1
    public enum CrossingRule {
        /// The placement says so.
        WARN,
        /// No placement exists.
        REFUSE
    }

    /// A mesh cut in two: what lies inside a host and what lies between hosts. Both have all dimensions, the
    /// one that talks most first, and the sizes of a dimension multiply to the whole. Immutable.
    ///
    /// @param inner the part of each dimension inside a host
    /// @param outer the part of each dimension between hosts
    /// @since 0.1
    public record HybridSplit(MeshSpec inner, MeshSpec outer) {
        /// Cuts a mesh whose ranks stand host by host.
        ///
        /// @param byTalk the dimensions, the one that talks most first
        /// @param perHost ranks of each host
        static Optional<HybridSplit> find(MeshSpec byTalk, int perHost) {
            List<MeshDimension> inner = new ArrayList<>();
            List<MeshDimension> outer = new ArrayList<>();
            int left = perHost;
            for (MeshDimension dimension : byTalk.dimensions()) {
                int inside = Math.min(left, dimension.size());
                if (dimension.size() % inside != 0 || left % inside != 0) {
                    return Optional.empty();
                }
                inner.add(new MeshDimension(dimension.name(), inside));
                outer.add(new MeshDimension(dimension.name(), dimension.size() / inside));
                left /= inside;
            }
            return left == 1 ? Optional.of(new HybridSplit(MeshSpec.of(inner), MeshSpec.of(outer))) : Optional.empty();
        }
    }

    /// Counts groups whose ranks are not all in one place. Places are numbered once: meshes have many
    /// groups.
    private static final class Crossings {
        private final int[] hosts;
        private final int[] islands;
        private final int[] numaNodes;

        /// @param placed the device of each rank
        Crossings(List<MeshDevice> placed) {
            this.hosts = number(placed, MeshDevice::host);
            this.islands = number(placed, Islands::key);
            this.numaNodes = number(placed, MeshDevice::numaNode);
        }

        private static int[] number(List<MeshDevice> placed, Function<MeshDevice, Object> place) {
            Map<Object, Integer> numbers = new HashMap<>();
            int[] numbered = new int[placed.size()];
            for (int rank = 0; rank < numbered.length; rank++) {
                numbered[rank] = numbers.computeIfAbsent(place.apply(placed.get(rank)), _ -> numbers.size());
            }
            return numbered;
        }

        MeshPlacement.Crossing count(GroupFamily family) {
            int crossHosts = 0;
            int crossIslands = 0;
            int crossNumaNodes = 0;
            for (int i = 0; i < family.count(); i++) {
                RankSequence ranks = family.group(i).ranks();
                if (crosses(ranks, hosts)) {
                    crossHosts++;
                    crossIslands += crosses(ranks, islands) ? 1 : 0;
                } else {
                    crossNumaNodes += crosses(ranks, numaNodes) ? 1 : 0;
                }
            }
            return new MeshPlacement.Crossing(family.label(), family.count(), crossHosts, crossIslands, crossNumaNodes);
        }

        private static boolean crosses(RankSequence ranks, int[] places) {
            int first = places[ranks.rank(0)];
            for (int i = 1; i < ranks.size(); i++) {
                if (places[ranks.rank(i)] != first) {
                    return true;
                }
            }
            return false;
        }
    }
}
