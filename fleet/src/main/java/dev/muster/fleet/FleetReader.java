// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.detect.host.Deadline;
import dev.muster.fleet.Fleet.SourceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Asks several sources at once, under one deadline. A source that does not answer is named with its failure;
/// what it said the last time is kept, with its age. Safe to share between threads.
///
/// @since 0.2
public final class FleetReader {
    /// Of the time that a caller gives, what is left to the sources: they shall say themselves why they
    /// failed.
    private static final double SHARE_OF_SOURCES = 0.9;

    private final List<FleetSource> sources;
    private final Map<String, SourceReport> last = new ConcurrentHashMap<>();

    private FleetReader(List<FleetSource> sources) {
        this.sources = List.copyOf(sources);
    }

    /// A reader of those sources.
    ///
    /// @throws IllegalArgumentException if two have the same name
    public static FleetReader of(List<FleetSource> sources) {
        distinctNames(sources);
        return new FleetReader(sources);
    }

    /// The names of sources, which are told apart by them.
    ///
    /// @throws IllegalArgumentException if two have the same
    static List<String> distinctNames(List<FleetSource> sources) {
        Set<String> names = new LinkedHashSet<>();
        for (FleetSource source : sources) {
            if (!names.add(source.name())) {
                throw new IllegalArgumentException("two sources are called " + source.name());
            }
        }
        return List.copyOf(names);
    }

    /// Asks all sources.
    ///
    /// @param limit the time it may take; a source that takes longer has failed
    public Fleet read(Duration limit) {
        Deadline deadline = Deadline.in(limit);
        Duration own = Duration.ofNanos((long) (limit.toNanos() * SHARE_OF_SOURCES));
        List<FutureTask<SourceReport>> tasks = new ArrayList<>();
        for (FleetSource source : sources) {
            FutureTask<SourceReport> task = new FutureTask<>(() -> source.read(own));
            Thread.ofVirtual().name("fleet " + source.name()).start(task);
            tasks.add(task);
        }
        List<SourceReport> reports = new ArrayList<>();
        List<SourceState> states = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            String name = sources.get(i).name();
            String failure = await(tasks.get(i), name, deadline, limit);
            SourceReport known = last.get(name);
            if (known != null) {
                reports.add(known);
                states.add(SourceState.of(known, failure));
            } else {
                states.add(new SourceState(name, Reading.unknown(UnknownReason.NOT_PROBED, failure), failure));
            }
        }
        return new Fleet(FleetMerge.hosts(reports), states);
    }

    /// The reason for a missing report; blank if there is a report.
    private String await(FutureTask<SourceReport> task, String name, Deadline deadline, Duration limit) {
        try {
            last.put(name, task.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS));
            return "";
        } catch (TimeoutException _) {
            task.cancel(true);
            return name + ": it did not answer within " + limit.toMillis() / 1000.0 + " s";
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return cause instanceof FleetException known
                    ? String.valueOf(known.getMessage())
                    : name + ": reading it failed: " + cause;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            task.cancel(true);
            return "the program is stopping";
        }
    }
}
