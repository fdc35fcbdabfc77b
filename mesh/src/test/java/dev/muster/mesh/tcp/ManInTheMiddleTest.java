// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.muster.mesh.ManInTheMiddle;
import dev.muster.mesh.ManInTheMiddle.Trick;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.collective.StoreContext;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Two members whose bytes go through a third party that changes them: they fail with a sentence, and never get a wrong
/// sum.
class ManInTheMiddleTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Secret OTHER_SECRET = Secret.of("ffffffffffffffffffffffffffffffff");
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(3));
    private static final String KEY = "group/world/tcp/0";
    private static final int ELEMENTS = 100_000;

    private final MemoryStore hub = MemoryStore.create();
    private final MemoryStore otherHub = MemoryStore.create();
    private final Store store = hub.open();
    private final Store otherStore = otherHub.open();

    /// Members wait for the addresses of all others; the first one dials none.
    @BeforeEach
    void announceTheOtherMember() {
        store.set("group/world/tcp/1", "127.0.0.1 1".getBytes(StandardCharsets.UTF_8));
    }

    @AfterEach
    void closeStores() {
        hub.close();
        otherHub.close();
    }

    private static FutureTask<ProcessGroup> member(int rank, Store store, Secret secret, String tls) {
        return started(() -> {
            GroupIdentity group = GroupIdentity.world(2, rank, 1);
            StoreContext context = new StoreContext(store, secret, LIMIT, 2, Map.of("MUSTER_MESH_TLS", tls));
            return ProcessGroup.of(group, new TcpProvider().open(group, context), LIMIT, UnaryOperator.identity());
        });
    }

    private static <T> FutureTask<T> started(java.util.concurrent.Callable<T> what) {
        FutureTask<T> task = new FutureTask<>(what);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private ManInTheMiddle between() throws Exception {
        String[] where = new String(store.await(KEY, LIMIT), StandardCharsets.UTF_8).split(" ");
        ManInTheMiddle man = ManInTheMiddle.before(
                new InetSocketAddress(InetAddress.ofLiteral(where[0]), Integer.parseInt(where[1])));
        otherStore.set(KEY, (where[0] + " " + man.address().getPort()).getBytes(StandardCharsets.UTF_8));
        return man;
    }

    /// The sum of what two ranks have, on each of them; the failure of those that fail.
    private static Throwable sum(ProcessGroup group, int elements) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, elements);
            for (int i = 0; i < elements; i++) {
                numbers.setAtIndex(ValueLayout.JAVA_INT, i, i + group.rank());
            }
            Throwable failure = catchThrowable(() -> group.allReduce(numbers, DType.INT32, ReduceOp.SUM));
            for (int i = 0; i < elements && failure == null; i++) {
                assertThat(numbers.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(2 * i + 1);
            }
            return failure;
        }
    }

    /// The other member may wait for the one that failed until that one has left.
    private static void endFirst(ProcessGroup one, FutureTask<Throwable> other) throws Exception {
        one.close();
        Waiting.result(other);
    }

    private static Throwable failure(FutureTask<?> task) {
        return Objects.requireNonNull(
                ((ExecutionException) catchThrowable(() -> task.get(Waiting.seconds(60), TimeUnit.SECONDS)))
                        .getCause());
    }

    @ParameterizedTest
    @EnumSource(
            value = Trick.class,
            names = {"FLIP", "REPEAT", "LEAVE_OUT", "CUT"})
    void underTlsWhateverIsDoneToTheBytesEndsTheCall(Trick trick) throws Exception {
        FutureTask<ProcessGroup> first = member(0, store, SECRET, "always");
        try (ManInTheMiddle man = between()) {
            FutureTask<ProcessGroup> second = member(1, otherStore, SECRET, "always");
            try (ProcessGroup one = Waiting.result(first);
                    ProcessGroup other = Waiting.result(second)) {
                FutureTask<Throwable> clean = started(() -> sum(other, ELEMENTS));
                assertThat(sum(one, ELEMENTS)).isNull();
                assertThat(Waiting.result(clean)).isNull();

                man.play(trick);
                FutureTask<Throwable> theirs = started(() -> sum(other, ELEMENTS));
                Throwable ours = sum(one, ELEMENTS);
                // The bytes to the first are changed; the second may have its sum before the connection ends.
                assertThat(ours).isInstanceOfSatisfying(GroupException.class, failure -> {
                    assertThat(failure.getMessage()).contains("all-reduce", "rank 1");
                    assertThat(failure.missingRanks()).containsExactly(1);
                });
                endFirst(one, theirs);
            }
        }
    }

    @Test
    void inTheOpenAChangedHeadIsRefused() throws Exception {
        FutureTask<ProcessGroup> first = member(0, store, SECRET, "auto");
        try (ManInTheMiddle man = between()) {
            FutureTask<ProcessGroup> second = member(1, otherStore, SECRET, "auto");
            try (ProcessGroup one = Waiting.result(first);
                    ProcessGroup other = Waiting.result(second)) {
                man.play(Trick.FLIP);
                FutureTask<Throwable> theirs = started(() -> sum(other, 2));
                assertThat(sum(one, 2)).isInstanceOfSatisfying(GroupException.class, failure -> {
                    assertThat(failure.code()).isEqualTo(GroupError.PROTOCOL);
                    assertThat(failure)
                            .hasMessageContaining("rank 1: the bytes that arrived are not a frame of this mesh");
                });
                endFirst(one, theirs);
            }
        }
    }

    @Test
    void inTheOpenARepeatedMessageIsRefused() throws Exception {
        FutureTask<ProcessGroup> first = member(0, store, SECRET, "auto");
        try (ManInTheMiddle man = between()) {
            FutureTask<ProcessGroup> second = member(1, otherStore, SECRET, "auto");
            try (ProcessGroup one = Waiting.result(first);
                    ProcessGroup other = Waiting.result(second)) {
                man.play(Trick.REPEAT);
                FutureTask<Throwable> theirs = started(() -> sum(other, 2));
                assertThat(sum(one, 2)).isNull();
                assertThat(Waiting.result(theirs)).isNull();
                FutureTask<Throwable> again = started(() -> sum(other, 2));
                assertThat(sum(one, 2))
                        .isInstanceOfSatisfying(
                                GroupException.class,
                                failure -> assertThat(failure.code()).isEqualTo(GroupError.PROTOCOL));
                endFirst(one, again);
            }
        }
    }

    @Test
    void aMemberWithAnotherSecretIsNamedOnBothEnds() {
        FutureTask<ProcessGroup> first = member(0, store, SECRET, "always");
        FutureTask<ProcessGroup> second = member(1, store, OTHER_SECRET, "always");
        assertThat(failure(second)).isInstanceOfSatisfying(GroupException.class, failure -> {
            assertThat(failure.code()).isEqualTo(GroupError.REFUSED);
            assertThat(failure).hasMessageContaining("rank 0 at ").hasMessageContaining("has another secret");
        });
        assertThat(failure(first))
                .isInstanceOf(GroupException.class)
                .hasMessageContaining("was refused: the other side says that this side has another secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"always never", "never always"})
    void membersThatWantTheOppositeAreToldBothSettings(String both) {
        List<String> settings = List.of(both.split(" "));
        FutureTask<ProcessGroup> first = member(0, store, SECRET, settings.get(0));
        FutureTask<ProcessGroup> second = member(1, store, SECRET, settings.get(1));
        assertThat(failure(second)).isInstanceOfSatisfying(GroupException.class, failure -> {
            assertThat(failure.code()).isEqualTo(GroupError.REFUSED);
            assertThat(failure).hasMessageContaining("=never").hasMessageContaining("=always");
        });
        assertThat(failure(first)).hasMessageContaining("=never").hasMessageContaining("=always");
    }

    @Test
    void aWordThatIsNoSettingIsRefused() {
        assertThat(failure(member(0, store, SECRET, "perhaps")))
                .isInstanceOf(GroupException.class)
                .hasMessageContaining("MUSTER_MESH_TLS is auto, always or never, not 'perhaps'");
    }
}
