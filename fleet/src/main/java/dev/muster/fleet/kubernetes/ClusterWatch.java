// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static dev.muster.fleet.json.JsonFields.find;
import static dev.muster.fleet.json.JsonFields.text;

import dev.muster.core.Gap;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.detect.host.Deadline;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetListener;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.SourceReport;
import dev.muster.fleet.json.JsonItems;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Follows a cluster: each kind of objects is listed, then watched from there on, by a thread of its own. A
/// further thread gathers changes and tells the listener.
///
/// A watch that ends is taken up where it was left; when the server no longer knows that place (410), the kind
/// is listed again. After failures the server is left alone for longer and longer, at most half a minute.
final class ClusterWatch implements FleetSource.Following {
    /// The time for which the server keeps a watch open; it says so itself, so that a lost connection is noticed.
    private static final Duration WATCH = Duration.ofMinutes(4);

    private static final Duration WATCH_SLACK = Duration.ofSeconds(20);
    private static final Duration GATHERING = Duration.ofMillis(200);
    /// The kind without which there is nothing to tell.
    private static final String NODES = "nodes";

    private static final long FIRST_PAUSE_MILLIS = 200;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;
    /// A server that knows no such kind may be upgraded one day.
    private static final long ABSENT_PAUSE_MILLIS = 300_000;

    private final String source;
    private final ClusterState state;
    private final Supplier<KubernetesClient> connect;
    private final InstantSource clock;
    private final FleetListener listener;
    private final Duration limit;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final Set<KubernetesClient> clients = new HashSet<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    // All below, and the state, under the lock.
    private final Map<String, String> problems = new HashMap<>();
    private final Set<String> waiting = new HashSet<>();
    private boolean hasMoved;
    /// The time of the server's last message about nodes.
    private Instant heard = Instant.EPOCH;

    ClusterWatch(
            String source,
            ClusterState state,
            Supplier<KubernetesClient> connect,
            InstantSource clock,
            FleetListener listener,
            Duration limit) {
        this.source = source;
        this.state = state;
        this.connect = connect;
        this.clock = clock;
        this.listener = listener;
        this.limit = limit;
    }

    void start(List<ResourceKind<?>> kinds) {
        kinds.forEach(kind -> waiting.add(kind.name()));
        kinds.forEach(kind ->
                threads.add(Thread.ofVirtual().name(source + " " + kind.name()).unstarted(() -> follow(kind))));
        threads.add(Thread.ofVirtual().name(source + " changes").unstarted(this::tell));
        threads.forEach(Thread::start);
    }

    @Override
    public void close() {
        closed.countDown();
        threads.forEach(Thread::interrupt);
        lock.lock();
        try {
            clients.forEach(KubernetesClient::close);
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    // --- One kind.

    private <T> void follow(ResourceKind<T> kind) {
        long pause = FIRST_PAUSE_MILLIS;
        boolean renewed = false;
        try {
            while (!isClosed()) {
                try (KubernetesClient client = opened()) {
                    while (!isClosed()) {
                        ResourceList<T> list = ResourceList.read(client, kind, Deadline.in(limit));
                        replace(kind, list.objects());
                        pause = FIRST_PAUSE_MILLIS;
                        renewed = false;
                        if (list.path().isEmpty() && closed.await(ABSENT_PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                            return;
                        }
                        if (!list.path().isEmpty()) {
                            watch(client, kind, list);
                        }
                    }
                } catch (AnswerException e) {
                    // A token that has run out is read again at once.
                    boolean again = e.status() == AnswerException.UNAUTHORIZED && !renewed;
                    renewed = again;
                    if (!again) {
                        report(kind, e.sentence());
                        pause = rest(pause);
                    }
                } catch (FleetException e) {
                    report(kind, String.valueOf(e.getMessage()));
                    pause = rest(pause);
                } catch (RuntimeException e) {
                    // A defect in the reading of one object must not end the following without a word.
                    report(kind, source + ": reading " + kind.name() + " failed: " + e);
                    pause = rest(pause);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private KubernetesClient opened() {
        KubernetesClient client = connect.get();
        lock.lock();
        try {
            clients.removeIf(KubernetesClient::isClosed);
            clients.add(client);
        } finally {
            lock.unlock();
        }
        if (isClosed()) {
            client.close();
        }
        return client;
    }

    /// Waits, a little longer or shorter by chance, so that many clients do not come back at once.
    private long rest(long pause) throws InterruptedException {
        closed.await(pause + ThreadLocalRandom.current().nextLong(pause / 2), TimeUnit.MILLISECONDS);
        return Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
    }

    /// Takes in changes until the server no longer knows where the watch was left.
    private <T> void watch(KubernetesClient client, ResourceKind<T> kind, ResourceList<T> list)
            throws AnswerException, InterruptedException {
        String version = list.version();
        while (!isClosed()) {
            String path = list.path() + "?watch=1&allowWatchBookmarks=true&timeoutSeconds=" + WATCH.toSeconds()
                    + "&resourceVersion=" + version
                    + (kind.selector().isEmpty() ? "" : "&" + kind.selector());
            try (InputStream body = client.open(kind.name(), path, Deadline.in(limit));
                    BodyTimeout _ = BodyTimeout.over(body, WATCH.plus(WATCH_SLACK))) {
                JsonItems events = new JsonItems(body, Long.MAX_VALUE, JsonItems.MAX_ITEM_BYTES);
                byte[] text = events.nextObject();
                while (text != null) {
                    JsonValue event = JsonValue.parse(text);
                    JsonValue object = find(event, "object").orElse(new JsonNull());
                    if (text(event, "type").equals("ERROR")) {
                        return;
                    }
                    take(kind, text(event, "type"), object);
                    version = text(object, "metadata", "resourceVersion");
                    text = events.nextObject();
                }
            } catch (AnswerException e) {
                if (e.status() == AnswerException.GONE) {
                    return;
                }
                throw e;
            } catch (IOException | DocumentException e) {
                // The connection broke, as it does when a server is restarted: the list tells what was missed.
                throw client.failure(e);
            }
        }
    }

    private <T> void replace(ResourceKind<T> kind, Map<String, T> objects) {
        change(() -> {
            Map<String, T> table = kind.table().apply(state);
            table.clear();
            table.putAll(objects);
            problems.remove(kind.name());
            waiting.remove(kind.name());
        });
        heard(kind);
    }

    private void heard(ResourceKind<?> kind) {
        if (kind.name().equals(NODES)) {
            lock.lock();
            try {
                heard = clock.instant();
            } finally {
                lock.unlock();
            }
        }
    }

    private <T> void take(ResourceKind<T> kind, String type, JsonValue object) {
        heard(kind);
        if (type.equals("BOOKMARK")) {
            return;
        }
        String key = kind.key().apply(object);
        T known = type.equals("DELETED") ? null : kind.reader().apply(object).orElse(null);
        change(() -> {
            Map<String, T> table = kind.table().apply(state);
            if (known == null) {
                table.remove(key);
            } else {
                table.put(key, known);
            }
        });
    }

    private void report(ResourceKind<?> kind, String problem) {
        change(() -> {
            problems.put(kind.name(), problem);
            waiting.remove(kind.name());
        });
    }

    private void change(Runnable step) {
        lock.lock();
        try {
            step.run();
            hasMoved = true;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // --- The listener.

    private void tell() {
        List<HostReport> lastHosts = List.of();
        List<Gap> lastGaps = List.of();
        String lastProblem = "";
        boolean isFirst = true;
        try {
            while (!isClosed()) {
                List<HostReport> hosts;
                List<Gap> gaps;
                String problem;
                Instant told;
                lock.lock();
                try {
                    while (!hasMoved || !waiting.isEmpty()) {
                        moved.await();
                    }
                    hasMoved = false;
                    hosts = state.hosts();
                    gaps = gaps();
                    problem = problems.getOrDefault(NODES, "");
                    told = heard;
                } finally {
                    lock.unlock();
                }
                if (!problem.isEmpty()) {
                    if (!isFirst && lastProblem.isEmpty()) {
                        // Nothing may have changed for hours: what is known is as old as the last word, no older.
                        listener.changed(new SourceReport(source, told, lastHosts, lastGaps));
                    }
                    if (!problem.equals(lastProblem)) {
                        listener.failed(new FleetException(problem));
                    }
                } else if (isFirst || !lastProblem.isEmpty() || !hosts.equals(lastHosts) || !gaps.equals(lastGaps)) {
                    listener.changed(new SourceReport(source, clock.instant(), hosts, gaps));
                    isFirst = false;
                    lastHosts = hosts;
                    lastGaps = gaps;
                }
                lastProblem = problem;
                if (closed.await(GATHERING.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Gap> gaps() {
        List<Gap> gaps = new ArrayList<>(state.gaps());
        problems.forEach((kind, problem) -> {
            if (!kind.equals(NODES)) {
                gaps.add(new Gap.ProbeFailed(source, problem));
            }
        });
        return gaps;
    }
}
