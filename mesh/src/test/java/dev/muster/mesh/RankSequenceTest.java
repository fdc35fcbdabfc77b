// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class RankSequenceTest {
    @RepeatedTest(50)
    void listedRanksKnowTheirPositions() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<Integer> ranks = new ArrayList<>(IntStream.range(0, 200).boxed().toList());
        Collections.shuffle(ranks, random);
        List<Integer> chosen = ranks.subList(0, 1 + random.nextInt(ranks.size()));
        RankSequence sequence = RankSequence.of(chosen);
        assertThat(sequence.asList()).as("seed %d", seed).isEqualTo(chosen);
        for (int rank = -1; rank <= 200; rank++) {
            assertThat(sequence.findPosition(rank).orElse(-1))
                    .as("seed %d, rank %d", seed, rank)
                    .isEqualTo(chosen.indexOf(rank));
        }
        assertThat(sequence.largest()).isEqualTo(Collections.max(chosen));
    }

    @Test
    void sequencesOfTheSameRanksAreEqualHoweverTheyCameAbout() {
        RankSequence computed =
                MeshSpec.parse("tp=2,pp=3,dp=2").along("tp", "dp").group(1).ranks();
        RankSequence listed = RankSequence.of(List.of(2, 3, 8, 9));
        assertThat(computed).isEqualTo(listed).hasSameHashCodeAs(listed).hasToString("2,3,8,9");
        assertThat(RankSequence.of(List.of(3, 2, 8, 9))).isNotEqualTo(listed);
    }

    @Test
    void theListComputesItsElements() {
        List<Integer> list = RankSequence.range(5, 1_000_000_000).asList();
        assertThat(list.get(999_999_999)).isEqualTo(1_000_000_004);
        assertThat(list.contains(4)).isFalse();
        assertThat(list.indexOf(10)).isEqualTo(5);
        assertThat(list.lastIndexOf(3)).isEqualTo(-1);
    }

    @Test
    void longSequencesArePrintedShort() {
        assertThat(RankSequence.range(0, 1000)).hasToString("0,1,2,3,4,5,6,7,8,9,10,11,12,13,…,999 (1000)");
    }

    @Test
    void emptyNegativeAndDoubledRanksAreRefused() {
        assertRefused(MeshPlanError.EMPTY_GROUP, List.of());
        assertRefused(MeshPlanError.RANK_OUT_OF_BOUNDS, List.of(0, -1));
        assertRefused(MeshPlanError.DUPLICATE_RANK, List.of(4, 2, 4));
        assertThatExceptionOfType(MeshPlanException.class).isThrownBy(() -> RankSequence.range(0, 0));
        assertThatExceptionOfType(MeshPlanException.class).isThrownBy(() -> RankSequence.range(-1, 2));
    }

    private static void assertRefused(MeshPlanError code, List<Integer> ranks) {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> RankSequence.of(ranks))
                .extracting(MeshPlanException::code)
                .isEqualTo(code);
    }
}
