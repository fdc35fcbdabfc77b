// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.figure;
import static dev.muster.report.plan.PredictedFigures.time;

import dev.muster.core.DeviceId;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.text.FixedText;
import dev.muster.core.text.HostList;
import dev.muster.fleet.Domain;
import dev.muster.fleet.plan.FleetAnswer;
import dev.muster.fleet.plan.FleetAnswer.Considered;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The hosts of a fleet that serve a model, and alternative hosts.
///
/// @param request the request
/// @param answer the answer
public record FleetPlanText(ServingRequest request, FleetAnswer<ServingPlan> answer) implements Report {
    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(request.model(), terminal);
        lines.add("request", ServingText.requestText(request));
        switch (answer.answer()) {
            case PlanAnswer.Feasible<ServingPlan> found -> describe(lines, found.best());
            case PlanAnswer.Infeasible<ServingPlan> none -> {
                lines.add("answer", FactLines.SENTENCES.reason(none.closest().shortfall()));
                lines.addRemedies(none.remedies());
            }
            case PlanAnswer.Unanswered<ServingPlan> unknown ->
                lines.add("answer", FactLines.SENTENCES.reason(unknown.reason()));
        }
        if (!answer.refused().isEmpty()) {
            lines.add("left out", refused());
        }
        return lines + "\n" + table(terminal);
    }

    private void describe(FactLines lines, ServingPlan plan) {
        lines.add(
                "answer",
                ServingText.sentence(plan) + " on " + Count.of(answer.hosts().size(), "host"));
        lines.add(
                "hosts",
                Printable.of(HostList.fold(answer.hosts().stream()
                        .map(share -> share.host().name())
                        .toList())));
        lines.add(
                "devices",
                Printable.of(answer.hosts().getFirst().devices().stream()
                                .map(DeviceId::text)
                                .collect(Collectors.joining(", ")))
                        + (answer.hosts().size() > 1 ? " on the first, as many on the others" : ""));
        if (!answer.domains().isEmpty()) {
            lines.add(
                    "near",
                    "all under "
                            + Printable.of(answer.domains().stream()
                                    .map(FleetPlanText::text)
                                    .collect(Collectors.joining(", "))));
        }
        lines.add("TTFT", time(plan.timeToFirstTokenQueued()));
        lines.add("TPOT", time(plan.timePerOutputToken()));
        lines.add("throughput", figure(plan.tokensPerSecond()) + " tokens/s");
    }

    private static String text(Domain domain) {
        return domain.kind().text() + " " + domain.name();
    }

    private String refused() {
        return answer.refused().entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(5)
                .map(one -> Count.of(one.getValue(), "host") + " (" + Printable.of(one.getKey()) + ")")
                .collect(Collectors.joining(", "));
    }

    private String table(Terminal terminal) {
        List<Considered<ServingPlan>> considered = answer.considered();
        boolean feasible = answer.isFeasible();
        return new Table<Considered<ServingPlan>>(terminal)
                .left("HOSTS WITH", one -> one.devices() + " x " + Printable.of(one.kind()) + " free")
                .right("THERE ARE", Considered::free)
                .right("TAKES", one -> one.needed() == 0 ? "–" : one.needed())
                .left("LAYOUT", one -> plan(one, ServingText::layout))
                .right(
                        "TPOT",
                        one -> plan(one, plan -> time(plan.timePerOutputToken().p50())))
                .right(
                        "TOKENS/S",
                        one -> plan(
                                one, plan -> FixedText.of(plan.tokensPerSecond().p50(), 0)))
                .mark(one -> feasible && one.equals(considered.getFirst()))
                .render(considered);
    }

    private static String plan(Considered<ServingPlan> one, Function<ServingPlan, String> text) {
        return switch (one.answer()) {
            case PlanAnswer.Feasible<ServingPlan> found -> text.apply(found.best());
            case PlanAnswer.Infeasible<ServingPlan> _ -> "does not fit";
            case PlanAnswer.Unanswered<ServingPlan> _ -> "–";
        };
    }

    @Override
    public JsonValue json() {
        JsonObject.ObjectBuilder json = JsonObject.document("fleet-plan");
        if (ServingDocument.of(new ServingOutcome(request, answer.answer(), List.of()), false, Optional.empty())
                instanceof JsonObject plan) {
            json.put("serving", plan);
        }
        return json.put(
                        "hosts",
                        answer.hosts(),
                        share -> JsonObject.builder()
                                .put("name", share.host().name())
                                .put("devices", share.devices(), device -> new JsonString(device.text()))
                                .build())
                .put(
                        "domains",
                        answer.domains(),
                        domain -> JsonObject.builder()
                                .put("kind", domain.kind().text())
                                .put("name", domain.name())
                                .build())
                .put(
                        "considered",
                        answer.considered(),
                        one -> JsonObject.builder()
                                .put("kind", one.kind())
                                .put("devicesPerHost", one.devices())
                                .put("hostsFree", one.free())
                                .put("hostsNeeded", one.needed())
                                .build())
                .put(
                        "refused",
                        List.copyOf(answer.refused().entrySet()),
                        one -> JsonObject.builder()
                                .put("reason", one.getKey())
                                .put("hosts", one.getValue())
                                .build())
                .build();
    }
}
