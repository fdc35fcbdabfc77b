// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ranks;

import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.session.Backends;
import dev.muster.mesh.start.ForeignLauncher;
import dev.muster.mesh.start.Launch;
import dev.muster.mesh.start.Launch.LaunchRequest;
import dev.muster.mesh.start.Launch.Listener;
import dev.muster.mesh.start.Launch.RankEnd;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Ranks that are JVMs like this one. Immutable.
///
/// @param main what each runs
/// @param arguments what it is given
/// @param ranks how many there are
/// @param variables of this process; ranks get them too
public record RankJvms(Class<?> main, List<String> arguments, int ranks, Map<String, String> variables) {
    private static final String NATIVE_ACCESS = "--enable-native-access=";
    /// What belongs to this process alone, or would keep the compiler from doing its best.
    private static final List<String> DROPPED = List.of(
            "-agentlib:",
            "-agentpath:",
            "-javaagent:",
            "-XX:AOTCacheOutput=",
            "-XX:AOTMode=",
            "-XX:TieredStopAtLevel=");

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final ForeignLauncher MPIRUN =
            ForeignLauncher.parse("mpirun").orElseThrow();

    /// Open MPI 4 and 5 otherwise refuse more ranks than processors, tie each rank to one of them, which
    /// leaves none to the threads of the JVM, and do not start for root. MPICH looks at none of these.
    private static final Map<String, String> MPIRUN_SETTINGS = Map.of(
            "OMPI_ALLOW_RUN_AS_ROOT", "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
            "OMPI_MCA_rmaps_base_oversubscribe", "true",
            "OMPI_MCA_hwloc_base_binding_policy", "none",
            "PRTE_ALLOW_RUN_AS_ROOT", "1",
            "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
            "PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe",
            "PRTE_MCA_hwloc_default_binding_policy", "none");

    /// Starts them, those of MPI by its own launcher unless told otherwise, and waits until they have ended.
    ///
    /// @param lines takes what they print
    /// @throws IOException if ranks cannot be started or one of them fails
    /// @throws dev.muster.mesh.store.StoreException if the store cannot be served at its address
    public void run(String backend, RankPlaces places, Consumer<String> lines)
            throws IOException, InterruptedException {
        boolean needsMpi =
                Backends.find(backend).filter(EngineProvider::needsMpi).isPresent();
        LaunchRequest request = LaunchRequest.of(jvm(), ranks, variables(needsMpi))
                .withBackend(backend)
                .withLimits(LIMIT, GRACE);
        Output output = new Output(lines);
        try (Launch launch = (needsMpi ? places.orBy(MPIRUN) : places).start(request)) {
            launch.run(output);
        }
        output.throwFailure();
    }

    private Map<String, String> variables(boolean needsMpi) {
        Map<String, String> all = new HashMap<>(variables);
        if (needsMpi) {
            all.putAll(MPIRUN_SETTINGS);
        }
        return all;
    }

    /// Another JVM like this one: its program and arguments, with the options and the class path of this process.
    private List<String> jvm() {
        List<String> own = ManagementFactory.getRuntimeMXBean().getInputArguments();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        own.stream()
                .filter(option -> DROPPED.stream().noneMatch(option::startsWith))
                .forEach(command::add);
        if (own.stream().noneMatch(RankJvms::isCollector)) {
            // Ranks leave no garbage; the threads of other collectors would only take their processors.
            command.add("-XX:+UseSerialGC");
        }
        if (own.stream().noneMatch(option -> option.startsWith(NATIVE_ACCESS))) {
            command.add(NATIVE_ACCESS + "ALL-UNNAMED");
        }
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        return command;
    }

    private static boolean isCollector(String option) {
        return option.startsWith("-XX:+Use") && option.endsWith("GC");
    }

    /// Lines of all ranks, and the first failure of any.
    private static final class Output implements Listener {
        private final Consumer<String> lines;
        private @Nullable RankEnd failure;

        Output(Consumer<String> lines) {
            this.lines = lines;
        }

        @Override
        public void onLine(int rank, boolean error, String line) {
            lines.accept(line);
        }

        @Override
        public void onEnd(RankEnd end) {
            if (end.isFailure() && failure == null) {
                failure = end;
            }
        }

        @Override
        public boolean onPause() {
            return true;
        }

        void throwFailure() throws IOException {
            RankEnd end = failure;
            if (end != null) {
                throw new IOException("rank " + end.rank() + " " + end.description()
                        + (end.lastLines().isEmpty() ? "" : ": " + String.join(" / ", end.lastLines())));
            }
        }
    }
}
