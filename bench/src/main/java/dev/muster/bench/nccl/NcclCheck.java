// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.nccl;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Checks and measures collectives on one GPU; `scripts/check-nccl` runs it.
///
/// `check` does every operation with one rank and shows how things end; `ranks` does them with several
/// that share the GPU, and `losses` takes one of those away; `beside-0` and `beside-1` are a rank in a
/// group with PyTorch; `all-reduce` and `copy` print how long they take. Ends with 1 if something is
/// wrong.
public final class NcclCheck {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private NcclCheck() {}

    public static void main(String[] arguments) {
        boolean needsFile = arguments.length > 0 && arguments[0].startsWith("beside-");
        String what = arguments.length == (needsFile ? 2 : 1) ? arguments[0] : "";
        Findings findings = new Findings(System.out);
        try {
            switch (what) {
                case "check" -> check(findings);
                case "ranks" -> ranks(findings);
                case "losses" -> losses(findings);
                case "beside-0", "beside-1" ->
                    new BesideTorch(findings, Path.of(arguments[1])).run(what.equals("beside-0") ? 0 : 1);
                case "all-reduce" -> measure(new NcclFigures(System.out)::allReduces);
                case "copy" -> measure(new NcclFigures(System.out)::copies);
                default -> {
                    System.err.println(
                            "usage: NcclCheck check|ranks|losses|beside-0 FILE|beside-1 FILE|all-reduce|copy");
                    System.exit(64);
                }
            }
        } catch (IOException | InterruptedException e) {
            findings.expect("processes could be started", false, e.toString());
        } catch (GroupException e) {
            findings.expect("no failure", false, e.code().text() + ": " + e.getMessage());
        }
        System.exit(findings.areGood() ? 0 : 1);
    }

    /// A task for a mesh of one rank.
    private interface Task {
        void run(MeshSession session);
    }

    private static void measure(Task task) {
        try (MeshSession session = join()) {
            task.run(session);
        }
    }

    static MeshSession join() {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()))
                .withBackend("nccl")
                .withLimit(LIMIT);
        return MeshSession.join(MemoryStore.create().open(), 0, 1, config);
    }

    private static void ranks(Findings findings) throws IOException, InterruptedException {
        new SharedGpu(findings, "nccl").operations(2);
        new SharedGpu(findings, "auto").operations(2);
        new SharedGpu(findings, "auto").operations(4);
    }

    private static void losses(Findings findings) throws IOException, InterruptedException {
        new SharedGpu(findings, "nccl").loss(2, "KILL");
        new SharedGpu(findings, "auto").loss(3, "KILL");
        new SharedGpu(findings, "auto").loss(3, "STOP");
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
