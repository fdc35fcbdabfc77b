// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import static dev.muster.mesh.store.StoreConformanceTest.bytes;
import static dev.muster.mesh.store.StoreKind.LONG;
import static dev.muster.mesh.store.StoreKind.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.ChildJvm;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A store behind a socket, with members in processes of their own that are killed and stopped.
@Needs(Need.POSIX)
class TcpStoreProcessTest {
    private static final TcpStoreConfig CONFIG = TcpStoreConfig.of(SECRET);
    private static final String PATIENT = "60000";

    @Test
    void processesMeetAndCountTogether() {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG);
                ChildJvm one = ChildJvm.start(StoreMember.class, "tcp", port(server), PATIENT, "add", "500");
                ChildJvm two = ChildJvm.start(StoreMember.class, "tcp", port(server), PATIENT, "add", "500");
                Store own = server.open()) {
            for (ChildJvm child : List.of(one, two)) {
                assertThat(child.line()).isEqualTo("open");
                assertThat(child.line()).startsWith("last ");
                assertThat(child.line()).isEqualTo("closed");
                assertThat(child.exit()).isZero();
            }
            assertThat(own.find("count")).hasValue(bytes("1000"));
        }
    }

    @Test
    void aKilledMemberIsNoticedAtOnce() {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG);
                Store own = server.open();
                ChildJvm child = ChildJvm.start(StoreMember.class, "tcp", port(server), PATIENT, "join", "3")) {
            own.await("member/3", LONG);
            assertThat(child.line()).isEqualTo("open");
            assertThat(child.line()).isEqualTo("joined");
            child.signal("KILL");

            assertThat(own.await("lost/3", LONG)).isEqualTo(bytes("without a word"));
            assertThat(own.find("member/3")).isEmpty();
            assertThat(server.connections()).isZero();
        }
    }

    @Test
    void aMemberThatLeavesIsNoLoss() {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG);
                Store own = server.open();
                ChildJvm child = ChildJvm.start(StoreMember.class, "tcp", port(server), PATIENT, "join", "3")) {
            own.await("member/3", LONG);
            child.tell("leave");
            assertThat(child.exit()).isZero();
            assertThat(own.find("lost/3")).isEmpty();
            assertThat(own.find("member/3")).isEmpty();
        }
    }

    @Test
    void aStoppedMemberIsSilentThenLostAndLearnsThatItIsOut() {
        TcpStoreConfig hasty = CONFIG.withSilence(Duration.ofMillis(500));
        try (TcpStoreServer server = TcpStoreServer.start(hasty);
                Store own = server.open();
                ChildJvm child = ChildJvm.start(StoreMember.class, "tcp", port(server), "500", "join", "3")) {
            own.await("member/3", LONG);
            assertThat(child.line()).isEqualTo("open");
            assertThat(child.line()).isEqualTo("joined");
            child.signal("STOP");

            own.await("lost/3", LONG);
            child.signal("CONT");
            child.tell("are you still there?");
            assertThat(child.line()).isEqualTo("lost");
        }
    }

    @Test
    void membersLearnThatTheServerIsGone() {
        TcpStoreServer server = TcpStoreServer.start(CONFIG);
        try (ChildJvm child = ChildJvm.start(StoreMember.class, "tcp", port(server), PATIENT, "await", "never")) {
            assertThat(child.line()).isEqualTo("open");
            assertThat(child.line()).isEqualTo("waiting");
            server.close();
            assertThat(child.line()).isEqualTo("lost");
            assertThat(child.exit()).isZero();
        } finally {
            server.close();
        }
    }

    private static String port(TcpStoreServer server) {
        return Integer.toString(server.address().getPort());
    }
}
