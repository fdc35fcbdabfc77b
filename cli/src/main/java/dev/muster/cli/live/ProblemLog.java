// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A log of problems of a long-running command: each is reported once when it begins and once when it ends, and no
/// more than once a minute about one thing. For one thread.
final class ProblemLog {
    private static final Duration LEAST_PAUSE = Duration.ofMinutes(1);

    private final Session session;
    private final InstantSource clock;
    private final Map<String, Instant> said = new LinkedHashMap<>();
    private final Map<String, Boolean> lasting = new LinkedHashMap<>();

    ProblemLog(Session session) {
        this.session = session;
        this.clock = session.clock();
    }

    /// Says how it stands with a thing, where that is news.
    ///
    /// @param thing the subject
    /// @param trouble its current problem; empty without one
    /// @param otherwise message when that is over
    void tell(String thing, Optional<String> trouble, String otherwise) {
        boolean told = lasting.getOrDefault(thing, false);
        if (told == trouble.isPresent()) {
            return;
        }
        Instant now = clock.instant();
        Instant last = said.get(thing);
        if (trouble.isPresent() && last != null && now.isBefore(last.plus(LEAST_PAUSE))) {
            return; // it comes and goes
        }
        session.note("muster: " + trouble.orElse(otherwise));
        said.put(thing, now);
        lasting.put(thing, trouble.isPresent());
    }
}
