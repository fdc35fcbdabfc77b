// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.core.Reading;
import dev.muster.model.ModelComponent;
import dev.muster.model.ModelComponent.PassFigure;
import dev.muster.model.ModelComponent.Role;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.Remedy.Advice;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.search.PlannedDevices;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.TaskEngine;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.plan.serving.TaskRequest;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.TaskModel;
import dev.muster.plan.time.TaskModel.TokenLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Plans of models that do not chat: every batch and every sharing of it, on each kind of device. Confined to one
/// thread.
final class TaskPlanner {
    /// The largest batch that is tried; the throughput of larger ones is the same.
    private static final int MOST_BATCH = 64;

    private static final int MOST_SHARERS = 8;
    /// The share of memory that programs leave to the driver and to fragments.
    private static final double USABLE = 0.95;
    /// The context of a driver and the libraries of PyTorch: 621 MiB on an H200, measured.
    private static final double CONTEXT = 621L << 20;
    /// Activations that live at once, as wide as the residual stream: that of a block, its gate and its products.
    private static final double TENSORS = 12;
    /// Numbers for each pixel while a renderer works at the full size, as wide as its last layers.
    private static final double PIXEL_NUMBERS = 512;
    /// Frames that renderers of videos hold at once.
    private static final int HELD_FRAMES = 4;

    private static final double HALF_BYTES = 2;

    private final Planner planner;
    private final PlannedDevices devices;
    private final Set<PlanNote> notes = new LinkedHashSet<>();

    TaskPlanner(Planner planner) {
        this.planner = planner;
        this.devices = planner.devices();
        notes.addAll(devices.notes());
    }

    PlanAnswer<TaskPlan> plan(TaskRequest asked, Optional<TaskEngine> engine) {
        notes.addAll(PlanNote.of(asked.model()));
        List<TaskPlan> plans = new ArrayList<>();
        Shortfall problem = devices.whyNone();
        if (asked.parts().isEmpty()) {
            Shortfall unknown = Shortfall.of(
                    Cause.UNKNOWN_PARTS,
                    asked.model().name(),
                    asked.kind(),
                    asked.model().architecture().doubt());
            return new PlanAnswer.Unanswered<>(unknown, List.of(Advice.MODEL), List.copyOf(notes));
        }
        for (DevicePool pool : devices.pools()) {
            List<TaskEngine> known = TaskEngine.of(asked.kind(), pool.device().family());
            TaskEngine chosen = engine.orElse(known.getFirst());
            if (!known.contains(chosen)) {
                problem = Shortfall.of(Cause.NOT_ON_DEVICE, chosen.display(), pool.name());
                continue;
            }
            plans.addAll(plans(asked, pool, chosen));
        }
        if (plans.isEmpty()) {
            return new PlanAnswer.Unanswered<>(
                    problem,
                    problem.isRefusal()
                            ? List.of(Advice.OTHER_FORMAT_ENGINE_OR_DEVICES)
                            : ServingPlanner.noDevices(problem),
                    List.copyOf(notes));
        }
        plans.sort(order(asked.goal()));
        return plans.getFirst().isAccepted()
                ? new PlanAnswer.Feasible<>(plans, plans.size(), List.copyOf(notes))
                : new PlanAnswer.Infeasible<>(
                        plans, List.of(Advice.OTHER_FORMAT_ENGINE_OR_DEVICES), List.copyOf(notes));
    }

    private List<TaskPlan> plans(TaskRequest asked, DevicePool pool, TaskEngine engine) {
        RentalOffers.OfDevice offers = planner.offers().ofDevice(pool);
        List<TaskPlan> plans = new ArrayList<>();
        boolean isShared = asked.parts().stream()
                .anyMatch(part -> part.role() == Role.DENOISER && part.figure(PassFigure.HEADS) > 0);
        int most = isShared && !pool.isSliced() ? Math.min(MOST_SHARERS, Math.min(pool.count(), pool.domain())) : 1;
        for (int degree = 1; degree <= most; degree *= 2) {
            int replicas = pool.count() / degree;
            if (asked.batch() > 0) {
                int used = Math.min(replicas, asked.batch());
                int each = Math.ceilDiv(asked.batch(), used);
                plans.add(
                        plan(asked, pool, engine, offers, new Shape(degree, Math.ceilDiv(asked.batch(), each), each)));
            } else {
                // Images are drawn one by one: each takes all of a device. The server of whisper.cpp takes one
                // recording
                // at a time.
                boolean isSingle =
                        TaskModel.measured(asked) == MeasuredClass.DIFFUSION_TIME || engine == TaskEngine.WHISPER_CPP;
                int largest = isSingle ? 1 : MOST_BATCH;
                for (int batch = 1; batch <= largest; batch *= 2) {
                    plans.add(plan(asked, pool, engine, offers, new Shape(degree, replicas, batch)));
                }
            }
        }
        return plans;
    }

    /// @param degree devices of a replica
    /// @param batch texts or images at the same time on a replica
    private record Shape(int degree, int replicas, int batch) {}

    private TaskPlan plan(
            TaskRequest asked, DevicePool pool, TaskEngine engine, RentalOffers.OfDevice offers, Shape shape) {
        long heads = asked.parts().stream()
                .mapToLong(part -> part.figure(PassFigure.HEADS))
                .max()
                .orElse(1);
        TaskModel model = new TaskModel(
                asked,
                engine,
                pool.device(),
                TokenLayout.of(shape.degree, Math.max(1, heads)),
                CoefficientTable.builtIn());
        double seconds = model.seconds(shape.batch);
        MeasuredClass measured = TaskModel.measured(asked);
        boolean isMeasured = model.isMeasured() && !pool.isUncertain();
        ErrorInterval known = CoefficientTable.builtIn().interval(measured);
        ErrorInterval interval = isMeasured ? known : known.doubled();
        Estimate latency = Estimate.of(seconds, interval);
        Reading<Rental> rental = offers.cheapest(shape.replicas, shape.degree);
        return new TaskPlan(
                asked.withBatch(shape.batch),
                pool,
                engine,
                shape.degree,
                shape.replicas,
                memory(model, pool, shape.batch),
                latency,
                latency.dividing(shape.replicas * TaskModel.units(asked, shape.batch)),
                model.terms(shape.batch),
                isMeasured,
                rental);
    }

    private static DeviceMemoryUse memory(TaskModel model, DevicePool pool, int batch) {
        TaskRequest request = model.request();
        double weights = 0;
        double cache = 0;
        double work = 0;
        for (ModelComponent part : request.parts()) {
            weights += model.bytes(part);
            cache += batch * HALF_BYTES * part.figure(PassFigure.CACHE) * model.kept();
            long patch = part.figure(PassFigure.PATCH);
            double pixels = patch == 0 ? 0 : (double) request.width() * request.height() / (patch * patch);
            double held = part.role() == Role.RENDERER
                    ? pixels * Math.min(request.frames(), HELD_FRAMES) * PIXEL_NUMBERS
                    : rows(part, request, pixels) * part.figure(PassFigure.WIDTH) * TENSORS * batch;
            work = Math.max(work, held * HALF_BYTES);
        }
        return new DeviceMemoryUse(
                weights,
                cache,
                CONTEXT + work,
                pool.device().within(USABLE * pool.device().memory()));
    }

    private static double rows(ModelComponent part, TaskRequest request, double square) {
        long stride = part.figure(PassFigure.STRIDE);
        double frames = stride == 0 ? 1 : 1 + (request.frames() - 1.0) / stride;
        double sound =
                part.figure(PassFigure.RATE) * Math.max((double) part.figure(PassFigure.WINDOW), request.seconds());
        double tokens = square > 0 ? square * frames : part.figure(PassFigure.RATE) > 0 ? sound : request.input();
        return Math.max(1, part.figure(PassFigure.PASSES)) * (tokens + part.figure(PassFigure.EXTRA));
    }

    /// Returns the order of plans: those that do first, then by the goal. A larger batch has to be a fiftieth better.
    private static Comparator<TaskPlan> order(ServingGoal goal) {
        return Comparator.<TaskPlan>comparingInt(plan -> plan.memory().fits() ? 0 : 1)
                .thenComparingInt(plan -> plan.isAccepted() ? 0 : 1)
                .thenComparingDouble(plan -> loss(plan, goal))
                .thenComparingInt(TaskPlan::devices)
                .thenComparingDouble(plan -> plan.latency().p50());
    }

    private static double loss(TaskPlan plan, ServingGoal goal) {
        double loss = switch (goal) {
            case THROUGHPUT, ENERGY -> 1 / plan.rate().p50();
            case LATENCY -> plan.latency().p50();
            case DEVICES -> plan.devices();
            case MEMORY -> plan.memory().total();
            case COST ->
                plan.rental()
                        .find()
                        .map(rental -> rental.usdPerHour() / plan.rate().p50())
                        .orElse(Double.POSITIVE_INFINITY);
        };
        return Math.round(50 * Math.log(loss));
    }
}
