// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.rehearse;

import dev.muster.cli.ranks.RankJvms;
import dev.muster.cli.ranks.RankPlaces;
import dev.muster.cli.ranks.RankThreads;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.Thoroughness;
import dev.muster.mesh.rehearse.CollectiveCalibration;
import dev.muster.mesh.rehearse.Rehearsal;
import dev.muster.mesh.rehearse.RehearsalFigures;
import dev.muster.mesh.rehearse.Rehearser;
import dev.muster.mesh.session.MeshSession;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Ranks that are started for a measurement: processes, or threads of this one over `local`. Immutable.
///
/// @param ranks number of ranks
/// @param backend backend of their groups
/// @param variables of this process; rank processes get them too
/// @param places their launcher and hosts
public record StartedRanks(int ranks, String backend, Map<String, String> variables, RankPlaces places) {
    private static final String THREADS = "local";

    /// Rehearses a step.
    ///
    /// @param time about how long the rounds take together
    /// @throws IOException if ranks cannot be started or one of them fails
    public RehearsalFigures rehearse(Rehearsal rehearsal, Duration time) throws IOException, InterruptedException {
        AtomicReference<@Nullable RehearsalFigures> found = new AtomicReference<>();
        if (backend.equals(THREADS)) {
            new RankThreads(ranks).run(session -> {
                try (Rehearser rehearser = Rehearser.open(session, backend, rehearsal)) {
                    keep(session, rehearser.run(time), found);
                }
            });
        } else {
            List<String> words = new ArrayList<>(List.of(time.toString()));
            words.addAll(RehearsalWords.of(rehearsal));
            run(RehearsalRank.class, words, line -> RehearsalWords.figures(line).ifPresent(found::set));
        }
        return require(found.get());
    }

    /// Measures collectives by size.
    ///
    /// @param progress told what is measured next; may be called on another thread
    /// @throws IOException if ranks cannot be started or one of them fails
    public MeshCalibration calibrate(Thoroughness thoroughness, InstantSource clock, Consumer<String> progress)
            throws IOException, InterruptedException {
        if (backend.equals(THREADS)) {
            AtomicReference<@Nullable MeshCalibration> found = new AtomicReference<>();
            new RankThreads(ranks)
                    .run(session -> keep(
                            session,
                            new CollectiveCalibration(session, backend, thoroughness)
                                    .measure(clock, session.rank() == 0 ? progress : _ -> {}),
                            found));
            return require(found.get());
        }
        CalibrationRank.Lines lines = new CalibrationRank.Lines();
        run(
                CalibrationRank.class,
                List.of(thoroughness.name()),
                line -> lines.take(line).ifPresent(progress));
        return require(lines.found().orElse(null));
    }

    private static <T> void keep(MeshSession session, T figures, AtomicReference<@Nullable T> found) {
        if (session.rank() == 0) {
            found.set(figures);
        }
    }

    private void run(Class<?> main, List<String> words, Consumer<String> lines)
            throws IOException, InterruptedException {
        new RankJvms(main, words, ranks, variables).run(backend, places, lines);
    }

    private static <T> T require(@Nullable T figures) throws IOException {
        if (figures == null) {
            throw new IOException("the first rank reported no measurements");
        }
        return figures;
    }
}
