// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LinkTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private static Link withState(Reading<Link.LinkState> state) {
        return new Link(A, B, LinkKind.NVLINK, 1, Reading.notProbed(), state);
    }

    @Test
    void joinsTwoNodesWithAtLeastOneLane() {
        assertThatIllegalArgumentException().isThrownBy(() -> Link.of(A, A, LinkKind.PCIE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Link(A, B, LinkKind.PCIE, 0, Reading.notProbed(), Reading.notProbed()));
        assertThat(Link.of(A, B, LinkKind.PCIE).lanes()).isEqualTo(1);
    }

    @Test
    void hasTwoEnds() {
        Link link = Link.of(A, B, LinkKind.PCIE);
        assertThat(link.otherEnd(A)).isEqualTo(B);
        assertThat(link.otherEnd(B)).isEqualTo(A);
        assertThat(link.touches(A)).isTrue();
        assertThat(link.touches(new NodeId("c"))).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> link.otherEnd(new NodeId("c")));
    }

    @Test
    void isDownOnlyWhenThatIsKnown() {
        assertThat(withState(Reading.known(Link.LinkState.DOWN, Provenance.GIVEN))
                        .isDown())
                .isTrue();
        assertThat(withState(Reading.known(Link.LinkState.UP, Provenance.GIVEN)).isDown())
                .isFalse();
        assertThat(withState(Reading.unknown(UnknownReason.NOT_PERMITTED)).isDown())
                .isFalse();
    }

    @Test
    void fabricsJoinDevicesPastTheHost() {
        assertThat(LinkKind.values())
                .filteredOn(LinkKind::isDeviceFabric)
                .containsExactly(
                        LinkKind.NVLINK,
                        LinkKind.NVLINK_C2C,
                        LinkKind.XGMI,
                        LinkKind.XE_LINK,
                        LinkKind.ICI,
                        LinkKind.NEURON_LINK,
                        LinkKind.ACCELERATOR_ETHERNET);
    }

    @Test
    void aNodeIdIsNotBlank() {
        assertThatIllegalArgumentException().isThrownBy(() -> new NodeId(""));
        assertThat(new NodeId("a")).isLessThan(new NodeId("b")).hasToString("a");
    }
}
