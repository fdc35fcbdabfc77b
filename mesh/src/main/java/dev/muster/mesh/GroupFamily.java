// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.MeshPlanError;
import dev.muster.mesh.RankSequence.StridedRanks;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// All groups along the same dimensions of a mesh: together they hold every rank once. Immutable. Groups
/// are computed when they are asked for.
///
/// @since 0.1
public final class GroupFamily {
    private static final int MOST_DIGITS = 10;

    private final String label;
    private final MeshSpec spec;
    /// Positions of the dimensions in the mesh's order, ascending.
    private final int[] inside;
    private final int[] outside;
    private final GroupBackend backend;
    /// The family with the same groups that came first in the plan.
    private final @Nullable String aliasOf;
    private final GroupNaming naming;

    private GroupFamily(
            String label,
            MeshSpec spec,
            int[] inside,
            int[] outside,
            GroupBackend backend,
            @Nullable String aliasOf,
            GroupNaming naming) {
        this.label = label;
        this.spec = spec;
        this.inside = inside;
        this.outside = outside;
        this.backend = backend;
        this.aliasOf = aliasOf;
        this.naming = naming;
    }

    /// The groups along those dimensions, named after them in the mesh's order: `tp-pp_0`. Along none,
    /// every rank is its own group.
    static GroupFamily along(MeshSpec spec, Collection<String> names) {
        TreeSet<Integer> chosen = new TreeSet<>();
        for (String name : names) {
            chosen.add(spec.index(name));
        }
        List<Integer> others = new ArrayList<>();
        List<String> label = new ArrayList<>();
        for (int i = 0; i < spec.dimensions().size(); i++) {
            if (chosen.contains(i)) {
                label.add(spec.dimensions().get(i).name());
            } else {
                others.add(i);
            }
        }
        String text = label.isEmpty() ? "rank" : String.join("-", label);
        GroupBackend usual = label.equals(List.of(MeshDimension.PIPELINE)) ? GroupBackend.GLOO : GroupBackend.NCCL;
        return new GroupFamily(text, spec, array(chosen), array(others), usual, null, GroupNaming.NUMBERED);
    }

    private static int[] array(Collection<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /// The same groups with messages carried by something else.
    public GroupFamily withBackend(GroupBackend newBackend) {
        return with(label, newBackend, naming);
    }

    /// The same groups under another label, over another backend, or with other names.
    GroupFamily with(String newLabel, GroupBackend newBackend, GroupNaming newNaming) {
        return new GroupFamily(newLabel, spec, inside, outside, newBackend, aliasOf, newNaming);
    }

    GroupFamily asAliasOf(String first) {
        return new GroupFamily(label, spec, inside, outside, backend, first, naming);
    }

    /// Returns the name of its groups, without their number.
    public String label() {
        return label;
    }

    /// Returns the backend of its groups.
    public GroupBackend backend() {
        return backend;
    }

    /// The dimensions along which ranks of a group differ, in the mesh's order.
    public List<String> dimensions() {
        List<String> names = new ArrayList<>();
        for (int index : inside) {
            names.add(spec.dimensions().get(index).name());
        }
        return names;
    }

    /// The family earlier in the plan that has the same groups, so that they can share their
    /// communicators.
    public Optional<String> findAlias() {
        return Optional.ofNullable(aliasOf);
    }

    /// Returns the number of groups.
    public int count() {
        return spec.worldSize() / groupSize();
    }

    /// Returns the number of ranks in each group.
    public int groupSize() {
        int size = 1;
        for (int index : inside) {
            size *= spec.dimensions().get(index).size();
        }
        return size;
    }

    /// One of the groups.
    ///
    /// @param index from 0
    /// @throws IndexOutOfBoundsException if the group does not exist
    public MeshGroup group(int index) {
        int rest = Objects.checkIndex(index, count());
        int first = 0;
        for (int dimension : outside) {
            int size = spec.dimensions().get(dimension).size();
            first += rest % size * spec.stride(dimension);
            rest /= size;
        }
        int[] sizes = new int[inside.length];
        int[] strides = new int[inside.length];
        for (int i = 0; i < inside.length; i++) {
            sizes[i] = spec.dimensions().get(inside[i]).size();
            strides[i] = spec.stride(inside[i]);
        }
        return new MeshGroup(naming.name(this, index), StridedRanks.of(first, sizes, strides), backend);
    }

    /// The number of the group that a rank belongs to.
    ///
    /// @throws MeshPlanException if the mesh has no such rank
    public int indexOf(int rank) {
        int[] coordinates = spec.coordinates(rank);
        int index = 0;
        int below = 1;
        for (int dimension : outside) {
            index += coordinates[dimension] * below;
            below *= spec.dimensions().get(dimension).size();
        }
        return index;
    }

    /// The group that a rank belongs to.
    ///
    /// @throws MeshPlanException if the mesh has no such rank
    public MeshGroup groupOf(int rank) {
        return group(indexOf(rank));
    }

    /// The group with that name, if it is one of these.
    public Optional<MeshGroup> find(String name) {
        int index = naming.index(this, name);
        return index < 0 ? Optional.empty() : Optional.of(group(index));
    }

    /// The groups as a list that computes them when they are asked for.
    public List<MeshGroup> groups() {
        return new AbstractList<>() {
            @Override
            public MeshGroup get(int index) {
                return group(index);
            }

            @Override
            public int size() {
                return count();
            }
        };
    }

    MeshSpec spec() {
        return spec;
    }

    boolean hasSameGroups(GroupFamily other) {
        return count() == other.count()
                && groupSize() == other.groupSize()
                && group(0).ranks().equals(other.group(0).ranks())
                && group(count() - 1).ranks().equals(other.group(count() - 1).ranks());
    }

    /// The number behind a prefix, as it is printed; -1 if there is none below the limit.
    static int number(String text, String prefix, int limit) {
        String digits = text.startsWith(prefix) ? text.substring(prefix.length()) : "";
        boolean plain = !digits.isEmpty()
                && digits.length() <= MOST_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (digits.length() == 1 || digits.charAt(0) != '0');
        long number = plain ? Long.parseLong(digits) : -1;
        return number < limit ? (int) number : -1;
    }

    static MeshPlanException notFound(String name) {
        return new MeshPlanException(MeshPlanError.GROUP_NOT_FOUND, "Group '" + name + "' not found");
    }

    /// The family for people, such as `tp: 4 x 2`.
    @Override
    public String toString() {
        return label + ": " + count() + " x " + groupSize();
    }

    /// The naming scheme of a family's groups.
    enum GroupNaming {
        /// Label and number: `tp_0`.
        NUMBERED {
            @Override
            String name(GroupFamily family, int index) {
                return family.label() + "_" + index;
            }

            @Override
            int index(GroupFamily family, String name) {
                return GroupFamily.number(name, family.label() + "_", family.count());
            }
        },
        /// By replica and stage: `tp_dp1_pp0`. Only for groups along `tp` of a mesh of `tp`, `pp` and `dp`.
        BY_REPLICA_AND_STAGE {
            private static final String START = "tp_dp";
            private static final String MIDDLE = "_pp";

            @Override
            String name(GroupFamily family, int index) {
                int stages = family.spec().size(MeshDimension.PIPELINE);
                return START + index / stages + MIDDLE + index % stages;
            }

            @Override
            int index(GroupFamily family, String name) {
                int middle = name.indexOf(MIDDLE);
                if (middle < 0) {
                    return -1;
                }
                int stages = family.spec().size(MeshDimension.PIPELINE);
                int replica = GroupFamily.number(
                        name.substring(0, middle), START, family.spec().size(MeshDimension.DATA));
                int stage = GroupFamily.number(name.substring(middle), MIDDLE, stages);
                return replica < 0 || stage < 0 ? -1 : replica * stages + stage;
            }
        };

        /// The name of a group.
        abstract String name(GroupFamily family, int index);

        /// The number of the group with that name; -1 if there is none.
        abstract int index(GroupFamily family, String name);
    }
}
