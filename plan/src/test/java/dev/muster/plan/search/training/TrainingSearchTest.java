// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.search.PlanAnswers;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class TrainingSearchTest {
    private static final CoefficientTable COEFFICIENTS = CoefficientTable.builtIn();
    private static final TrainingSearch SEARCH = TrainingSearch.of(COEFFICIENTS);

    private static DeviceFigures device(String id) {
        return DeviceFigures.of(DeviceCatalogue.builtIn().find(id).orElseThrow());
    }

    private static ModelSummary model(String id) {
        return ModelCatalogue.builtIn().find(id).orElseThrow().toSummary();
    }

    private static Bytes bytes(double count) {
        return Bytes.of(Math.round(count));
    }

    private static TrainingCluster cluster(DeviceFigures device, int count) {
        return new TrainingCluster(DevicePool.of(device, device.id(), count), 8, Fabric.of(device, 8, 50e9));
    }

    private static TrainingRequest request(String model, String method, int sequence, int batch, TrainingGoal goal) {
        return TrainingRequest.of(model(model), TrainingMethod.parse(method))
                .withSequence(sequence)
                .withBatch(batch)
                .withGoal(goal);
    }

    /// A question that is small enough to try everything.
    private record Question(TrainingRequest request, TrainingCluster cluster, TrainingFramework software) {
        static Question draw(Random random) {
            String model = pick(random, "llama-3.2-1b", "llama-3.1-8b", "mixtral-8x7b", "qwen3-30b-a3b", "llama-2-13b");
            String id = pick(random, "h100-sxm", "a100-sxm4-80", "h200-sxm", "b200-sxm", "l40s");
            TrainingFramework software = pick(random, TrainingFramework.values());
            boolean hasExperts = model.startsWith("mixtral") || model.startsWith("qwen3");
            if (software == TrainingFramework.NEURONX || (software == TrainingFramework.PYTORCH && hasExperts)) {
                software = TrainingFramework.MEGATRON;
            }
            DeviceFigures figures = device(id);
            DeviceFigures drawn = figures.withMemory(bytes(figures.memory() * (0.2 + 2 * random.nextDouble())))
                    .times(1, 0.3 + random.nextDouble(), Provenance.GIVEN);
            int count = 1 + random.nextInt(random.nextBoolean() ? 16 : 64);
            Fabric fabric = Fabric.of(drawn, 1 + random.nextInt(16), 1e9 * (1 + random.nextInt(100)));
            TrainingGoal goal = pick(random, TrainingGoal.values());
            Offload offload = pick(random, Offload.values());
            OffloadStore store = new OffloadStore(
                    pick(random, OffloadStore.Place.values()),
                    random.nextBoolean() ? Double.POSITIVE_INFINITY : 1e9 * (1 << random.nextInt(12)),
                    1e9 * (1 + random.nextInt(60)),
                    1e9 * (10 + random.nextInt(600)),
                    1e9 * (1 + random.nextInt(20)),
                    Set.of());
            TrainingLimits limits = random.nextInt(3) > 0
                    ? TrainingLimits.NONE
                    : new TrainingLimits(1e9, 1e4 * Math.exp(4 * random.nextDouble()), Double.POSITIVE_INFINITY);
            String method = pick(random, "full", "full", "full", "lora", "qlora", "dpo", "rlhf");
            return new Question(
                            TrainingSearchTest.request(
                                            model, method, 512 << random.nextInt(5), 1 + random.nextInt(96), goal)
                                    .withOffload(offload)
                                    .withLimits(limits),
                            new TrainingCluster(DevicePool.of(drawn, id, count), 8, fabric, store),
                            software)
                    .possible();
        }

        @SafeVarargs
        private static <T> T pick(Random random, T... choices) {
            return choices[random.nextInt(choices.length)];
        }

        /// The same with all on devices where the framework leaves nothing on hosts.
        private Question possible() {
            return SEARCH.problem(request, cluster, software).find().isPresent()
                    ? this
                    : new Question(request.withOffload(Offload.NONE), cluster, software);
        }

        Question withoutLimits() {
            return new Question(request.withLimits(TrainingLimits.NONE), cluster, software);
        }

        TrainingSearch.Problem problem() {
            return SEARCH.problem(request, cluster, software).find().orElseThrow();
        }
    }

    /// Every run of a space, each asked for its memory and its time, and nothing left out.
    private static List<TrainingCandidate> tryAll(Question question) {
        TrainingSearch.Problem problem = question.problem();
        TrainingSpace space = problem.space();
        List<TrainingCandidate> fitting = new ArrayList<>();
        for (int tensor : space.tensors()) {
            for (int context : space.contexts()) {
                for (int stages = 1; stages <= space.mostStages(tensor, context); stages++) {
                    for (int replicas = 1; replicas <= space.mostCopies(tensor, context, stages); replicas++) {
                        if (question.request().batch() % replicas == 0
                                && isLaunchable(question.cluster(), tensor, tensor * context * stages * replicas)) {
                            tryCopies(problem, space, tensor, context, stages, replicas, fitting);
                        }
                    }
                }
            }
        }
        TrainingLimits limits = question.request().limits();
        fitting.removeIf(one -> limits.tokens() / one.tokensPerSecond() > limits.seconds());
        fitting.sort(TrainingCandidate::compare);
        return fitting;
    }

    /// Reports whether launchers can start so many processes: the same number on each host, and tensor parallel groups
    /// of whole hosts or within one.
    private static boolean isLaunchable(TrainingCluster cluster, int tensor, int count) {
        for (int hosts = 1; hosts * cluster.perHost() < cluster.devices() + cluster.perHost(); hosts++) {
            if (count % hosts == 0 && count / hosts <= cluster.perHost()) {
                int each = count / hosts;
                return hosts == 1 || each % tensor == 0 || tensor % each == 0;
            }
        }
        return false;
    }

    /// States shared by replicas, and states on hosts.
    private record Kept(Sharding sharding, Offload offload) {}

    private static List<Kept> kept(TrainingSpace space, int replicas) {
        List<Kept> all = new ArrayList<>();
        for (Offload offload : space.offloads()) {
            space.shardings(replicas, offload).forEach(sharding -> all.add(new Kept(sharding, offload)));
        }
        return all;
    }

    private static void tryCopies(
            TrainingSearch.Problem problem,
            TrainingSpace space,
            int tensor,
            int context,
            int stages,
            int replicas,
            List<TrainingCandidate> fitting) {
        int batch = problem.request().batch();
        for (int expert : space.experts(tensor, context)) {
            for (int micro = 1; micro <= batch / replicas; micro++) {
                if (tensor * context * replicas % expert != 0 || batch / replicas % micro != 0) {
                    continue;
                }
                for (int parts : space.virtualStages(stages)) {
                    if (parts > 1 && batch / replicas / micro % stages != 0) {
                        continue;
                    }
                    for (Recompute recompute : space.recomputes()) {
                        for (Kept kept : kept(space, replicas)) {
                            for (Order order : space.orders(stages, replicas, expert)) {
                                TrainingRun run = new TrainingRun(
                                        problem.request().sequence(),
                                        micro,
                                        batch,
                                        (double) tensor * context * stages * replicas,
                                        tensor,
                                        stages,
                                        context,
                                        expert,
                                        parts,
                                        recompute,
                                        kept.sharding,
                                        order,
                                        problem.isAdapter(),
                                        kept.offload);
                                TrainingCost cost = problem.cost();
                                if (cost.memory(run).fits()) {
                                    fitting.add(new TrainingCandidate(
                                            run,
                                            cost.secondsPerToken(run, cost.work(run)),
                                            cost.active(run),
                                            problem.request().goal()));
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @RepeatedTest(200)
    void findsWhatTryingEverythingFinds(RepetitionInfo repetition) {
        Question question = Question.draw(new Random(repetition.getCurrentRepetition()));
        List<TrainingCandidate> all = tryAll(question);
        PlanAnswer<TrainingPlan> answer = SEARCH.find(question.request(), question.cluster(), question.software())
                .find()
                .orElseThrow();
        switch (answer) {
            case PlanAnswer.Feasible<TrainingPlan> feasible ->
                assertThat(feasible.best().run()).isEqualTo(all.getFirst().run());
            case PlanAnswer.Infeasible<TrainingPlan> infeasible -> {
                assertThat(all).isEmpty();
                // What fits without limits is said where there are limits to break.
                assertThat(infeasible.closest().memory().fits())
                        .isEqualTo(!tryAll(question.withoutLimits()).isEmpty());
            }
            case PlanAnswer.Unanswered<TrainingPlan> unknown ->
                fail(unknown.reason().toString());
        }
    }

    /// The table of what lost is exact too: for each way to share, the best of it.
    @RepeatedTest(40)
    void keepsTheBestOfEachWayToShare(RepetitionInfo repetition) {
        Question question = Question.draw(new Random(1000 + repetition.getCurrentRepetition()));
        List<String> expected = new ArrayList<>();
        List<TrainingRun> bests = new ArrayList<>();
        for (TrainingCandidate one : tryAll(question)) {
            String way = one.run().tp() + " " + one.run().cp() + " " + one.run().pp();
            if (!expected.contains(way)) {
                expected.add(way);
                bests.add(one.run());
            }
        }
        PlanAnswer<TrainingPlan> answer = SEARCH.find(question.request(), question.cluster(), question.software())
                .find()
                .orElseThrow();
        if (answer instanceof PlanAnswer.Feasible<TrainingPlan> feasible) {
            List<TrainingRun> considered =
                    feasible.considered().stream().map(TrainingPlan::run).toList();
            assertThat(considered).isEqualTo(bests.subList(0, considered.size()));
            assertThat(considered).hasSize(Math.min(12, bests.size()));
        } else {
            assertThat(bests).isEmpty();
        }
    }

    private static double speed(Question question) {
        PlanAnswer<TrainingPlan> answer = SEARCH.find(question.request(), question.cluster(), question.software())
                .find()
                .orElseThrow();
        return answer instanceof PlanAnswer.Feasible<TrainingPlan> feasible
                ? feasible.best().tokensPerSecond().p50()
                : 0;
    }

    private static Question fastest(Question drawn) {
        Question free = drawn.withoutLimits();
        return new Question(free.request().withGoal(TrainingGoal.SPEED), free.cluster(), free.software());
    }

    @RepeatedTest(60)
    void isNeverSlowerWithMore(RepetitionInfo repetition) {
        Random random = new Random(2000 + repetition.getCurrentRepetition());
        Question question = fastest(Question.draw(random));
        TrainingCluster cluster = question.cluster();
        double before = speed(question);
        DeviceFigures device = cluster.pool().device();
        TrainingCluster roomier = new TrainingCluster(
                DevicePool.of(
                        device.withMemory(bytes(device.memory() * (1 + random.nextDouble()))),
                        cluster.pool().name(),
                        cluster.devices()),
                cluster.perHost(),
                cluster.fabric(),
                cluster.store());
        List<Fabric.Level> faster = cluster.fabric().levels().stream()
                .map(level -> new Fabric.Level(level.devices(), 2 * level.bytesPerSecond()))
                .toList();
        assertThat(speed(new Question(question.request(), roomier, question.software())))
                .as("more memory")
                .isGreaterThanOrEqualTo(before);
        assertThat(speed(new Question(
                        question.request(),
                        cluster.withDevices(cluster.devices() + 1 + random.nextInt(8)),
                        question.software())))
                .as("more devices")
                .isGreaterThanOrEqualTo(before);
        assertThat(speed(new Question(
                        question.request(),
                        new TrainingCluster(cluster.pool(), cluster.perHost(), new Fabric(faster), cluster.store()),
                        question.software())))
                .as("faster links")
                .isGreaterThanOrEqualTo(before);
    }

    @RepeatedTest(40)
    void tellsWhereAllOfTheTimeGoes(RepetitionInfo repetition) {
        Question question = Question.draw(new Random(3000 + repetition.getCurrentRepetition()));
        PlanAnswer<TrainingPlan> answer = SEARCH.find(question.request(), question.cluster(), question.software())
                .find()
                .orElseThrow();
        TrainingPlan plan = answer.considered().getFirst();
        assertThat(plan.time().seconds() * plan.tokensPerSecond().p50() / plan.devices())
                .isCloseTo(1, org.assertj.core.data.Offset.offset(1e-9));
    }

    /// The explanation matches the plan: its terms add up to its step and to its memory.
    @RepeatedTest(40)
    void explainsAllOfIt(RepetitionInfo repetition) {
        Question question = Question.draw(new Random(4000 + repetition.getCurrentRepetition()));
        PlanAnswer<TrainingPlan> answer = SEARCH.find(question.request(), question.cluster(), question.software())
                .find()
                .orElseThrow();
        TrainingPlan plan = answer.considered().getFirst();
        TrainingExplanation explained = TrainingWork.explain(plan, COEFFICIENTS);
        double step = explained.step().stream().mapToDouble(StepTerm::seconds).sum();
        double memory =
                explained.memory().stream().mapToDouble(MemoryTerm::bytes).sum();
        assertThat(step / plan.stepSeconds().p50()).isCloseTo(1, within(1e-9));
        double total = plan.memory().total();
        assertThat(memory / total).isCloseTo(1, within(1e-9));
        assertThat(explained.coefficients()).isNotEmpty();
    }

    /// Meta trained it with TP 8 and PP 16 at 41 % MFU: 126 layers do not divide among 16 stages, but take turns where
    /// embedding and head count as layers.
    /// 31 stages of 4 devices would be the fastest, and lie on no 16 hosts.
    @Test
    void usesTheHostsThereAre() {
        DeviceFigures device = device("h200-sxm");
        TrainingCluster cluster =
                new TrainingCluster(DevicePool.of(device, "h200-sxm", 128), 8, Fabric.of(device, 8, 50e9));
        TrainingPlan plan = SEARCH.find(
                        request("deepseek-v3", "full", 4096, 64, TrainingGoal.SPEED),
                        cluster,
                        TrainingFramework.MEGATRON)
                .find()
                .orElseThrow()
                .findFirst()
                .orElseThrow();

        assertThat(plan.hosts()).isLessThanOrEqualTo(16);
        assertThat(plan.devices() % plan.hosts()).isZero();
        assertThat(plan.devices() / plan.hosts()).isLessThanOrEqualTo(8);
    }

    @Test
    void stagesOfMetasRunTakeTurnsAndReachItsUtilization() {
        TrainingRequest request = request("llama-3.1-405b", "full", 8192, 2048, TrainingGoal.SPEED);
        TrainingCluster cluster = cluster(device("h100-sxm"), 16_384);
        TrainingSpace space = SEARCH.problem(request, cluster, TrainingFramework.MEGATRON)
                .find()
                .orElseThrow()
                .space();
        assertThat(space.virtualStages(16)).containsExactly(1, 2, 4);
        assertThat(space.virtualStages(9)).containsExactly(1, 2, 7, 14);
        assertThat(space.virtualStages(5)).containsExactly(1);
        TrainingPlan best = SEARCH.find(request, cluster, TrainingFramework.MEGATRON)
                .find()
                .orElseThrow()
                .findFirst()
                .orElseThrow();
        assertThat(best.run().virtualStages()).isGreaterThan(1);
        assertThat(best.utilization()).isBetween(0.38, 0.45);
    }

    @Test
    void saysWhatWouldFit() {
        TrainingRequest request = request("llama-3.1-70b", "full", 4096, 16, TrainingGoal.SPEED);
        PlanAnswer<TrainingPlan> answer = SEARCH.find(
                        request, cluster(device("h100-sxm"), 8), TrainingFramework.MEGATRON)
                .find()
                .orElseThrow();
        PlanAnswer.Infeasible<TrainingPlan> infeasible = PlanAnswers.infeasible(answer);
        assertThat(infeasible.closest().memory().fits()).isFalse();
        assertThat(infeasible.remedies())
                .hasSize(3)
                .contains(
                        new Remedy.MoreDevices(16, 8),
                        new Remedy.Change("method", TrainingMethod.parse("lora"), request.method()));
        assertThat(infeasible.remedies().getFirst()).isInstanceOfSatisfying(Remedy.OffloadedStates.class, states -> {
            assertThat(states.states()).isEqualTo(Offload.OPTIMIZER);
            assertThat(states.place()).isEqualTo(OffloadStore.Place.HOST);
            assertThat(states.framework()).isEqualTo(TrainingFramework.PYTORCH);
            assertThat(Math.round(states.bytesPerDevice() / (1 << 30))).isEqualTo(115);
        });
    }
}
