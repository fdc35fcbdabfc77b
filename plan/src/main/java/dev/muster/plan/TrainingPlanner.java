// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.core.DeviceFact;
import dev.muster.core.StorageDevice;
import dev.muster.core.unit.Bandwidth;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.answer.Remedy.Advice;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.search.Attempt;
import dev.muster.plan.search.HostLinks;
import dev.muster.plan.search.HostRate;
import dev.muster.plan.search.PlannedDevices;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.search.UnlikeDevices;
import dev.muster.plan.search.training.TrainingSearch;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.plan.training.TrainingRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// Plans of training over all kinds of devices. Confined to one thread.
final class TrainingPlanner {
    private static final double GIGA = 1e9;

    private final Planner planner;
    private final PlannedDevices devices;
    private final Set<PlanNote> notes = new LinkedHashSet<>();

    TrainingPlanner(Planner planner) {
        this.planner = planner;
        this.devices = planner.devices();
        notes.addAll(devices.notes());
    }

    PlanAnswer<TrainingPlan> train(TrainingRequest request, Optional<TrainingFramework> asked, boolean onDrives) {
        notes.addAll(PlanNote.of(request.model()));
        if (isProcessorAlone()) {
            boolean isLeftOut = notes.stream().anyMatch(note -> note.kind() == PlanNote.NoteKind.LEFT_OUT);
            return new PlanAnswer.Unanswered<>(
                    isLeftOut ? devices.whyNone() : Shortfall.of(Cause.NO_ACCELERATOR),
                    List.of(Advice.HYPOTHETICAL_DEVICES),
                    List.copyOf(notes));
        }
        Optional<ModelShape> shape = ModelShape.of(request.architecture());
        RentalOffers offers = request.limits().tokens() > 0 ? planner.offers() : RentalOffers.NONE;
        TrainingSearch search = TrainingSearch.of(CoefficientTable.builtIn(), offers);
        List<PlanAnswer<TrainingPlan>> answers = new ArrayList<>();
        Shortfall problem = devices.pools().isEmpty() ? devices.whyNone() : Shortfall.of(Cause.NO_FRAMEWORK);
        for (TrainingCluster cluster : clusters(onDrives)) {
            DevicePool pool = cluster.pool();
            Optional<TrainingFramework> software = asked.or(() -> shape.flatMap(known -> TrainingFramework.usual(
                    pool.device().family(), request.method(), known.experts() > 0, request.offload())));
            if (shape.isPresent() && software.isEmpty()) {
                notes.add(PlanNote.of(Topic.NO_FRAMEWORK, pool.name()));
                continue;
            }
            switch (find(request, cluster, software.orElse(TrainingFramework.MEGATRON), search)) {
                case Attempt.Found<PlanAnswer<TrainingPlan>>(PlanAnswer<TrainingPlan> answer) -> answers.add(answer);
                case Attempt.Failed<PlanAnswer<TrainingPlan>>(Shortfall reason) -> problem = reason;
            }
        }
        if (answers.isEmpty()) {
            return new PlanAnswer.Unanswered<>(problem, remedies(request, problem), List.copyOf(notes));
        }
        answers.sort((one, other) -> rank(one) != rank(other)
                ? Integer.compare(rank(one), rank(other))
                : isTight(one) != isTight(other) && !request.limits().isRiskGiven()
                        ? Boolean.compare(isTight(one), isTight(other))
                        : Double.compare(loss(one, request.goal()), loss(other, request.goal())));
        PlanAnswer<TrainingPlan> best = answers.getFirst();
        noteRisk(best.considered().getFirst(), search);
        noteIdle(best.considered().getFirst().cluster());
        noteBatch(best, request, search);
        noteHalf(best.considered().getFirst());
        planner.runs.corrections().findNote(best.considered().getFirst()).ifPresent(notes::add);
        best = best.map(planner.runs.corrections()::correct);
        return best.withNotes(List.copyOf(notes));
    }

    /// Reports whether only the processor is left, for which training speed was never measured.
    private boolean isProcessorAlone() {
        return !devices.pools().isEmpty()
                && devices.pools().stream().allMatch(pool -> pool.device().family() == DeviceFamily.CPU);
    }

    /// Returns the best plan that exceeds the memory with no more than the accepted probability. Unless that was asked
    /// for, the best plan whose predicted peak fits takes its place if there is none, with its probability.
    private Attempt<PlanAnswer<TrainingPlan>> find(
            TrainingRequest request, TrainingCluster cluster, TrainingFramework software, TrainingSearch search) {
        double risk = request.limits().acceptedRisk();
        Attempt<PlanAnswer<TrainingPlan>> cautious = search.withRisk(risk).find(request, cluster, software);
        if (request.limits().isRiskGiven()
                || !(cautious instanceof Attempt.Found<PlanAnswer<TrainingPlan>>(PlanAnswer<TrainingPlan> answer))
                || answer.isFeasible()) {
            return cautious;
        }
        return search.find(request, cluster, software);
    }

    private static boolean isTight(PlanAnswer<TrainingPlan> answer) {
        return answer instanceof PlanAnswer.Feasible<TrainingPlan> found
                && found.best().isTight();
    }

    private void noteRisk(TrainingPlan plan, TrainingSearch search) {
        double risk = plan.request().limits().acceptedRisk();
        double multiple = search.withRisk(risk).multiple();
        double room = plan.memory().capacity() / plan.memory().total();
        if (plan.memory().fits() && room < multiple) {
            double exceeds = 1
                    - CoefficientTable.builtIn()
                            .interval(MeasuredClass.TRAINING_MEMORY)
                            .probability(room);
            notes.add(PlanNote.of(Topic.NO_ROOM, risk, exceeds));
        } else if (multiple > 1
                && (plan.memory().fits() || plan.request().limits().isRiskGiven())) {
            notes.add(PlanNote.of(Topic.FREE_MEMORY, 1 / multiple, risk));
        }
    }

    private static List<Remedy> remedies(TrainingRequest request, Shortfall reason) {
        return switch (reason.cause()) {
            case NO_DEVICE -> List.of(Advice.HYPOTHETICAL_DEVICES);
            case OTHER_KIND -> List.of(Advice.TEXT_MODEL);
            case NO_FRAMEWORK -> List.of(Advice.FRAMEWORK);
            case UNKNOWN_ARCHITECTURE -> request.architecture().doubt().isBlank() ? List.of(Advice.MODEL) : List.of();
            default -> request.limits().hasBudget() ? List.of(Advice.PRICES) : List.of();
        };
    }

    /// Returns the devices of each kind alone and, if there are several kinds, all together.
    private List<TrainingCluster> clusters(boolean onDrives) {
        List<DevicePool> pools = devices.pools().stream()
                .map(pool -> pool.isSliced() ? pool.withCount(1) : pool)
                .toList();
        List<TrainingCluster> clusters = new ArrayList<>();
        pools.forEach(pool -> clusters.add(cluster(pool, onDrives)));
        if (pools.stream().anyMatch(DevicePool::isSliced)) {
            return clusters;
        }
        UnlikeDevices.pool(pools)
                .ifPresent(all -> clusters.add(cluster(all, onDrives)
                        .withKinds(pools.stream()
                                .map(pool -> pool.withCount(planner.machines.hosts() * pool.count()))
                                .toList())));
        return clusters;
    }

    private TrainingCluster cluster(DevicePool pool, boolean onDrives) {
        HostLinks links = HostLinks.of(planner.machines.registry(), pool, planner.machines.hosts());
        links.findNote(pool).ifPresent(notes::add);
        return links.cluster(pool, store(pool, onDrives));
    }

    /// Returns the host memory for devices of one kind.
    private OffloadStore store(DevicePool pool, boolean onDrives) {
        Set<OffloadStore.Assumption> assumptions = EnumSet.noneOf(OffloadStore.Assumption.class);
        HostRate rate = HostRate.of(planner.machines.registry(), planner.rates.rates(), planner.rates.hostBandwidth());
        double memory = rate.isAssumed() ? OffloadStore.usualMemory(pool) : rate.bytesPerSecond();
        double bytes = room(onDrives, assumptions);
        double link = link(pool, assumptions);
        if (rate.isAssumed()) {
            assumptions.add(OffloadStore.Assumption.MEMORY_RATE);
        }
        return new OffloadStore(
                onDrives ? OffloadStore.Place.DISK : OffloadStore.Place.HOST,
                bytes,
                link,
                memory,
                onDrives ? drives(assumptions) : OffloadStore.DRIVE,
                assumptions);
    }

    private double room(boolean onDrives, Set<OffloadStore.Assumption> assumptions) {
        Optional<Double> usable = onDrives ? Optional.empty() : HostRate.usableBytes(planner.machines.registry());
        if (usable.isEmpty()) {
            assumptions.add(OffloadStore.Assumption.ROOM);
        }
        return usable.map(bytes -> bytes / HostLinks.machines(planner.machines.registry()))
                .orElse(Double.POSITIVE_INFINITY);
    }

    private double link(DevicePool pool, Set<OffloadStore.Assumption> assumptions) {
        boolean isStated = planner.machines.registry().available().stream()
                .anyMatch(profile -> profile.reading(DeviceFact.PCIE_BANDWIDTH).isKnown());
        double slowest = pool.members().stream()
                .mapToDouble(PlannedDevice::hostLink)
                .min()
                .orElse(PlannedDevice.hostLink(pool.device()));
        if (!isStated) {
            assumptions.add(OffloadStore.Assumption.LINK);
        }
        return slowest;
    }

    private double drives(Set<OffloadStore.Assumption> assumptions) {
        OptionalDouble fastest = planner.machines.registry().systemIo().storage().stream()
                .map(StorageDevice::bandwidth)
                .flatMap(bandwidth -> bandwidth.find().stream())
                .mapToDouble(Bandwidth::gigabytesPerSecond)
                .filter(rate -> rate > 0)
                .max();
        Optional<Double> known = planner.rates
                .diskBandwidth()
                .map(Bandwidth::gigabytesPerSecond)
                .or(() -> fastest.stream().boxed().findFirst());
        if (known.isEmpty()) {
            assumptions.add(OffloadStore.Assumption.DRIVE_RATE);
        }
        return known.map(rate -> rate * GIGA).orElse(OffloadStore.DRIVE);
    }

    /// Notes a batch that does not divide among devices, so that some are idle, with batches that do.
    private void noteBatch(PlanAnswer<TrainingPlan> answer, TrainingRequest request, TrainingSearch search) {
        TrainingPlan plan = answer.considered().getFirst();
        int count = plan.cluster().devices();
        int batch = Math.ceilDiv(request.batch(), count) * count;
        if (!answer.isFeasible()
                || request.goal() != TrainingGoal.SPEED
                || plan.idle() == 0
                || batch == request.batch()) {
            return;
        }
        find(request.withBatch(batch), plan.cluster(), plan.software(), search)
                .find()
                .map(other -> other.considered().getFirst())
                .filter(other -> other.memory().fits()
                        && other.idle() < plan.idle()
                        && other.tokensPerSecond().p50()
                                > plan.tokensPerSecond().p50())
                .ifPresent(other -> notes.add(PlanNote.of(
                        Topic.UNEVEN_BATCH,
                        request.batch(),
                        count,
                        batch,
                        other.devices(),
                        plan.devices(),
                        1
                                - plan.tokensPerSecond().p50()
                                        / other.tokensPerSecond().p50())));
    }

    /// Notes devices before compute capability 8.0, which have only fp16.
    private void noteHalf(TrainingPlan plan) {
        DevicePool pool = plan.cluster().pool();
        if (plan.request().precision() == TrainingPrecision.BF16
                && !pool.device().hasBf16()) {
            notes.add(PlanNote.of(Topic.FP16_TRAINING, pool.name()));
        }
    }

    /// Notes devices of other kinds, which are idle in a plan on one kind.
    private void noteIdle(TrainingCluster chosen) {
        if (chosen.kinds().isEmpty()) {
            devices.pools().stream()
                    .filter(pool -> !pool.name().equals(chosen.pool().name()))
                    .forEach(pool -> notes.add(PlanNote.of(Topic.IDLE_DEVICES, pool.count(), pool.name())));
        }
    }

    /// Returns the rank of an answer: plans that fit and keep the limits come first, then those that fit.
    private static int rank(PlanAnswer<TrainingPlan> answer) {
        return answer.isFeasible() ? 0 : answer.considered().getFirst().memory().fits() ? 1 : 2;
    }

    /// Returns the loss of an answer for the goal; of plans that do not fit, the shortage.
    private static double loss(PlanAnswer<TrainingPlan> answer, TrainingGoal goal) {
        TrainingPlan plan = answer.considered().getFirst();
        return plan.memory().fits() ? loss(plan, goal) : plan.memory().fullness();
    }

    private static double loss(TrainingPlan plan, TrainingGoal goal) {
        double speed = plan.tokensPerSecond().p50();
        return switch (goal) {
            case SPEED -> -speed;
            case COST -> plan.devices() / speed;
            case DEVICES -> plan.devices();
            case ENERGY -> plan.joulesPerToken().find().map(Estimate::p50).orElse(Double.POSITIVE_INFINITY);
        };
    }
}
