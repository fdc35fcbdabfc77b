// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// Groups against a model that knows no strides: it counts through all coordinates, the fastest
/// dimension first, and puts ranks together that agree in all dimensions that are not masked.
class MeshModelTest {
    private static final List<String> NAMES = List.of("tp", "cp", "ep", "dp", "pp");

    @Test
    void allOrdersOfSmallSizesAgreeWithTheModel() {
        int[] sizes = {2, 3, 1, 2, 2};
        List<List<Integer>> orders = new ArrayList<>();
        permute(new ArrayList<>(List.of(0, 1, 2, 3, 4)), 0, orders);
        assertThat(orders).hasSize(120);
        for (List<Integer> order : orders) {
            check(order.stream()
                    .map(i -> new MeshDimension(NAMES.get(i), sizes[i]))
                    .toList());
        }
    }

    @RepeatedTest(100)
    void randomMeshesAgreeWithTheModel() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<String> names = new ArrayList<>(NAMES);
        Collections.shuffle(names, random);
        List<MeshDimension> dimensions = names.subList(0, 1 + random.nextInt(names.size())).stream()
                .map(name -> new MeshDimension(name, 1 + random.nextInt(4)))
                .toList();
        try {
            check(dimensions);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ", mesh " + dimensions, e);
        }
    }

    private static void permute(List<Integer> items, int from, List<List<Integer>> found) {
        if (from == items.size()) {
            found.add(List.copyOf(items));
        }
        for (int i = from; i < items.size(); i++) {
            Collections.swap(items, from, i);
            permute(items, from + 1, found);
            Collections.swap(items, from, i);
        }
    }

    private static void check(List<MeshDimension> dimensions) {
        MeshSpec spec = MeshSpec.of(dimensions);
        List<int[]> model = model(dimensions);
        assertThat(spec.worldSize()).isEqualTo(model.size());
        for (int rank = 0; rank < model.size(); rank++) {
            assertThat(spec.coordinates(rank)).isEqualTo(model.get(rank));
            assertThat(spec.rank(model.get(rank))).isEqualTo(rank);
        }
        for (int mask = 0; mask < 1 << dimensions.size(); mask++) {
            checkGroups(spec, model, mask);
        }
    }

    /// The coordinates of every rank, by counting like a clock.
    private static List<int[]> model(List<MeshDimension> dimensions) {
        List<int[]> all = new ArrayList<>();
        int[] here = new int[dimensions.size()];
        boolean more = true;
        while (more) {
            all.add(here.clone());
            int wheel = 0;
            while (wheel < here.length && ++here[wheel] == dimensions.get(wheel).size()) {
                here[wheel++] = 0;
            }
            more = wheel < here.length;
        }
        return all;
    }

    private static void checkGroups(MeshSpec spec, List<int[]> model, int mask) {
        // The key reads slow dimensions first, so that the fastest one counts first.
        Map<String, List<Integer>> expected = new TreeMap<>();
        for (int rank = 0; rank < model.size(); rank++) {
            StringBuilder key = new StringBuilder();
            for (int i = model.get(rank).length - 1; i >= 0; i--) {
                key.append((mask >> i & 1) == 0 ? model.get(rank)[i] : 0);
            }
            expected.computeIfAbsent(key.toString(), _ -> new ArrayList<>()).add(rank);
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < spec.dimensions().size(); i++) {
            if ((mask >> i & 1) == 1) {
                names.add(spec.names().get(i));
            }
        }
        Collections.reverse(names);
        GroupFamily family = spec.along(names);
        List<List<Integer>> groups =
                family.groups().stream().map(group -> group.ranks().asList()).toList();
        assertThat(groups).isEqualTo(List.copyOf(expected.values()));
        checkPartition(spec, family);
    }

    private static void checkPartition(MeshSpec spec, GroupFamily family) {
        int[] seen = new int[spec.worldSize()];
        for (int i = 0; i < family.count(); i++) {
            MeshGroup group = family.group(i);
            assertThat(family.find(group.name())).contains(group);
            for (int rank = 0; rank < spec.worldSize(); rank++) {
                boolean member = group.ranks().asList().stream().toList().contains(rank);
                assertThat(group.contains(rank)).isEqualTo(member);
                if (member) {
                    seen[rank]++;
                    assertThat(family.indexOf(rank)).isEqualTo(i);
                    assertThat(group.rank(group.findPosition(rank).orElseThrow()))
                            .isEqualTo(rank);
                }
            }
        }
        int[] once = new int[spec.worldSize()];
        Arrays.fill(once, 1);
        assertThat(seen).isEqualTo(once);
    }
}
