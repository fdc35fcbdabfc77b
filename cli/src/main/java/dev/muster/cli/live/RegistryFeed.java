// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.Detection;
import dev.muster.monitor.RecordingException;
import dev.muster.monitor.RegistryRecording;
import dev.muster.monitor.metric.ProbeStatistics;
import dev.muster.report.text.Printable;
import java.io.File;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The feed of a sampler: this machine or a recorded one, detected again each time; a saved registry, read again when
/// it changed; or a recording of registries, one after the other. Called on one thread at a time.
final class RegistryFeed implements Supplier<AcceleratorRegistry> {
    private static final int MOST_DAMAGED = 1000;

    private final Supplier<AcceleratorRegistry> look;

    private RegistryFeed(Supplier<AcceleratorRegistry> look) {
        this.look = look;
    }

    /// @throws UsageException if the options contradict each other
    /// @throws CommandException if a recording cannot be read
    static RegistryFeed of(Arguments arguments, Session session, ProbeStatistics probes) {
        if (arguments.has(ServeCommand.REPLAY)) {
            arguments.refuse(CommonOptions.SOURCE, "--replay reads a recording");
            return new RegistryFeed(
                    new Replay(arguments.find(ServeCommand.REPLAY).orElseThrow()));
        }
        if (arguments.has(CommonOptions.SYNTHETIC)) {
            AcceleratorRegistry made = session.loadRegistry(arguments);
            return new RegistryFeed(() -> made);
        }
        if (arguments.has(CommonOptions.REGISTRY)) {
            SavedRegistry saved = new SavedRegistry(arguments, session);
            saved.get(); // what is wrong with it is said at once
            return new RegistryFeed(saved);
        }
        if (arguments.has(CommonOptions.HOST)) {
            session.detect(); // what is wrong with a recorded host is said at once
        }
        return new RegistryFeed(() -> detect(arguments, session, probes));
    }

    @Override
    public AcceleratorRegistry get() {
        return look.get();
    }

    private static AcceleratorRegistry detect(Arguments arguments, Session session, ProbeStatistics probes) {
        Detection detection = session.detect();
        probes.add(detection.timings(), detection.registry().gaps());
        return session.whatIf(arguments, detection.registry());
    }

    /// A recording, again from its start when it ends. A line at a time is held.
    private static final class Replay implements Supplier<AcceleratorRegistry> {
        private final String file;
        private RegistryRecording recording;
        /// The first sample until it is asked for, then the newest.
        private @Nullable AcceleratorRegistry newest;

        private boolean isAsked;

        /// @throws CommandException if the file cannot be read or its first line is not a registry
        Replay(String file) {
            this.file = file;
            this.recording = TopFiles.recording(file);
            try {
                newest = recording
                        .next()
                        .orElseThrow(() -> new CommandException("'" + Printable.of(file)
                                + "' contains no registry; record one with 'muster watch -o json > FILE'"));
            } catch (RecordingException e) {
                throw new CommandException("cannot replay '" + Printable.of(file) + "'", e);
            } catch (IOException e) {
                throw new CommandException("cannot read '" + Printable.of(file) + "'", e);
            }
        }

        /// Damaged lines are passed over. Where the file can no longer be read, the last sample stays.
        @Override
        public AcceleratorRegistry get() {
            AcceleratorRegistry last = Objects.requireNonNull(newest);
            if (!isAsked) {
                isAsked = true;
                return last;
            }
            try {
                newest = next().orElse(last);
            } catch (IOException | CommandException _) {
                // the last sample stays
            }
            return Objects.requireNonNull(newest);
        }

        private Optional<AcceleratorRegistry> next() throws IOException {
            for (int damaged = 0; damaged < MOST_DAMAGED; damaged++) {
                try {
                    Optional<AcceleratorRegistry> next = recording.next();
                    if (next.isPresent()) {
                        return next;
                    }
                    recording.close();
                    recording = TopFiles.recording(file);
                } catch (RecordingException _) {
                    // the line behind it may be readable
                }
            }
            return Optional.empty();
        }
    }

    /// A file that is read again when its time or length changed.
    private static final class SavedRegistry implements Supplier<AcceleratorRegistry> {
        private final Arguments arguments;
        private final Session session;
        private final File file;
        private final boolean isPipe;
        private @Nullable AcceleratorRegistry known;
        private long time;
        private long length;

        SavedRegistry(Arguments arguments, Session session) {
            this.arguments = arguments;
            this.session = session;
            String name = arguments.find(CommonOptions.REGISTRY).orElseThrow();
            this.file = new File(name);
            this.isPipe = name.equals("-");
        }

        @Override
        public AcceleratorRegistry get() {
            AcceleratorRegistry registry = known;
            boolean same = isPipe || (file.lastModified() == time && file.length() == length);
            if (registry == null || !same) {
                time = file.lastModified();
                length = file.length();
                registry = session.loadRegistry(arguments);
                known = registry;
            }
            return registry;
        }
    }
}
