// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.RegistryDocument;
import dev.muster.detect.Detection;
import dev.muster.monitor.metric.ProbeStatistics;
import dev.muster.report.text.Printable;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The feed of a sampler: this machine or a recorded one, detected again each time; a saved registry, read again when
/// it changed; or a recording of registries, one after the other. Called on one thread at a time.
final class RegistryFeed implements Supplier<AcceleratorRegistry> {
    private static final int MOST_REPLAYED = 100_000;
    private static final int MOST_BYTES = 256 << 20;

    private final Supplier<AcceleratorRegistry> look;

    private RegistryFeed(Supplier<AcceleratorRegistry> look) {
        this.look = look;
    }

    /// @throws UsageException if the options contradict each other
    /// @throws CommandException if a recording cannot be read
    static RegistryFeed of(Arguments arguments, Session session, ProbeStatistics probes) {
        if (arguments.has(ServeCommand.REPLAY)) {
            arguments.refuse(CommonOptions.SOURCE, "--replay reads a recording");
            return new RegistryFeed(replay(arguments.find(ServeCommand.REPLAY).orElseThrow()));
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
        Map<String, Duration> timings = new LinkedHashMap<>();
        detection.timings().forEach(timing -> timings.put(timing.name(), timing.took()));
        probes.add(timings, detection.registry().gaps());
        return session.whatIf(arguments, detection.registry());
    }

    private static Supplier<AcceleratorRegistry> replay(String file) {
        List<AcceleratorRegistry> all = new ArrayList<>();
        int line = 0;
        for (String text : TextFile.read(file, MOST_BYTES).split("\n")) {
            line++;
            if (text.isBlank()) {
                continue;
            }
            try {
                all.add(RegistryDocument.read(text.getBytes(StandardCharsets.UTF_8)));
            } catch (DocumentException e) {
                throw new CommandException("line " + line + " of '" + Printable.of(file) + "' is not a registry", e);
            }
            if (all.size() > MOST_REPLAYED) {
                throw new CommandException("'" + Printable.of(file) + "' has more than " + MOST_REPLAYED + " lines");
            }
        }
        if (all.isEmpty()) {
            throw new CommandException(
                    "'" + Printable.of(file) + "' contains no registry; record one with 'muster watch -o json > FILE'");
        }
        int[] next = {0};
        return () -> all.get(next[0]++ % all.size());
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
