// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.Loads;
import dev.muster.plan.simulate.ModelStepTimes;
import dev.muster.plan.simulate.SchedulerPolicy;
import dev.muster.plan.simulate.SchedulerPolicy.Prompts;
import dev.muster.plan.simulate.Schedulers;
import dev.muster.plan.simulate.Simulator;
import dev.muster.plan.simulate.StageSteps;
import dev.muster.plan.simulate.Workload;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.StepModel;
import dev.muster.plan.time.WeightParts;
import java.util.Optional;

/// A run of a serving benchmark, as it is simulated. Immutable.
///
/// @param input nominal tokens of a prompt
/// @param output nominal tokens of an answer
/// @param users number of users; 0 if requests arrive at a rate
/// @param shortest smallest share of nominal lengths that is drawn
/// @param client benchmark client; blank for the one that most rows are from
record ServedRun(
        ModelShape shape,
        WeightParts weights,
        DeviceFigures device,
        ServingProfile profile,
        Parallelism layout,
        double kvBytes,
        SchedulerPolicy policy,
        int users,
        int input,
        int output,
        double shortest,
        String client,
        Workload load) {
    /// Requests that clients send for each user.
    private static final int PER_USER = 10;
    /// Simulations of many users are cut at this number of requests: the rest adds nothing new.
    private static final int ENOUGH = 3000;

    private static final int LEAST_PER_USER = 3;
    private static final long SEED = 1;
    /// The shares of nominal lengths that InferenceX draws from.
    private static final double DRAWN = 0.8;
    /// The users of other clients do not stay in step with each other if an engine mixes prefill and decode.
    private static final double SPREAD = 0.5;
    /// If prompts run alone, equal requests that began together stay together.
    private static final double EQUAL = 1;
    private static final int WHOLE_SLACK = 64;

    private static final double ABOUT_HALF = 0.5;
    private static final double MILLI = 1e3;

    /// A measured figure of a run. Times in milliseconds, as tables have them.
    enum Figure {
        MEAN_TTFT(MeasuredClass.SERVING_TTFT),
        MEDIAN_TTFT(MeasuredClass.SERVING_TTFT),
        P99_TTFT(MeasuredClass.SERVING_TTFT),
        MEAN_TPOT(MeasuredClass.SERVING_TPOT),
        MEDIAN_TPOT(MeasuredClass.SERVING_TPOT),
        P99_TPOT(MeasuredClass.SERVING_TPOT),
        THROUGHPUT(MeasuredClass.SERVING_THROUGHPUT),
        /// The throughput that follows from the mean times.
        USERS_THROUGHPUT(MeasuredClass.SERVING_THROUGHPUT);

        private final MeasuredClass measuredClass;

        Figure(MeasuredClass measuredClass) {
            this.measuredClass = measuredClass;
        }

        MeasuredClass measuredClass() {
            return measuredClass;
        }

        /// Returns the figure of a metric and a statistic of a table; a statistic that is not stated is a mean.
        static Optional<Figure> find(String metric, String statistic) {
            return switch (metric) {
                case "tpot_ms" -> one(statistic, MEAN_TPOT, MEDIAN_TPOT, P99_TPOT);
                case "ttft_ms" -> one(statistic, MEAN_TTFT, MEDIAN_TTFT, P99_TTFT);
                case "out_tok_s" -> Optional.of(THROUGHPUT);
                default -> Optional.empty();
            };
        }

        private static Optional<Figure> one(String statistic, Figure mean, Figure median, Figure p99) {
            return switch (statistic) {
                case "", "mean" -> Optional.of(mean);
                case "median" -> Optional.of(median);
                case "p99" -> Optional.of(p99);
                default -> Optional.empty();
            };
        }

        double of(Figures figures, ServedRun run) {
            return this == USERS_THROUGHPUT
                    ? run.throughput(
                            figures.timeToFirstToken().mean(),
                            figures.timePerOutputToken().mean())
                    : of(figures);
        }

        /// Returns the figure of a simulation.
        double of(Figures figures) {
            return switch (this) {
                case MEAN_TTFT -> MILLI * figures.timeToFirstToken().mean();
                case MEDIAN_TTFT -> MILLI * figures.timeToFirstToken().p50();
                case P99_TTFT -> MILLI * figures.timeToFirstToken().p99();
                case MEAN_TPOT -> MILLI * figures.timePerOutputToken().mean();
                case MEDIAN_TPOT -> MILLI * figures.timePerOutputToken().p50();
                case P99_TPOT -> MILLI * figures.timePerOutputToken().p99();
                case THROUGHPUT, USERS_THROUGHPUT -> figures.tokensPerSecond();
            };
        }
    }

    static ServedRun of(TruthRow row, InferenceCases.KnownWeights model, DeviceFigures device) {
        WeightFormat format = ServingProfile.multiplied(InferenceCases.weightFormat(row), model.shape());
        Parallelism stated =
                new Parallelism(row.degree("tp"), row.degree("pp"), row.degree("ep"), row.degree("attn_dp"));
        Parallelism layout = isDrawn(row) ? LaunchOptions.layout(row, stated) : stated;
        ServingProfile profile = new ServingProfile(EngineCases.engine(row, device), release(row), format, device);
        SchedulerPolicy policy = policy(row, device, layout);
        boolean isUniform = row.text("note").contains("uniform draw");
        double shortest = isUniform
                ? 0
                : isDrawn(row) ? DRAWN : isBenchmark(row) && policy.prompts() == Prompts.MIXED ? SPREAD : EQUAL;
        // Lengths drawn from zero to the nominal ones have half of them as their mean; equal ones stay unchanged.
        double scale = isUniform ? 2 : isDrawn(row) ? 1 : 2 / (1 + shortest);
        int input = Math.max(1, (int) Math.rint(scale * row.number("input_len")));
        int output = Math.max(2, (int) Math.rint(scale * row.number("output_len")));
        boolean isOpen = row.text("arrival").equals("poisson");
        int users = isOpen ? 0 : Math.max(1, row.count("concurrency"));
        int sent = row.count("n_requests");
        int wanted = sent > 0 ? sent : isOpen ? ENOUGH : PER_USER * users;
        int requests = Math.min(wanted, Math.max(LEAST_PER_USER * users, ENOUGH));
        return new ServedRun(
                model.shape(),
                model.parts(),
                device,
                profile,
                layout,
                kvBytes(row),
                policy,
                users,
                input,
                output,
                shortest,
                client(row),
                isOpen
                        ? Loads.openLoop(row.number("request_rate"), requests, input, output, shortest, SEED)
                        : Loads.closedLoop(users, requests, input, output, shortest, SEED));
    }

    /// Reports whether requests arrive at a rate, whether others are answered or not.
    boolean isOpen() {
        return users == 0;
    }

    /// Reports whether a row is of the one client that draws lengths of 0.8 to 1 of the nominal ones.
    static boolean isDrawn(TruthRow row) {
        return row.text("note").contains("0.8 to 1");
    }

    private static String client(TruthRow row) {
        return isDrawn(row) ? "" : isBenchmark(row) ? "gap-analysis" : row.text("source_id");
    }

    /// Reports whether a row is of a table made for comparison.
    static boolean isBenchmark(TruthRow row) {
        return row.text("source_id").equals("aic-silicon");
    }

    /// Returns the release, such as `0.19.0`; nightly builds have none.
    private static String release(TruthRow row) {
        String version = row.text("engine_version");
        return !version.isEmpty() && Character.isDigit(version.charAt(0)) ? version : "";
    }

    private static SchedulerPolicy policy(TruthRow row, DeviceFigures device, Parallelism layout) {
        SchedulerPolicy usual = Schedulers.find(row.text("engine"), "", device.id(), device.memory())
                .orElseThrow();
        SchedulerPolicy launched = isDrawn(row) ? LaunchOptions.apply(row, layout, usual) : usual;
        // Servers that process whole prompts have room for one beside all sequences in decode.
        int whole = row.count("input_len") + row.count("concurrency") / layout.attentionDp() + WHOLE_SLACK;
        SchedulerPolicy fitting =
                launched.isChunked() || launched.tokenBudget() >= whole ? launched : launched.withTokenBudget(whole);
        return fitting.times(layout.attentionDp());
    }

    /// Returns the bytes of the KV cache; if the row does not state them, the benchmark keeps 8-bit keys beside
    /// narrow weights.
    private static double kvBytes(TruthRow row) {
        String kv = row.text("kv_dtype");
        boolean isNarrow = !row.text("weight_dtype").equals("bf16")
                && !row.text("weight_dtype").equals("int4");
        return kv.equals("fp8") || (kv.isEmpty() && isDrawn(row) && isNarrow) ? 1 : 2;
    }

    /// Returns the tokens per second of users with the given times to the first and every further token.
    double throughput(double first, double perToken) {
        double tokens = output * (1 + shortest) / 2;
        return users * tokens / (first + (tokens - 1) * perToken);
    }

    MeasuredCase.Prediction prediction(Figure figure) {
        return new Simulated(this, figure);
    }

    /// Returns the seconds below which no prompt of mean length is read: its products outside of experts at the peak of
    /// the data sheet on all devices.
    double leastFirstToken() {
        double numbers = weights.attention().elements() + weights.dense().elements();
        return 2 * numbers * meanInput() / (profile.peak() * layout.devices());
    }

    private StepModel model(Coefficients c) {
        return new StepModel(shape, weights, device, profile.rates(c, kvBytes), layout, kvBytes);
    }

    private Deployment.ClientDelay client(Coefficients c) {
        ServingProfile.FirstToken first = profile.firstToken(c, client);
        return new Deployment.ClientDelay(first.fixed(), first.perUser(), first.perToken());
    }

    private double meanInput() {
        return input * (1 + shortest) / 2;
    }

    private double meanOutput() {
        return output * (1 + shortest) / 2;
    }

    private double meanContext() {
        return meanInput() + meanOutput() * ABOUT_HALF;
    }

    private double roomTokens(StepModel model) {
        double tokens = meanInput() + meanOutput();
        double room = profile.serverRoom(weights, layout);
        return Math.max(tokens * 1.3, room / model.sequenceBytes(tokens) * tokens * layout.attentionDp());
    }

    private Figures simulate(Coefficients c) {
        StepModel model = model(c);
        Deployment deployment = Deployment.of(
                        new ModelStepTimes(new StageSteps(model), meanContext()), policy, (long) roomTokens(model))
                .withClient(client(c));
        return Simulator.run(load, deployment).figures(Slo.NONE);
    }

    /// The simulation, and a closed form that agrees with it at a point.
    private record Simulated(ServedRun run, Figure figure) implements MeasuredCase.Prediction {
        @Override
        public double with(Coefficients c) {
            return figure.of(run.simulate(c), run);
        }

        @Override
        public MeasuredCase.Prediction around(Coefficients at) {
            if (run.isOpen()) {
                return this;
            }
            Closed closed = run.closed(at);
            Figures simulated = run.simulate(at);
            double delay = run.delay(at);
            double waiting = (simulated.timeToFirstToken().mean() - delay) / closed.prompt;
            double slowing = simulated.timePerOutputToken().mean() / closed.perToken;
            double spread = figure.of(simulated, run) / run.formed(figure, at, closed, waiting, slowing);
            return c -> spread * run.formed(figure, c, run.closed(c), waiting, slowing);
        }
    }

    private double delay(Coefficients c) {
        Deployment.ClientDelay client = client(c);
        return client.fixed() + users * client.perUser() + meanInput() * client.perToken();
    }

    /// Returns a figure for the same queue and the same interference of other requests as in a simulation.
    private double formed(Figure figure, Coefficients c, Closed closed, double waiting, double slowing) {
        double first = Math.max(0, waiting) * closed.prompt + delay(c);
        double perToken = slowing * closed.perToken;
        return switch (figure) {
            case MEAN_TTFT, MEDIAN_TTFT, P99_TTFT -> MILLI * first;
            case MEAN_TPOT, MEDIAN_TPOT, P99_TPOT -> MILLI * perToken;
            case THROUGHPUT, USERS_THROUGHPUT -> throughput(first, perToken);
        };
    }

    /// Times by one formula for all users, without a queue.
    ///
    /// @param prompt seconds of a prompt in its steps
    /// @param perToken seconds per token, with the prompts of others among the steps
    private record Closed(double prompt, double perToken) {}

    private Closed closed(Coefficients c) {
        StepModel model = model(c);
        StageSteps steps = new StageSteps(model);
        double running = Math.min(users, roomTokens(model) / (meanInput() + meanOutput()));
        double prompt = meanInput();
        double chunk = Math.min(prompt, policy.tokenBudget());
        double chunks = prompt / chunk;
        double rows = steps.rows(running);
        double step = rows + steps.sequences(running) + steps.attention(running, meanContext());
        double attention = steps.prompt(0, prompt);
        double others = steps.sequences(running);
        double full = Math.max(steps.promptFloor(), steps.rows(running + chunk) + others + steps.promptStep());
        double mixed = chunks * (full - rows - others) + attention;
        double bare = Math.max(steps.promptFloor(), steps.rows(chunk) + steps.sequences(0) + steps.promptStep());
        double alone = chunks * bare + attention;
        double other = policy.prompts() == Prompts.MIXED ? mixed : alone;
        return new Closed(alone, step + Math.max(0, running - 1) * other / meanOutput());
    }
}
