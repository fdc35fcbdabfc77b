// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.MeshPlanException.MeshPlanError;
import dev.muster.mesh.MeshSpec.Slice;
import dev.muster.mesh.MeshSpec.Wrap;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MeshSpecTest {
    /// Tensor, context, expert, data, pipeline: the usual order of Megatron-Core.
    private static final String MEGATRON = "tp-cp-ep-dp-pp";

    private static List<List<Integer>> ranks(GroupFamily family) {
        return family.groups().stream()
                .map(group -> List.copyOf(group.ranks().asList()))
                .toList();
    }

    private static void assertRefused(MeshPlanError code, String message, ThrowingCallable call) {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(call)
                .withMessageContaining(message)
                .extracting(MeshPlanException::code)
                .isEqualTo(code);
    }

    @Test
    void sixteenRanksInTheUsualOrder() {
        MeshSpec spec = MeshSpec.of(Map.of("tp", 2, "pp", 4, "dp", 2), MEGATRON);
        assertThat(spec).hasToString("tp=2,cp=1,ep=1,dp=2,pp=4");
        assertThat(ranks(spec.along("tp")))
                .startsWith(List.of(0, 1), List.of(2, 3))
                .hasSize(8);
        assertThat(ranks(spec.along("dp"))).startsWith(List.of(0, 2), List.of(1, 3), List.of(4, 6), List.of(5, 7));
        assertThat(ranks(spec.along("pp")))
                .containsExactly(
                        List.of(0, 4, 8, 12), List.of(1, 5, 9, 13), List.of(2, 6, 10, 14), List.of(3, 7, 11, 15));
    }

    @Test
    void eightRanksWithPipelinesInsideReplicas() {
        MeshSpec spec = MeshSpec.parse("tp=2,pp=2,dp=2");
        assertThat(ranks(spec.along("dp"))).containsExactly(List.of(0, 4), List.of(1, 5), List.of(2, 6), List.of(3, 7));
        assertThat(ranks(spec.along("pp", "tp"))).containsExactly(List.of(0, 1, 2, 3), List.of(4, 5, 6, 7));
        assertThat(spec.along("dp", "tp").group(1)).hasToString("tp-dp_1 [2,3,6,7]");
    }

    @Test
    void groupsAreCountedWithTheFirstDimensionFastest() {
        GroupFamily family = MeshSpec.parse("tp=2,dp=3,pp=4").along("dp");
        assertThat(family.group(0).ranks()).hasToString("0,2,4");
        assertThat(family.group(1).ranks()).hasToString("1,3,5");
        assertThat(family.group(7).ranks()).hasToString("19,21,23");
        assertThat(family.find("dp_7")).contains(family.group(7));
        assertThat(List.of("dp_8", "dp_07", "dp_", "dp_-1", "dp_99999999999", "tp_0"))
                .allMatch(name -> family.find(name).isEmpty());
    }

    @Test
    void aLargeDimensionThatTheOrderLeavesOutIsRefused() {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        sizes.put("tp", 2);
        sizes.put("ep", 1);
        sizes.put("cp", 2);
        assertRefused(
                MeshPlanError.BAD_ORDER,
                "order tp-dp leaves out cp, whose size is 2",
                () -> MeshSpec.of(sizes, "tp-dp"));
        assertThat(MeshSpec.of(sizes, "cp-tp")).hasToString("cp=2,tp=2,ep=1");
        assertRefused(MeshPlanError.BAD_ORDER, "names tp twice", () -> MeshSpec.of(sizes, "tp-cp-tp"));
        assertRefused(MeshPlanError.BAD_NAME, "'TP'", () -> MeshSpec.of(sizes, "TP-cp"));
    }

    @Test
    void anotherOrderMovesTheRanks() {
        MeshSpec spec = MeshSpec.parse("tp=2,pp=2,dp=2");
        MeshSpec other = spec.withOrder("dp-tp-pp");
        assertThat(other.order()).isEqualTo("dp-tp-pp");
        assertThat(other).isNotEqualTo(spec);
        assertThat(ranks(other.along("dp"))).startsWith(List.of(0, 1), List.of(2, 3));
        assertRefused(MeshPlanError.UNKNOWN_DIMENSION, "no dimension 'xp'", () -> spec.withOrder("tp-pp-dp-xp"));
    }

    @Test
    void neighboursStopAtTheEndsOrGoRound() {
        MeshSpec spec = MeshSpec.parse("tp=2,pp=3");
        assertThat(spec.findNext(1, "pp", Wrap.STOP)).hasValue(3);
        assertThat(spec.findNext(5, "pp", Wrap.STOP)).isEqualTo(OptionalInt.empty());
        assertThat(spec.findNext(5, "pp", Wrap.AROUND)).hasValue(1);
        assertThat(spec.findPrevious(1, "pp", Wrap.STOP)).isEmpty();
        assertThat(spec.findPrevious(0, "pp", Wrap.AROUND)).hasValue(4);
        assertThat(MeshSpec.parse("tp=1").findNext(0, "tp", Wrap.AROUND)).hasValue(0);
        assertThat(MeshSpec.parse("tp=1").findNext(0, "tp", Wrap.STOP)).isEmpty();
    }

    @Test
    void slicesAreMeshesThatKnowTheirPlaceInTheWorld() {
        MeshSpec spec = MeshSpec.parse("tp=2,pp=2,dp=2");
        Slice slice = spec.slice(5, "tp", "dp");
        assertThat(slice.spec()).hasToString("tp=2,dp=2");
        assertThat(slice.ranks()).hasToString("0,1,4,5");
        assertThat(slice.findFromWorld(5)).hasValue(3);
        assertThat(slice.findFromWorld(2)).isEmpty();
        assertThat(slice.toWorld(2)).isEqualTo(4);
        assertThat(slice.slice(3, "dp").ranks()).hasToString("1,5");
        assertRefused(MeshPlanError.NOT_CONTIGUOUS, "in the mesh's order", () -> spec.slice(0, "dp", "tp"));
        assertRefused(MeshPlanError.NOT_CONTIGUOUS, "once", () -> spec.slice(0, "tp", "tp"));
    }

    @Test
    void neighbouringDimensionsCanBeMadeOneAndSplitAgain() {
        MeshSpec spec = MeshSpec.parse("tp=2,cp=3,dp=4");
        MeshSpec flat = spec.flatten("model", "tp", "cp");
        assertThat(flat).hasToString("model=6,dp=4");
        assertThat(flat.along("model").group(1).ranks())
                .isEqualTo(spec.along("tp", "cp").group(1).ranks());
        assertThat(flat.split("model", new MeshDimension("tp", 2), new MeshDimension("cp", 3)))
                .isEqualTo(spec);
        assertRefused(MeshPlanError.NOT_CONTIGUOUS, "do not follow", () -> spec.flatten("x", "tp", "dp"));
        assertRefused(MeshPlanError.BAD_NAME, "dp appears twice", () -> spec.flatten("dp", "tp", "cp"));
        assertRefused(
                MeshPlanError.SHAPE_MISMATCH, "cannot be split", () -> spec.split("dp", new MeshDimension("a", 3)));
    }

    @Test
    void whatIsPrintedCanBeRead() {
        for (String text : List.of("tp=2,pp=2,dp=2", "x_1=1", "a=2147483647")) {
            assertThat(MeshSpec.parse(text)).hasToString(text);
        }
        assertThat(MeshSpec.parse(" tp = 2 , dp = 3 ")).hasToString("tp=2,dp=3");
    }

    @Test
    void badTextIsRefusedWithWhatToDo() {
        assertRefused(MeshPlanError.BAD_TEXT, "such as tp=2,pp=2,dp=2", () -> MeshSpec.parse(" "));
        assertRefused(MeshPlanError.BAD_TEXT, "'tp' is not a dimension", () -> MeshSpec.parse("tp"));
        assertRefused(MeshPlanError.BAD_TEXT, "'' is not a dimension", () -> MeshSpec.parse("tp=2,"));
        assertRefused(MeshPlanError.BAD_NAME, "tp appears twice", () -> MeshSpec.parse("tp=2,tp=2"));
        assertRefused(MeshPlanError.BAD_SIZE, "not 'two'", () -> MeshSpec.parse("tp=two"));
        assertRefused(MeshPlanError.BAD_SIZE, "not '-1'", () -> MeshSpec.parse("tp=-1"));
        assertRefused(MeshPlanError.BAD_SIZE, "at least 1, not 0", () -> MeshSpec.parse("tp=0"));
        assertRefused(MeshPlanError.BAD_SIZE, "too large", () -> MeshSpec.parse("tp=2147483648"));
        assertRefused(MeshPlanError.BAD_SIZE, "at most 2147483647 ranks", () -> MeshSpec.parse("tp=65536,dp=32768"));
        assertRefused(MeshPlanError.BAD_NAME, "begins with a letter", () -> MeshSpec.parse("1p=2"));
        assertRefused(MeshPlanError.BAD_SIZE, "1 to 32 dimensions", () -> MeshSpec.of(Collections.emptyList()));
        assertRefused(
                MeshPlanError.UNKNOWN_DIMENSION,
                "did you mean tp?",
                () -> MeshSpec.parse("tp=2").size("tpp"));
    }

    @Test
    void ranksAndCoordinatesOutsideAreRefused() {
        MeshSpec spec = MeshSpec.parse("tp=2,dp=2");
        assertRefused(
                MeshPlanError.RANK_OUT_OF_BOUNDS, "Rank 4 out of bounds for world size 4", () -> spec.coordinates(4));
        assertRefused(MeshPlanError.RANK_OUT_OF_BOUNDS, "Rank -1 out of", () -> spec.coordinate(-1, "tp"));
        assertRefused(MeshPlanError.RANK_OUT_OF_BOUNDS, "tp=2 has no coordinate 2", () -> spec.rank(2, 0));
        assertRefused(MeshPlanError.SHAPE_MISMATCH, "2 coordinates, not 1", () -> spec.rank(0));
    }

    // The same on every machine and in every version: ranks of a mesh compare it.
    @Test
    void theHashIsWhatItWas() {
        assertThat(PlanHash.of("muster-mesh-spec-1\n" + MeshSpec.parse("tp=2,pp=2,dp=2") + "\n"))
                .isEqualTo(HexFormat.fromHexDigitsToLong(SPEC_HASH));
    }

    /// `printf 'muster-mesh-spec-1\ntp=2,pp=2,dp=2\n' | sha256sum | cut -c1-16`
    private static final String SPEC_HASH = "d745f0b34932f80c";

    @Test
    void anotherShapeHasAsManyRanks() {
        MeshSpec spec = MeshSpec.parse("tp=4,dp=2");
        assertThat(spec.reshape(new MeshDimension("tp", 2), new MeshDimension("pp", 4))
                        .order())
                .isEqualTo("tp-pp");
        assertRefused(MeshPlanError.SHAPE_MISMATCH, "has as many", () -> spec.reshape(new MeshDimension("tp", 3)));
    }
}
