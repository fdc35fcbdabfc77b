// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.report.picture.LoadPicture;
import dev.muster.report.plan.SimulationText;
import dev.muster.report.text.Printable;
import java.util.List;

/// `muster simulate`: what clients see of a model under load, request by request.
final class SimulateCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("simulate", "play a load through a deployment")
                .recordedBy("simulate llama-3.1-8b --rate 2 --synthetic h100-sxm:1");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(SimulationOptions.all())
                .with(ServingOptions.FORMAT, ServingOptions.ENGINE, PlanPictureOption.SVG)
                .with(PlannerOptions.CHOICE)
                .with(PlannerOptions.HOSTS, Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  a target of --slo is missed by one request in ten, or more")
                .example("muster simulate llama-3.1-8b --users 64", "TTFT, TPOT and throughput with 64 users, here")
                .example(
                        "muster simulate qwen3-32b --rate 4/s --slo ttft=2s,tpot=50ms --synthetic h100-sxm:2",
                        "how many requests are good, on a made-up machine")
                .example(
                        "muster simulate llama-3.1-70b --trace azure.csv --synthetic h100-sxm:8 --svg load.svg",
                        "recorded requests, and curves over the load");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ModelSummary model = ModelArgument.resolve(arguments, "simulate");
        SimulationRequest request = SimulationOptions.request(arguments, model);
        Planner planner = PlannerOptions.planner(arguments, session);
        PlanAnswer<ServingSimulation> answer = simulate(arguments, planner, request);
        PlannerOptions.say(answer.notes(), session);
        request.lengths()
                .ifPresent(trace -> trace.notes().forEach(note -> session.note("muster: " + Printable.of(note))));
        if (!(answer instanceof PlanAnswer.Feasible<ServingSimulation> found)) {
            throw answer instanceof PlanAnswer.Unanswered<ServingSimulation> unknown
                    ? PlannerOptions.cannotPlan(model.name(), unknown)
                    : new CommandException("cannot simulate '" + Printable.of(model.name()) + "'");
        }
        ServingSimulation simulation = found.best();
        List<ServingSimulation.Point> curve =
                arguments.has(PlanPictureOption.SVG) ? planner.loadCurve(request, simulation.plan()) : List.of();
        SimulationText text = new SimulationText(request, simulation, curve);
        PlanPictureOption.print(arguments, session, text, () -> LoadPicture.of(request, simulation, curve));
        return simulation.keeps(request.targets()) ? ExitCode.OK : ExitCode.NO;
    }

    private static PlanAnswer<ServingSimulation> simulate(
            Arguments arguments, Planner planner, SimulationRequest request) {
        try {
            return planner.simulate(request, ServingOptions.choices(arguments));
        } catch (IllegalArgumentException e) {
            throw new UsageException("cannot simulate", e);
        }
    }
}
