// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import static dev.muster.mesh.store.StoreKind.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.Store.Watch;
import dev.muster.mesh.store.StoreException.StoreError;
import dev.muster.testing.Waiting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The contract of every store.
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreConformanceTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    private final StoreKind kind;

    @TempDir
    Path folder;

    private StoreKind.Meeting meeting;
    private Store one;
    private Store two;

    StoreConformanceTest(StoreKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void meet() {
        meeting = kind.meet(folder);
        one = meeting.open();
        two = meeting.open();
    }

    @AfterEach
    void part() {
        meeting.close();
    }

    @Test
    void oneSeesWhatTheOtherSets() {
        assertThat(two.find("key")).isEmpty();
        one.set("key", bytes("first"));
        assertThat(two.find("key")).hasValue(bytes("first"));
        two.set("key", bytes(""));
        assertThat(one.find("key")).hasValue(new byte[0]);
        assertThat(one.delete("key")).isTrue();
        assertThat(two.delete("key")).isFalse();
        assertThat(two.find("key")).isEmpty();
    }

    @Test
    void keepsValuesOfItsOwn() {
        byte[] value = bytes("value");
        one.set("key", value);
        value[0] = 'X';
        one.find("key").orElseThrow()[1] = 'X';
        one.await("key", LONG)[2] = 'X';

        assertThat(two.find("key")).hasValue(bytes("value"));
    }

    @Test
    void waitsUntilAKeyIsThere() {
        CompletableFuture<byte[]> waiting = CompletableFuture.supplyAsync(() -> one.await("late", LONG), thread());
        two.set("other", bytes("x"));
        two.set("late", bytes("here"));

        assertThat(waiting.join()).isEqualTo(bytes("here"));
        assertThat(one.await("late", Duration.ZERO)).as("already there").isEqualTo(bytes("here"));
    }

    @Test
    void givesAllValuesInTheOrderAskedFor() {
        CompletableFuture<Map<String, byte[]>> waiting =
                CompletableFuture.supplyAsync(() -> one.awaitAll(List.of("c", "a", "b", "a"), LONG), thread());
        two.set("a", bytes("1"));
        two.set("b", bytes("2"));
        two.set("c", bytes("3"));

        assertThat(waiting.join().keySet()).containsExactly("c", "a", "b");
        assertThat(waiting.join().values()).containsExactly(bytes("3"), bytes("1"), bytes("2"));
    }

    @Test
    void namesTheKeysThatNobodySet() {
        one.set("rank/0", bytes("here"));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> two.awaitAll(List.of("rank/0", "rank/1", "rank/2"), SHORT))
                .satisfies(e -> assertThat(e.code()).isEqualTo(StoreError.LIMIT_EXCEEDED))
                .satisfies(e -> assertThat(e.missing()).hasSize(2).allMatch(key -> key.matches(".*rank/[12]")))
                .withMessageContaining("rank/1")
                .withMessageContaining("rank/2")
                .withMessageContaining("50 ms");
    }

    @Test
    void addsForManyThreadsWithoutLosingAny() {
        int threads = 4;
        int each = 50;
        List<CompletableFuture<List<Long>>> adders = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Store store = i % 2 == 0 ? one : two;
            adders.add(CompletableFuture.supplyAsync(
                    () -> {
                        List<Long> sums = new ArrayList<>();
                        for (int n = 0; n < each; n++) {
                            sums.add(store.add("count", 1));
                        }
                        return sums;
                    },
                    thread()));
        }
        List<Long> sums =
                adders.stream().flatMap(adder -> adder.join().stream()).toList();

        assertThat(sums).doesNotHaveDuplicates().hasSize(threads * each);
        assertThat(one.add("count", 0)).isEqualTo((long) threads * each);
        assertThat(one.find("count")).hasValue(bytes("200"));
        assertThat(two.add("count", -201)).isEqualTo(-1);
    }

    @Test
    void addsOnlyToNumbers() {
        one.set("text", bytes("twelve"));
        one.set("large", bytes(Long.toString(Long.MAX_VALUE)));

        assertFault(StoreError.NOT_A_COUNTER, () -> two.add("text", 1));
        assertFault(StoreError.NOT_A_COUNTER, () -> two.add("large", 1));
        assertThat(one.find("text")).hasValue(bytes("twelve"));
    }

    @Test
    void oneOfManyIsFirst() {
        List<CompletableFuture<Boolean>> racers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Store store = i % 2 == 0 ? one : two;
            byte[] name = bytes("racer " + i);
            racers.add(CompletableFuture.supplyAsync(() -> store.setIfAbsent("leader", name), thread()));
        }
        assertThat(racers.stream().map(CompletableFuture::join).filter(won -> won))
                .hasSize(1);
    }

    @Test
    void replacesOnlyWhatIsExpected() {
        assertThat(one.compareAndSet("key", bytes(""), bytes("x"))).isFalse();
        one.set("key", bytes("old"));
        assertThat(two.compareAndSet("key", bytes("older"), bytes("new"))).isFalse();
        assertThat(two.compareAndSet("key", bytes("old"), bytes("new"))).isTrue();
        assertThat(one.find("key")).hasValue(bytes("new"));
        assertThat(one.setIfAbsent("key", bytes("never"))).isFalse();
    }

    @Test
    void listsKeysByPrefix() {
        one.set("b/2", bytes(""));
        one.set("b/1", bytes(""));
        one.set("a", bytes(""));
        one.set("ä/ü", bytes(""));

        assertThat(two.keys("b/")).containsExactly("b/1", "b/2");
        assertThat(two.keys("")).containsExactly("a", "b/1", "b/2", "ä/ü");
        assertThat(two.keys("c")).isEmpty();
    }

    @Test
    void aPrefixKeepsKeysApart() {
        Store inner = one.withPrefix("group/");
        inner.set("rank", bytes("7"));

        assertThat(two.find("group/rank")).hasValue(bytes("7"));
        assertThat(inner.find("group/rank")).isEmpty();
        assertThat(inner.keys("")).containsExactly("rank");
        assertThat(inner.awaitAll(List.of("rank"), LONG)).containsOnlyKeys("rank");
    }

    @Test
    void aWatchTellsWhatIsThereAndWhatChanges() throws InterruptedException {
        one.set("w/1", bytes("a"));
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (Watch _ = two.watch("w/", listener(heard))) {
            assertThat(heard.poll(Waiting.seconds(60), TimeUnit.SECONDS)).isEqualTo("set w/1 a");
            one.set("x", bytes("unheard"));
            one.set("w/2", bytes("b"));
            assertThat(heard.poll(Waiting.seconds(60), TimeUnit.SECONDS)).isEqualTo("set w/2 b");
            one.delete("w/1");
            assertThat(heard.poll(Waiting.seconds(60), TimeUnit.SECONDS)).isEqualTo("delete w/1");
        }
        one.set("w/3", bytes("after the end"));
        assertThat(two.find("w/3")).isPresent();
        assertThat(heard).isEmpty();
    }

    @Test
    void aListenerThatFailsIsToldSoAndNothingElseSuffers() throws InterruptedException {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        Watch watch = two.watch("w/", new Listener() {
            @Override
            public void onSet(String key, byte[] value) {
                throw new IllegalStateException("too much");
            }

            @Override
            public void onEnd(StoreException reason) {
                heard.add(reason.code().text());
            }
        });
        one.set("w/1", bytes("a"));

        assertThat(heard.poll(Waiting.seconds(60), TimeUnit.SECONDS)).isEqualTo("listener-failed");
        watch.close();
        two.set("w/2", bytes("b"));
        assertThat(one.find("w/2")).isPresent();
    }

    @Test
    void knowsHowLongAgoAKeyWasSet() {
        assertThat(one.findAge("key")).isEmpty();
        one.set("key", bytes(""));
        assertThat(two.findAge("key")).hasValueSatisfying(age -> assertThat(age).isBetween(Duration.ZERO, LONG));
    }

    @Test
    void refusesWhatIsTooLargeOrNoKey() {
        String longest = "k".repeat(StoreLimits.MAX_KEY_BYTES - (kind == StoreKind.PREFIX ? 7 : 0));
        byte[] largest = new byte[StoreLimits.MAX_VALUE_BYTES];
        one.set(longest, largest);
        assertThat(two.find(longest)).hasValue(largest);

        assertFault(StoreError.TOO_LARGE, () -> one.set(longest + "k", bytes("")));
        assertFault(StoreError.TOO_LARGE, () -> one.set("key", new byte[StoreLimits.MAX_VALUE_BYTES + 1]));
        assertFault(StoreError.ILLEGAL_KEY, () -> one.set("", bytes("")));
        assertFault(StoreError.ILLEGAL_KEY, () -> one.set("line\nbreak", bytes("")));
        assertFault(StoreError.ILLEGAL_KEY, () -> one.set("half\ud800", bytes("")));
        assertFault(StoreError.ILLEGAL_KEY, () -> one.awaitAll(List.of(), LONG));
    }

    @Test
    void closingEndsWhoeverWaits() {
        CompletableFuture<byte[]> waiting = CompletableFuture.supplyAsync(() -> one.await("never", LONG), thread());
        CompletableFuture<byte[]> others = CompletableFuture.supplyAsync(() -> two.await("later", LONG), thread());
        two.set("ready", bytes(""));
        one.close();
        one.close();

        assertThatExceptionOfType(Exception.class)
                .isThrownBy(waiting::join)
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(StoreError.CLOSED));
        assertFault(StoreError.CLOSED, () -> one.find("ready"));
        assertFault(StoreError.CLOSED, () -> one.set("ready", bytes("")));
        two.set("later", bytes("still here"));
        assertThat(others.join()).isEqualTo(bytes("still here"));
    }

    @Test
    void anInterruptEndsTheWaitOfOneThreadAlone() throws InterruptedException {
        BlockingQueue<StoreError> ends = new LinkedBlockingQueue<>();
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                one.await("never", LONG);
            } catch (StoreException e) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                ends.add(e.code());
            }
        });
        waiting.interrupt();

        assertThat(ends.poll(Waiting.seconds(60), TimeUnit.SECONDS)).isEqualTo(StoreError.INTERRUPTED);
        waiting.join();
        one.set("key", bytes("works"));
        assertThat(two.find("key")).isPresent();
    }

    @Test
    void ephemeralKeysGoWithTheirMemberAndLeavingIsNoLoss() {
        if (!kind.noticesLoss()) {
            assertFault(StoreError.UNSUPPORTED, () -> one.setEphemeral("member/1", bytes("")));
            assertFault(StoreError.UNSUPPORTED, () -> one.setOnLoss("lost/1", bytes("")));
            return;
        }
        one.setEphemeral("member/1", bytes("here"));
        one.setEphemeral("taken-over", bytes("free"));
        one.withPrefix("in/").setEphemeral("side", bytes("here"));
        one.set("stays", bytes("here"));
        one.setOnLoss("lost/1", bytes("gone"));
        two.set("taken-over", bytes("free"));
        assertThat(two.find("member/1")).isPresent();
        assertThat(two.find("in/side")).isPresent();
        one.close();

        assertThat(two.find("member/1")).isEmpty();
        assertThat(two.find("in/side")).isEmpty();
        assertThat(two.find("taken-over")).isPresent();
        assertThat(two.find("stays")).isPresent();
        assertThat(two.find("lost/1")).as("closing is not a loss").isEmpty();
    }

    private static Listener listener(BlockingQueue<String> heard) {
        return new Listener() {
            @Override
            public void onSet(String key, byte[] value) {
                heard.add("set " + key + " " + text(value));
            }

            @Override
            public void onDelete(String key) {
                heard.add("delete " + key);
            }
        };
    }

    private static Executor thread() {
        return Thread::startVirtualThread;
    }

    static void assertFault(StoreError fault, Runnable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call::run)
                .satisfies(e -> assertThat(e.code()).isEqualTo(fault));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
