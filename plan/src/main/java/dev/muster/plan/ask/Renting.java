// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.CloudProvider;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.DeviceTextException;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.OfferRequest;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the cheapest machines of the price list on which a plan is feasible, beside those of the user's own. Confined
/// to one thread.
///
/// More machines of a kind never make a feasible plan infeasible, since a plan may leave devices idle. So an offer is
/// tried with the most machines that are still cheaper than what was found, and then with fewer.
final class Renting {
    /// The most machines of one offer.
    static final int MOST_MACHINES = 8;

    private static final int MOST_SHOWN = 10;
    private static final double GIGA = 1e9;
    /// GB of prices may be GiB, and converted formats may have fewer bits.
    private static final double SLACK = 1.3;

    private static final Comparator<Rented> CHEAPEST = Comparator.comparingDouble(Rented::usdPerHour)
            .thenComparing(rented -> rented.plan.pool().count())
            .thenComparing(rented -> rented.rental.offer().instance());

    private final Question.Cost question;
    private final Question plan;
    private final Planner planner;
    /// The plans on so many machines of a kind, which several offers may have.
    private final Map<String, Optional<ServingPlan>> answers = new HashMap<>();
    private final List<Rented> found = new ArrayList<>();
    private int notWanted;
    private int tooSmall;
    private int noPlan;
    private int dearer;

    private Renting(Question.Cost question, Question plan, Planner planner) {
        this.question = question;
        this.plan = plan;
        this.planner = planner;
    }

    /// A plan and its machines.
    private record Rented(ServingPlan plan, Rental rental) {
        double usdPerHour() {
            return rental.usdPerHour();
        }
    }

    static Answer.Priced ask(Question.Cost question, Planner planner) {
        return new Renting(question, question.plan().orElseThrow(), planner).find();
    }

    private Answer.Priced find() {
        List<Rented> own = OwnMachine.of(question.values()).stream()
                .flatMap(machine -> own(machine).stream())
                .toList();
        OfferRequest request = question.request();
        List<InstanceOffer> wanted = new ArrayList<>();
        for (InstanceOffer offer : planner.prices().offers()) {
            if (offer.price(request.purchase()).isKnown()
                    && (request.providers().isEmpty() || request.providers().contains(offer.provider()))) {
                wanted.add(offer);
            } else {
                notWanted++;
            }
        }
        wanted.sort(Comparator.comparingDouble(this::promise).thenComparing(InstanceOffer::instance));
        wanted.forEach(offer -> consider(offer, isLoaded() ? MOST_MACHINES : 1));
        if (found.isEmpty() && !isLoaded()) {
            tooSmall = 0;
            noPlan = 0;
            wanted.forEach(offer -> consider(offer, MOST_MACHINES));
        }
        found.addAll(own);
        found.sort(CHEAPEST);
        return new Answer.Priced(
                question,
                List.of(),
                found.stream().map(Rented::plan).toList(),
                0,
                notWanted,
                tooSmall,
                noPlan,
                dearer,
                planner.prices().offers().size(),
                planner.today());
    }

    /// Returns the plan on a machine of the user's own, which is listed whatever it costs.
    private Optional<Rented> own(OwnMachine machine) {
        AcceleratorRegistry registry;
        try {
            registry = WhatIf.synthetic(machine.machine(), planner.catalogue());
        } catch (DeviceTextException e) {
            throw QuestionException.of("the machine '{}': {}", machine.machine(), String.valueOf(e.getMessage()));
        }
        Optional<ServingPlan> best = find(planner.elsewhere(registry));
        if (best.isEmpty()) {
            noPlan++;
            return Optional.empty();
        }
        ServingPlan plan = best.get();
        // A machine that costs nothing has a price below any that is shown, since a price is above 0.
        double price = Math.max(machine.usdPerHour(plan, question.values()), Double.MIN_NORMAL);
        InstanceOffer offer = new InstanceOffer(
                CloudProvider.OWN,
                machine.name(),
                "own",
                planner.catalogue()
                        .find(plan.pool().device().id())
                        .map(DeviceEntry::id)
                        .orElse(plan.pool().device().id()),
                plan.pool().count(),
                plan.pool().device().memory() / GIGA,
                Reading.unknown(UnknownReason.NOT_STATED, "own machine"),
                Reading.unknown(UnknownReason.NOT_STATED, "own machine"),
                "none",
                new InstanceOffer.UsdPerHour(price),
                Reading.unknown(UnknownReason.NOT_STATED, "own machine"),
                "given",
                planner.today().orElse(LocalDate.EPOCH),
                machine.machine());
        Rental rental = new Rental(offer, 1, InstanceOffer.Purchase.OWN, Optional.empty());
        Reading<Rental> known = offer.price(InstanceOffer.Purchase.OWN).map(_ -> rental);
        return Optional.of(new Rented(plan.withRental(known, plan.tokensPerSecond()), rental));
    }

    /// Reports whether there is a load, which replicas on several machines share. Without one, a replica stays within a
    /// machine if any machine holds it.
    private boolean isLoaded() {
        return plan instanceof Question.Deploy;
    }

    /// Returns the price for the bandwidth of the memory: offers that are likely to win come first, so that later ones
    /// are tried with few machines.
    private double promise(InstanceOffer offer) {
        double bandwidth = planner.catalogue()
                .find(offer.accelerator())
                .map(device -> device.memory().bandwidth().gigabytesPerSecond())
                .orElse(1.0);
        return price(offer) / (offer.count() * bandwidth);
    }

    private double price(InstanceOffer offer) {
        return offer.price(question.request().purchase()).find().orElseThrow().amount();
    }

    private void consider(InstanceOffer offer, int usual) {
        Optional<Integer> machines = question.values().find(Parameters.FLEET_HOSTS);
        int most = machines.orElse(usual);
        int affordable = (int) Math.min(most, Math.floor(dearest() / price(offer)));
        if (affordable < machines.orElse(1)) {
            dearer++;
        } else if (!holdsWeights(offer, most)) {
            tooSmall++;
        } else if (holdsWeights(offer, affordable) && find(offer, affordable).isPresent()) {
            add(offer, machines.orElseGet(() -> fewest(offer, affordable)));
        } else if (affordable < most) {
            dearer++;
        } else {
            noPlan++;
        }
    }

    /// Returns the price from which on machines are not shown.
    private double dearest() {
        return found.size() < MOST_SHOWN || question.values().has(Parameters.ALL)
                ? Double.POSITIVE_INFINITY
                : found.getLast().usdPerHour();
    }

    private int fewest(InstanceOffer offer, int enough) {
        int low = 1;
        int high = enough;
        while (low < high) {
            int middle = (low + high) / 2;
            if (holdsWeights(offer, middle) && find(offer, middle).isPresent()) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return high;
    }

    private void add(InstanceOffer offer, int machines) {
        ServingPlan best = find(offer, machines).orElseThrow();
        Rental rental = new Rental(
                offer, machines, question.request().purchase(), planner.today().map(day -> PriceAge.of(offer, day)));
        ServingPlan rented =
                best.withRental(offer.price(question.request().purchase()).map(_ -> rental), best.tokensPerSecond());
        found.add(new Rented(rented, rental));
        found.sort(CHEAPEST);
        if (found.size() > MOST_SHOWN && !question.values().has(Parameters.ALL)) {
            found.removeLast();
            dearer++;
        }
    }

    /// Reports whether the weights alone fit, in the requested format with the fewest bits; a bound that spares most
    /// searches.
    private boolean holdsWeights(InstanceOffer offer, int machines) {
        long parameters = question.model().parameters().find().orElse(0L);
        WeightFormat published = ServingRequest.of(question.model()).format();
        int bits = question.values().find(Parameters.FORMATS).orElseGet(() -> List.of(published)).stream()
                .mapToInt(WeightFormat::weightBits)
                .min()
                .orElse(1);
        double bytes = (double) parameters * Math.min(bits, published.weightBits()) / Byte.SIZE;
        return bytes <= SLACK * GIGA * offer.gigabytesEach() * offer.count() * machines;
    }

    /// Returns the plan on some machines of an offer, as `plan` finds it, with the rate under its load.
    private Optional<ServingPlan> find(InstanceOffer offer, int machines) {
        return answers.computeIfAbsent(offer.machine() + '#' + machines, _ -> plan(offer.machine(), machines));
    }

    private Optional<ServingPlan> plan(String machine, int machines) {
        Planner on;
        try {
            on = planner.elsewhere(WhatIf.synthetic(machine, planner.catalogue()))
                    .withHosts(machines);
        } catch (DeviceTextException e) {
            throw new IllegalStateException("an offer of the price list describes no machine: " + machine, e);
        }
        return find(on);
    }

    private Optional<ServingPlan> find(Planner on) {
        return switch (plan) {
            case Question.Serve serve ->
                serve.ask(on).outcome().answer() instanceof PlanAnswer.Feasible<ServingPlan> feasible
                        ? Optional.of(feasible.best())
                        : Optional.empty();
            case Question.Deploy deploy ->
                Asker.checked(() -> on.findDeployment(deploy.request(), deploy.slo(), deploy.choices()))
                        .map(Renting::loaded);
            default -> throw new IllegalStateException("neither served nor deployed");
        };
    }

    /// Returns the plan of a deployment with its rate under the load, and the interval of the plan's own.
    private static ServingPlan loaded(DeploymentPlan deployment) {
        ServingPlan alone = deployment.plan();
        Estimate rate = alone.tokensPerSecond()
                .times(deployment.figures().tokensPerSecond()
                        / alone.tokensPerSecond().p50());
        return alone.withRental(alone.rental(), rate);
    }
}
