// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.fit.DisaggregatedLaunch.Side;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.SimulationRequest.Router;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Speculation;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.Loads;
import dev.muster.plan.simulate.ModelStepTimes;
import dev.muster.plan.simulate.SchedulerPolicy;
import dev.muster.plan.simulate.Schedulers;
import dev.muster.plan.simulate.Simulator;
import dev.muster.plan.simulate.StageSteps;
import dev.muster.plan.simulate.Workload;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.EngineRates;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.StepModel;

/// A benchmark run with disaggregated prefill and decode, as it is simulated. Immutable.
///
/// @param input nominal tokens of a prompt
/// @param output nominal tokens of an answer
record DisaggregatedRun(
        InferenceCases.KnownWeights model,
        DeviceFigures device,
        String engine,
        ServingProfile profile,
        DisaggregatedLaunch launch,
        int users,
        int input,
        int output,
        Workload load) {
    /// Requests that clients send for each user. All are simulated: the share of the first burst determines the mean.
    /// All are played: what share of them is the first burst decides the mean.
    private static final int PER_USER = 10;

    private static final long SEED = 1;
    /// The shares of nominal lengths that the benchmark draws from.
    private static final double DRAWN = 0.8;

    private static final double MEAN = (1 + DRAWN) / 2;
    private static final int WHOLE_SLACK = 64;
    /// The bandwidth of one device to those of other hosts: 400 Gbit/s, as InfiniBand NDR has for each.
    private static final double NETWORK = 50e9;

    private static final String HAND_OVER = "disaggregated/";

    /// A measured figure of a run, in seconds.
    enum Figure {
        TTFT(MeasuredClass.DISAGGREGATED_TTFT),
        TPOT(MeasuredClass.DISAGGREGATED_TPOT);

        private final MeasuredClass measuredClass;

        Figure(MeasuredClass measuredClass) {
            this.measuredClass = measuredClass;
        }

        MeasuredClass measuredClass() {
            return measuredClass;
        }

        private double of(Figures figures) {
            return switch (this) {
                case TTFT -> figures.timeToFirstToken().mean();
                case TPOT -> figures.timePerOutputToken().mean();
            };
        }
    }

    static DisaggregatedRun of(
            InferenceCases.KnownWeights model,
            DeviceFigures device,
            ServingProfile profile,
            DisaggregatedLaunch launch,
            DisaggregatedLaunch.Wanted row) {
        return new DisaggregatedRun(
                model,
                device,
                row.engine(),
                profile,
                launch,
                row.users(),
                row.input(),
                row.output(),
                Loads.closedLoop(row.users(), PER_USER * row.users(), row.input(), row.output(), DRAWN, SEED));
    }

    MeasuredCase.Prediction prediction(Figure figure) {
        return new Simulated(this, figure);
    }

    private double kvBytes() {
        return launch.isNarrowCache() ? 1 : 2;
    }

    private StepModel model(Side side, Coefficients c) {
        Parallelism layout = side.layout();
        DeviceFigures joined = layout.devices() > device.domain() ? device.overNetwork(NETWORK) : device;
        EngineRates rates = profile.rates(c, kvBytes());
        // Launches send 10 to 100 tokens at once, so that one process for all ranks has little to do with each: a
        // sequence costs the time of its own rank, while a step model counts that of all.
        EngineRates ofRank = rates.withSequence(rates.sequence() / layout.attentionDp());
        return new StepModel(model.shape(), model.parts(), joined, ofRank, layout, kvBytes());
    }

    private Figures simulate(Coefficients c) {
        Deployment.Workers prefill = prefill(c);
        return Simulator.run(
                        load,
                        Deployment.of(prefill.times(), prefill.policy(), prefill.room())
                                .withReplicas(prefill.replicas(), Router.ROUND_ROBIN)
                                .withDecode(decode(c), transfer(c))
                                .withSpeculation(speculation(c))
                                .withClient(client(c)))
                .figures(Slo.NONE);
    }

    /// Returns the prefill workers. Each attention rank is a replica: a prompt is processed by one of them.
    private Deployment.Workers prefill(Coefficients c) {
        Side side = launch.prefill();
        StepModel steps = model(side, c);
        SchedulerPolicy policy = policy(side, input + WHOLE_SLACK);
        return new Deployment.Workers(
                new ModelStepTimes(StageSteps.ofRank(steps), MEAN * input),
                policy,
                room(steps, side),
                side.workers() * side.layout().attentionDp());
    }

    private Deployment.Workers decode(Coefficients c) {
        Side side = launch.decode();
        StepModel steps = model(side, c);
        int ranks = side.layout().attentionDp();
        return new Deployment.Workers(
                new ModelStepTimes(new StageSteps(steps), meanContext()),
                policy(side, 0).times(ranks),
                room(steps, side) * ranks,
                side.workers());
    }

    private double meanContext() {
        return MEAN * (input + output / 2.0);
    }

    /// @param least least number of tokens of a step, if the launch does not state it
    private SchedulerPolicy policy(Side side, int least) {
        SchedulerPolicy policy =
                Schedulers.find(engine, "", device.id(), device.memory()).orElseThrow();
        int tokens = side.tokens() > 0 ? side.tokens() : Math.max(least, policy.tokenBudget());
        policy = policy.withTokenBudget(tokens);
        return side.sequences() > 0 ? policy.withMaxSequences(side.sequences()) : policy;
    }

    /// Returns the tokens that the KV cache of one rank holds; at least two requests.
    private long room(StepModel steps, Side side) {
        double tokens = MEAN * (input + output);
        double room = profile.serverRoom(model.parts(), side.layout());
        return (long) Math.max(2.0 * (input + output), room / steps.sequenceBytes(tokens) * tokens);
    }

    private Deployment.ClientDelay client(Coefficients c) {
        ServingProfile.FirstToken first = profile.firstToken(c, "");
        return new Deployment.ClientDelay(first.fixed(), first.perUser(), first.perToken());
    }

    private Deployment.KvTransfer transfer(Coefficients c) {
        double bytes = model.shape().sequenceBytes(input, kvBytes()) / input;
        return new Deployment.KvTransfer(c.get(HAND_OVER + "hand-over"), bytes / c.get(HAND_OVER + "kv-bandwidth"));
    }

    private Speculation speculation(Coefficients c) {
        return launch.draft() == 0
                ? Speculation.NONE
                : new Speculation(launch.draft(), c.get(HAND_OVER + "acceptance"));
    }

    /// The simulation, and a closed form that agrees with it at a point.
    private record Simulated(DisaggregatedRun run, Figure figure) implements MeasuredCase.Prediction {
        @Override
        public double with(Coefficients c) {
            return figure.of(run.simulate(c));
        }

        @Override
        public MeasuredCase.Prediction around(Coefficients at) {
            double ratio = with(at) / run.closed(figure, at);
            return c -> ratio * run.closed(figure, c);
        }
    }

    /// Returns the time of one prompt alone, or of one step of all sequences.
    private double closed(Figure figure, Coefficients c) {
        return switch (figure) {
            case TTFT -> {
                Deployment.ClientDelay client = client(c);
                yield client.fixed()
                        + users * client.perUser()
                        + model(launch.prefill(), c).promptSeconds(MEAN * input);
            }
            case TPOT -> {
                Side side = launch.decode();
                double sequences =
                        (double) users / (side.workers() * side.layout().attentionDp());
                yield model(side, c).stage(sequences, 1, meanContext()).seconds();
            }
        };
    }
}
