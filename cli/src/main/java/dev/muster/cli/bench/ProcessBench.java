package dev.muster.cli.bench;

import dev.muster.cli.launch.Launch;
import dev.muster.cli.launch.LaunchListener;
import dev.muster.cli.launch.LaunchRequest;
import dev.muster.cli.launch.RankEnd;
import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.launch.LaunchEnvironment;
import dev.muster.mesh.session.EngineChoice;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Ranks that are processes of their own.
final class ProcessBench {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(2);

    /// Open MPI 4 and 5 otherwise refuse more ranks than processors, tie each rank to one of them, which leaves none to
    /// the threads of the JVM, and do not start for root. MPICH looks at none of these.
    private static final Map<String, String> MPIRUN_SETTINGS = Map.of(
            "OMPI_ALLOW_RUN_AS_ROOT", "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
            "OMPI_MCA_rmaps_base_oversubscribe", "true",
            "OMPI_MCA_hwloc_base_binding_policy", "none",
            "PRTE_ALLOW_RUN_AS_ROOT", "1",
            "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
            "PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe",
            "PRTE_MCA_hwloc_default_binding_policy", "none");

    private final BenchPlan plan;
    private final int ranks;
    private final Map<String, String> variables;

    /// @param variables of this process; ranks get them too
    ProcessBench(BenchPlan plan, int ranks, Map<String, String> variables) {
        this.plan = plan;
        this.ranks = ranks;
        this.variables = variables;
    }

    void run(EngineChoice engine, Consumer<BenchFigures> figures) throws IOException, InterruptedException {
        if (engine.needsMpi()) {
            runByMpi(engine, figures);
        } else {
            runByOurselves(engine, figures);
        }
    }

    /// Ranks of MPI are started by its own launcher, and meet by themselves.
    private void runByMpi(EngineChoice engine, Consumer<BenchFigures> figures)
            throws IOException, InterruptedException {
        Map<String, String> own = new HashMap<>(variables);
        own.put("MUSTER_BACKEND", engine.text());
        own.put("MUSTER_LIMIT", LIMIT.toMillis() + "ms");
        own.putAll(MPIRUN_SETTINGS);
        List<String> command = new ArrayList<>(List.of("mpirun", "-np", Integer.toString(ranks)));
        command.addAll(OwnJvm.command(BenchRank.class, PlanWords.of(plan)));
        launch(command, List.of(own), figures);
    }

    private void runByOurselves(EngineChoice engine, Consumer<BenchFigures> figures)
            throws IOException, InterruptedException {
        String secret = Secret.randomText();
        try (TcpStoreServer server = TcpStoreServer.start(TcpStoreConfig.of(Secret.of(secret)))) {
            LaunchEnvironment environment = new LaunchEnvironment(
                    ranks, LaunchEnvironment.freeLoopbackPort(), server.address(), secret, LIMIT, engine.text());
            List<Map<String, String>> environments = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                Map<String, String> own = new HashMap<>(variables);
                own.putAll(environment.of(rank));
                environments.add(own);
            }
            launch(OwnJvm.command(BenchRank.class, PlanWords.of(plan)), environments, figures);
        }
    }

    private static void launch(
            List<String> command, List<Map<String, String>> environments, Consumer<BenchFigures> figures)
            throws IOException, InterruptedException {
        Output output = new Output(figures);
        try (Launch launch = Launch.start(new LaunchRequest(command, environments, GRACE))) {
            launch.run(output);
        }
        output.throwFailure();
    }

    /// Figures of the first rank, and the first failure of any.
    private static final class Output implements LaunchListener {
        private final Consumer<BenchFigures> figures;
        private @Nullable RankEnd failure;

        Output(Consumer<BenchFigures> figures) {
            this.figures = figures;
        }

        @Override
        public void onLine(int rank, boolean error, String line) {
            BenchLine.parse(line).ifPresent(figures);
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
