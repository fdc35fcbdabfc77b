// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.fleet.Fleet.SourceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Follows sources and holds their newest reports, so that readers get the newest fleet at once. An unreadable source
/// keeps its last report and names the reason. Safe to share between threads; the caller of start closes it.
///
/// @since 0.2
public final class FleetWatch implements AutoCloseable {
    private final List<String> names;
    private final List<FleetSource.Following> followed = new ArrayList<>();
    private final Map<String, SourceReport> reports = new HashMap<>();
    private final Map<String, String> failures = new HashMap<>();
    private final Object lock = new Object();
    private @Nullable Fleet merged;

    private FleetWatch(List<String> names) {
        this.names = List.copyOf(names);
    }

    /// Begins to follow.
    ///
    /// @param interval the time a source that has to be asked is left alone between two quick readings
    /// @param limit the time one reading may take
    /// @throws IllegalArgumentException if two have the same name
    public static FleetWatch start(List<FleetSource> sources, Duration interval, Duration limit) {
        FleetWatch watch = new FleetWatch(FleetReader.distinctNames(sources));
        for (FleetSource source : sources) {
            watch.followed.add(source.follow(watch.listener(source.name()), interval, limit));
        }
        return watch;
    }

    private FleetListener listener(String name) {
        return new FleetListener() {
            @Override
            public void changed(SourceReport report) {
                synchronized (lock) {
                    reports.put(name, report);
                    failures.remove(name);
                    merged = null;
                }
            }

            @Override
            public void failed(FleetException reason) {
                synchronized (lock) {
                    failures.put(name, String.valueOf(reason.getMessage()));
                    merged = null;
                }
            }
        };
    }

    /// The merged reports of all sources. Made on demand after a change.
    public Fleet newest() {
        synchronized (lock) {
            Fleet known = merged;
            if (known == null) {
                known = merge();
                merged = known;
            }
            return known;
        }
    }

    private Fleet merge() {
        List<SourceReport> told = new ArrayList<>();
        List<SourceState> states = new ArrayList<>();
        for (String name : names) {
            SourceReport report = reports.get(name);
            String failure = failures.getOrDefault(name, report == null ? "it has not answered yet" : "");
            if (report == null) {
                states.add(new SourceState(name, Reading.unknown(UnknownReason.NOT_PROBED, failure), failure));
            } else {
                told.add(report);
                states.add(SourceState.of(report, failure));
            }
        }
        return new Fleet(FleetMerge.hosts(told), states);
    }

    /// Ends the threads and connections of the sources.
    @Override
    public void close() {
        followed.forEach(FleetSource.Following::close);
    }
}
