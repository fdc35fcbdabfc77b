// SPDX-License-Identifier: Apache-2.0
package example.consumer;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.json.RegistryDocument;
import dev.muster.detect.Detector;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.ops.DistributedOps;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.SavedPlan;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.rules.ReferencePlanDocument;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.plan.rules.ShardingPlan;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.report.AnswerReport;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The uses of Muster in programs, once each; prints a line for each part that works.
final class Consumer {
    private static final long PARAMETERS = 70_000_000_000L;
    private static final int RANKS = 4;

    private Consumer() {}

    public static void main(String[] arguments) {
        AcceleratorRegistry here = Detector.ofThisHost().detect();
        System.out.println("detects: " + !here.profiles().isEmpty());

        AcceleratorRegistry made = WhatIf.synthetic("[h100-sxm:8 nvswitch]", DeviceCatalogue.builtIn());
        AcceleratorRegistry read =
                RegistryDocument.read(RegistryDocument.write(made).getBytes(StandardCharsets.UTF_8));
        System.out.println("reads what it wrote: " + read.profiles().equals(made.profiles()));

        ShardingPlan plan = RulePlanner.of(read).plan(PARAMETERS, QuantizationLevel.BFLOAT16);
        ShardingPlan again = ReferencePlanDocument.read(ReferencePlanDocument.write(plan));
        System.out.println("plans by rules: " + (plan.fitsInMemory(read) && again.equals(plan)));

        System.out.println(serve(read));

        System.out.println("ranks: " + sumOfRanks());
    }

    private static String serve(AcceleratorRegistry registry) {
        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-70b").orElseThrow().toSummary();
        ParameterValues values =
                ParameterValues.NONE.with(Parameters.CONCURRENCY, 64).with(Parameters.GOAL, ServingGoal.THROUGHPUT);
        Planner planner = Planner.of(registry);
        Answer.Served answer = Question.serve(model, values).ask(planner);
        return switch (answer.outcome().answer()) {
            case PlanAnswer.Feasible<ServingPlan> found -> {
                ServingPlan best = found.best();
                String document =
                        AnswerReport.of(answer, planner, false).document().toText();
                boolean isEmitted = Launcher.emit(best, LaunchTarget.VLLM) instanceof LaunchAnswer.Emitted;
                yield "plans: TP " + best.layout().tp() + " x DP " + best.replicas() + "; emits: " + isEmitted
                        + "; documents: " + SavedPlan.parse(document).model();
            }
            case PlanAnswer.Infeasible<ServingPlan> none -> "does not fit; would do: " + none.remedies();
            case PlanAnswer.Unanswered<ServingPlan> unknown -> "cannot say: " + unknown.reason();
        };
    }

    private static String sumOfRanks() {
        Queue<String> sums = new ConcurrentLinkedQueue<>();
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()));
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            for (int i = 0; i < RANKS; i++) {
                int rank = i;
                threads.execute(() -> {
                    try (MeshSession session = hub.join(rank, RANKS, config);
                            DistributedOps ops = DistributedOps.over(session.world())) {
                        float[] values = {rank, 1};
                        ops.allReduce(values, ReduceOp.SUM);
                        sums.add(Arrays.toString(values));
                    }
                });
            }
        }
        return String.join(" ", sums);
    }
}
