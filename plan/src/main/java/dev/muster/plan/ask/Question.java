// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.plan.Planner;
import dev.muster.plan.catalogue.InstanceOffer.Purchase;
import dev.muster.plan.catalogue.OfferRequest;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.TaskEngine;
import dev.muster.plan.serving.TaskRequest;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A question about a model on the devices of a planner, with every default and derivation filled in. Equal questions
/// get
/// equal answers, through any interface. Immutable.
///
/// ```java
/// Answer answer = Question.plan(model, ParameterValues.NONE.with(Parameters.EMIT, LaunchTarget.VLLM))
///         .ask(Planner.of(registry));
/// ```
///
/// @since 0.2
public sealed interface Question {
    /// Returns the values that were given.
    ParameterValues values();

    /// Returns the answer of a planner.
    ///
    /// @throws QuestionException if the planner has not the devices that are asked for
    Answer ask(Planner planner);

    /// Resolves a question of a kind about a model.
    ///
    /// @param kind the kind; not [QuestionKind#FLEET_PLAN], which needs a fleet
    /// @throws QuestionException if values exclude each other
    static Question of(QuestionKind kind, ModelSummary model, ParameterValues values) {
        return switch (kind) {
            case PLAN -> plan(model, values);
            case SIMULATE -> simulate(model, values);
            case TRAIN -> train(model, values);
            case FIT -> fit(model, values);
            case COST -> cost(model, values);
            case COMPARE -> compare(model, values);
            case QUANTIZE -> quantize(model, values);
            case PLAN_RULES, TRAIN_RULES -> rules(kind, model, values);
            case FLEET_PLAN -> throw new IllegalArgumentException("a question about a fleet needs one");
        };
    }

    /// Resolves a question of how to serve a model: a [Serve], a [Deploy] where there is a load, or a [Perform] if the
    /// model does not chat.
    ///
    /// @throws QuestionException if values exclude each other
    static Question plan(ModelSummary model, ParameterValues values) {
        return Resolution.plan(model, values);
    }

    /// Resolves a question of how to serve a model without a load.
    ///
    /// @throws QuestionException if values exclude each other
    static Serve serve(ModelSummary model, ParameterValues values) {
        return Resolution.serve(model, values);
    }

    /// Resolves a question of latency and throughput under a load.
    ///
    /// @throws QuestionException if values exclude each other, or the load is missing
    static Simulate simulate(ModelSummary model, ParameterValues values) {
        return Resolution.simulate(model, values);
    }

    /// Resolves a question of how to train a model.
    ///
    /// @throws QuestionException if values exclude each other
    static Train train(ModelSummary model, ParameterValues values) {
        return Resolution.train(model, values);
    }

    /// Resolves a question of what fits.
    ///
    /// @throws QuestionException if values exclude each other
    static Fit fit(ModelSummary model, ParameterValues values) {
        values.refuse(QuestionKind.models(), "it chooses among models; leave out the model");
        Serve serve = Resolution.serve(model, values);
        return new Fit(values, serve.request(), serve.choices());
    }

    /// Resolves a question of which machines serve a model at the lowest price.
    ///
    /// @throws QuestionException if the number of parameters of the model is unknown
    static Cost cost(ModelSummary model, ParameterValues values) {
        return Resolution.cost(model, values);
    }

    /// Resolves a question of how two machines serve a model.
    ///
    /// @throws QuestionException if values exclude each other
    static Compare compare(ModelSummary model, ParameterValues values) {
        Serve serve = Resolution.serve(model, values);
        return new Compare(values, serve.request(), serve.choices());
    }

    /// Resolves a question of the format that weights should have: a [Fit], or [Rules] for a mere size and a model that
    /// does not chat.
    ///
    /// @throws QuestionException if values exclude each other
    static Question quantize(ModelSummary model, ParameterValues values) {
        return Resolution.quantize(model, values);
    }

    /// Resolves a question that ai-hwaccel's rules answer.
    ///
    /// @param kind the kind: [QuestionKind#PLAN_RULES] or [QuestionKind#TRAIN_RULES]
    /// @throws QuestionException if the number of parameters of the model is unknown
    static Rules rules(QuestionKind kind, ModelSummary model, ParameterValues values) {
        return new Rules(values, kind, model, Resolution.parameters(model));
    }

    /// Returns a question of which models run on the devices, recent and large ones first.
    ///
    /// @param models the models
    /// @throws QuestionException if values are about a single model
    static Recommend recommend(List<ModelEntry> models, ParameterValues values) {
        List<Parameter<?>> others = new ArrayList<>(QuestionKind.FIT.parameters());
        others.removeAll(QuestionKind.place());
        others.remove(Parameters.ENGINE);
        others.removeAll(QuestionKind.models());
        values.refuse(others, "without a model, the models that run are listed");
        return new Recommend(values, choose(models, values));
    }

    /// Returns those of some models that are for a use and as recent as was asked for.
    static List<ModelEntry> choose(List<ModelEntry> models, ParameterValues values) {
        Optional<ModelUse> use = values.find(Parameters.MODEL_USE);
        Optional<String> since = values.find(Parameters.MODEL_SINCE);
        return models.stream()
                .filter(entry -> use.isEmpty() || use.get().isOf(entry))
                .filter(entry -> since.isEmpty() || entry.released().compareTo(since.get()) >= 0)
                .toList();
    }

    /// The best way to serve a model.
    ///
    /// @param values the values that were given
    /// @param request the request
    /// @param choices the choices that are left to the planner
    /// @param fillsMemory true to plan for as many sequences as fit, because a launch is asked for without a
    /// number
    /// @param target the program to write a launch for
    record Serve(
            ParameterValues values,
            ServingRequest request,
            ServingChoices choices,
            boolean fillsMemory,
            Optional<LaunchTarget> target)
            implements Question {
        @Override
        public Answer.Served ask(Planner planner) {
            return Asker.serve(this, planner);
        }
    }

    /// The best way to run a model that does not chat.
    ///
    /// @param values the values that were given
    /// @param request the request
    /// @param engine the program; empty for the usual one of the devices
    /// @param target the program to write a launch for
    record Perform(
            ParameterValues values, TaskRequest request, Optional<TaskEngine> engine, Optional<LaunchTarget> target)
            implements Question {
        @Override
        public Answer.Performed ask(Planner planner) {
            return Asker.perform(this, planner);
        }
    }

    /// The deployment that keeps targets under a load.
    ///
    /// @param values the values that were given
    /// @param request the load
    /// @param slo the targets
    /// @param choices the choices that are left to the planner
    /// @param target the program to write a launch for
    record Deploy(
            ParameterValues values,
            SimulationRequest request,
            Slo slo,
            ServingChoices choices,
            Optional<LaunchTarget> target)
            implements Question {
        @Override
        public Answer.Deployed ask(Planner planner) {
            return Asker.deploy(this, planner);
        }

        /// Returns deployments that no other beats in tokens per second of each user and of each device.
        ///
        /// @throws QuestionException if an option of the engine is unknown
        public List<DeploymentPlan> front(Planner planner) {
            return Asker.front(this, planner);
        }
    }

    /// Latency and throughput under a load.
    ///
    /// @param values the values that were given
    /// @param request the load
    /// @param choices the choices that are left to the planner
    record Simulate(ParameterValues values, SimulationRequest request, ServingChoices choices) implements Question {
        @Override
        public Answer.Simulated ask(Planner planner) {
            return Asker.simulate(this, planner);
        }

        /// Returns the figures of a plan under loads from light to heavy.
        ///
        /// @throws QuestionException if an option of the engine is unknown
        public List<ServingSimulation.LoadPoint> curve(Planner planner, ServingPlan plan) {
            return Asker.curve(this, planner, plan);
        }
    }

    /// The best way to train a model.
    ///
    /// @param values the values that were given
    /// @param request the request
    /// @param framework the framework; empty for the usual one of the devices
    /// @param onDrives true if offloaded states lie on drives
    /// @param target the program to write a launch for
    record Train(
            ParameterValues values,
            TrainingRequest request,
            Optional<TrainingFramework> framework,
            boolean onDrives,
            Optional<LaunchTarget> target)
            implements Question {
        @Override
        public Answer.Trained ask(Planner planner) {
            return Asker.train(this, planner);
        }
    }

    /// The context and the sequences that fit.
    ///
    /// @param values the values that were given
    /// @param request the request
    /// @param choices the choices that are left to the planner
    record Fit(ParameterValues values, ServingRequest request, ServingChoices choices) implements Question {
        @Override
        public Answer.Fitted ask(Planner planner) {
            return Asker.fit(this, planner);
        }
    }

    /// The cheapest machines that serve a model as a plan does; of a mere size, those that hold it.
    ///
    /// @param values the values that were given
    /// @param model the model
    /// @param request the memory that is needed, and the offers to consider
    /// @param plan the question that each machine has to answer, a [Serve] or a [Deploy]; empty for a mere size
    record Cost(ParameterValues values, ModelSummary model, OfferRequest request, Optional<Question> plan)
            implements Question {
        @Override
        public Answer.Priced ask(Planner planner) {
            PriceCatalogue all = planner.prices();
            PriceCatalogue counted = values.has(Parameters.STALE_PRICES)
                    ? all
                    : planner.today().map(all::fresh).orElse(all);
            Planner counting = planner.withPrices(counted);
            Answer.Priced answer = plan.isPresent() ? Renting.ask(this, counting) : hold(counting);
            return answer.withPriced(all.offers().size());
        }

        /// Returns the machines that hold a mere size.
        private Answer.Priced hold(Planner planner) {
            int priced = planner.prices().offers().size();
            return new Answer.Priced(this, planner.cost(request), List.of(), 0, 0, 0, 0, 0, priced, planner.today());
        }

        static OfferRequest request(OfferRequest base, ParameterValues values) {
            return base.withProviders(
                            Set.copyOf(values.find(Parameters.PROVIDERS).orElse(List.of())))
                    .withPurchase(values.has(Parameters.SPOT) ? Purchase.SPOT : Purchase.ON_DEMAND);
        }
    }

    /// A model on two machines.
    ///
    /// @param values the values that were given
    /// @param request the request
    /// @param choices the choices that are left to the planner
    record Compare(ParameterValues values, ServingRequest request, ServingChoices choices) implements Question {
        /// Returns the answers of the machines that are named: the planner's own, or hypothetical ones.
        @Override
        public Answer.Compared ask(Planner planner) {
            List<Planner> machines = Asker.machines(this, planner);
            return ask(machines.getFirst(), machines.getLast());
        }

        /// Returns the answers of two planners side by side.
        public Answer.Compared ask(Planner here, Planner there) {
            return new Answer.Compared(this, here.compare(there, request, choices));
        }
    }

    /// A question that ai-hwaccel's rules answer.
    ///
    /// @param values the values that were given
    /// @param kind the kind of question
    /// @param model the model
    /// @param parameters the number of its parameters
    record Rules(ParameterValues values, QuestionKind kind, ModelSummary model, long parameters) implements Question {
        @Override
        public Answer ask(Planner planner) {
            return RulesAsker.ask(this, planner);
        }
    }

    /// A question of which models run on the devices.
    ///
    /// @param values the values that were given
    /// @param models the models
    record Recommend(ParameterValues values, List<ModelEntry> models) implements Question {
        /// Copies the list.
        public Recommend {
            models = List.copyOf(models);
        }

        @Override
        public Answer.Recommended ask(Planner planner) {
            return Asker.recommend(this, planner);
        }
    }
}
