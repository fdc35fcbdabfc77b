// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.RegistryDocument;
import dev.muster.monitor.Sampler.Sample;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// `/api/v1/registry`, at once or when there is one newer than the client's: `?after=N&wait=30s` holds the answer back
/// until then, or until the time is over. No thread waits. Safe to share between threads.
final class RegistryWaits {
    static final int MOST_SECONDS = 30;
    private static final int MOST_WAITING = 2048;

    private final SampleDocuments documents;
    private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();

    RegistryWaits(SampleDocuments documents) {
        this.documents = documents;
    }

    CompletableFuture<Answer> answer(ServerRequest asked) {
        long after = asked.number("after", -1, 0, Long.MAX_VALUE);
        long seconds = seconds(asked.find("wait").orElse("0"));
        Sample newest = documents.newest();
        if (newest.number() > after || seconds == 0) {
            return CompletableFuture.completedFuture(answer(newest));
        }
        if (waiting.size() >= MOST_WAITING) {
            throw Refusal.busy("too-many-waiting", "too many clients are waiting already", 5);
        }
        Waiter waiter = new Waiter(after);
        waiting.add(waiter);
        // One may have come between the look above and the entry.
        Sample now = documents.newest();
        if (now.number() > after) {
            waiter.answer.complete(answer(now));
        }
        return waiter.answer
                .completeOnTimeout(answer(newest), seconds, TimeUnit.SECONDS)
                .whenComplete((_, _) -> waiting.remove(waiter));
    }

    private static long seconds(String text) {
        String digits = text.endsWith("s") ? text.substring(0, text.length() - 1) : text;
        if (digits.matches("[0-9]{1,2}") && Integer.parseInt(digits) <= MOST_SECONDS) {
            return Integer.parseInt(digits);
        }
        throw Refusal.badRequest("'wait' is a time from 0s to " + MOST_SECONDS + "s");
    }

    /// Answers the clients that waited for a sample.
    void tell(Sample sample) {
        for (Waiter waiter : waiting) {
            if (sample.number() > waiter.after) {
                waiter.answer.complete(answer(sample));
            }
        }
    }

    private Answer answer(Sample newest) {
        return documents.answer(
                newest,
                "registry",
                sample -> new Answer(
                        200,
                        "application/json",
                        (RegistryDocument.write(sample.registry()) + "\n").getBytes(StandardCharsets.UTF_8),
                        documents.tag(sample),
                        Map.of("Muster-Sample", String.valueOf(sample.number()))));
    }

    /// A client that waits for a sample after one.
    private static final class Waiter {
        final long after;
        final CompletableFuture<Answer> answer = new CompletableFuture<>();

        Waiter(long after) {
            this.after = after;
        }
    }
}
