// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.rehearse.Rehearsal.Call;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RehearsalTest {
    /// Ring volumes by hand, of a group of four and a buffer of 1000 bytes.
    private static double ofFour(Collective collective) {
        return switch (collective) {
            case ALL_REDUCE -> 6000;
            case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, SEND -> 3000;
            case RING_SEND -> 4000;
        };
    }

    @ParameterizedTest
    @EnumSource(Collective.class)
    void volumesAreThoseOfRings(Collective collective) {
        MeshSpec mesh = MeshSpec.parse("tp=4,dp=3");
        Call call = new Call("TP", new RankGroup(List.of("tp"), 4), collective, 1000, 7, false);
        Rehearsal rehearsal = new Rehearsal(mesh, 0, List.of(call));
        assertThat(rehearsal.totalBytes(call)).isEqualTo(3 * 7 * ofFour(collective));
        assertThat(rehearsal.bytesOfRank(call)).isEqualTo(rehearsal.totalBytes(call) / 12);
    }

    /// Every rank is in one group of each kind, and all members see the same group: what one sends, another
    /// awaits.
    @Test
    void groupsDivideTheRanks() {
        MeshSpec mesh = MeshSpec.parse("tp=2,cp=3,dp=4,pp=2");
        for (RankGroup group : List.of(
                new RankGroup(List.of("tp"), 2),
                new RankGroup(List.of("pp"), 2),
                new RankGroup(List.of("cp", "dp"), 12),
                new RankGroup(List.of("tp", "cp", "dp"), 6),
                new RankGroup(List.of("tp", "cp", "dp"), 24))) {
            Map<Integer, List<Integer>> byFirst = new HashMap<>();
            Set<Integer> all = new HashSet<>();
            for (int rank = 0; rank < mesh.worldSize(); rank++) {
                List<Integer> ranks =
                        Arrays.stream(group.ranksOf(mesh, rank)).boxed().toList();
                assertThat(ranks).hasSize(group.members()).contains(rank);
                assertThat(byFirst.computeIfAbsent(ranks.getFirst(), _ -> ranks))
                        .isEqualTo(ranks);
                all.addAll(ranks);
            }
            assertThat(all).hasSize(mesh.worldSize());
            assertThat(byFirst).hasSize(mesh.worldSize() / group.members());
        }
    }

    @Test
    void aGroupThatDoesNotDivideItsAxesIsRefused() {
        MeshSpec mesh = MeshSpec.parse("tp=4,dp=2");
        Call call = new Call("EP", new RankGroup(List.of("tp", "dp"), 3), Collective.ALL_TO_ALL, 8, 1, false);
        assertThatThrownBy(() -> new Rehearsal(mesh, 0, List.of(call)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("groups of 3 do not divide the 8 ranks along tp and dp of tp=4,dp=2");
    }
}
