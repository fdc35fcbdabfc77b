package dev.muster.bench.nccl;

import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.session.EngineChoice;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import java.time.Duration;
import java.util.List;

/// Checks and measures collectives of one rank on one GPU; `scripts/check-nccl` runs it.
///
/// `check` does every operation and shows how things end; `all-reduce` and `copy` print how long they
/// take. Ends with 1 if something is wrong.
public final class NcclCheck {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private NcclCheck() {}

    /// Runs one of `check`, `all-reduce` and `copy`.
    public static void main(String[] arguments) {
        String what = arguments.length == 1 ? arguments[0] : "";
        Findings findings = new Findings(System.out);
        try {
            switch (what) {
                case "check" -> check(findings);
                case "all-reduce" -> measure(new NcclFigures(System.out)::allReduces);
                case "copy" -> measure(new NcclFigures(System.out)::copies);
                default -> {
                    System.err.println("usage: NcclCheck check|all-reduce|copy");
                    System.exit(64);
                }
            }
        } catch (MeshException e) {
            findings.expect("no failure", false, e.error().code() + ": " + e.getMessage());
        }
        System.exit(findings.areGood() ? 0 : 1);
    }

    /// What is done with a mesh of one rank.
    private interface Errand {
        void run(MeshSession session);
    }

    private static void measure(Errand errand) {
        try (MeshSession session = join()) {
            errand.run(session);
        }
    }

    static MeshSession join() {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()))
                .withEngine(EngineChoice.NCCL)
                .withLimit(LIMIT);
        return MeshSession.join(MemoryStore.create().open(), 0, 1, config);
    }

    private static void check(Findings findings) {
        new NcclOperations(findings).run();
        new NcclEnds(findings).run();
        List<String> threads = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("muster"))
                .toList();
        findings.expect("no thread is left", threads.isEmpty(), threads.toString());
    }
}
