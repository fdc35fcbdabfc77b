// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class QuestionWorkTest {
    private static final Answer ANSWER = Answer.text("done");
    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void aHeavyQuestionDoesNotDelayALightOne() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (QuestionWork work = new QuestionWork(LONG)) {
            List<CompletableFuture<Answer>> heavy = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                heavy.add(work.answer(true, () -> await(release)));
            }
            assertThat(work.answer(false, () -> ANSWER).get()).isSameAs(ANSWER);
            assertThat(heavy).noneMatch(CompletableFuture::isDone);
            release.countDown();
            for (CompletableFuture<Answer> one : heavy) {
                assertThat(one.get()).isSameAs(ANSWER);
            }
        }
    }

    @Test
    void workThatTakesTooLongIsInterruptedAndTheNextIsAnswered() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        try (QuestionWork work = new QuestionWork(Duration.ofMillis(50))) {
            CompletableFuture<Answer> endless = work.answer(true, () -> {
                try {
                    return await(new CountDownLatch(1));
                } finally {
                    interrupted.countDown();
                }
            });
            assertThat(refusal(endless).code()).isEqualTo("question-too-large");
            interrupted.await();
        }
    }

    @Test
    void onlyAFewWait() {
        CountDownLatch release = new CountDownLatch(1);
        try (QuestionWork work = new QuestionWork(LONG)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            work.answer(true, () -> await(release));
                        }
                    })
                    .isInstanceOfSatisfying(
                            Refusal.class, refused -> assertThat(refused.code()).isEqualTo("planner-busy"));
            release.countDown();
        }
    }

    private static Refusal refusal(CompletableFuture<Answer> answer) throws InterruptedException {
        try {
            answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Refusal refusal) {
                return refusal;
            }
            throw new AssertionError(e);
        }
        throw new AssertionError("it was answered");
    }

    private static Answer await(CountDownLatch latch) {
        try {
            latch.await();
            return ANSWER;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
