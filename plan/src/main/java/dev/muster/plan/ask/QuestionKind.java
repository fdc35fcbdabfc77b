// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A kind of question, with its parameters. Its label names the command, the path below `/api/v1/` and the form.
///
/// @since 0.2
public enum QuestionKind {
    /// The best way to serve a model; with a load, the best deployment.
    PLAN(Stream.of(
            QuestionKind.serving(),
            QuestionKind.load(),
            QuestionKind.targets(),
            List.of(Parameters.CONFIDENCE),
            QuestionKind.place(),
            List.of(
                    Parameters.HOSTS,
                    Parameters.COLLECTIVES,
                    Parameters.OFFLOAD,
                    Parameters.HOST_BANDWIDTH,
                    Parameters.FORMATS,
                    Parameters.KV_DTYPE,
                    Parameters.EMIT))),
    /// Latency and throughput of a deployment under a load.
    SIMULATE(Stream.of(
            QuestionKind.load(),
            List.of(
                    Parameters.GENERATE,
                    Parameters.SLO,
                    Parameters.TP,
                    Parameters.REPLICAS,
                    Parameters.DECODE,
                    Parameters.ROUTER,
                    Parameters.FORMATS,
                    Parameters.KV_DTYPE,
                    Parameters.ENGINE),
            QuestionKind.place(),
            List.of(Parameters.HOSTS))),
    /// The best way to train a model.
    TRAIN(Stream.of(
            List.of(
                    Parameters.METHOD,
                    Parameters.SEQUENCE,
                    Parameters.BATCH,
                    Parameters.RANK,
                    Parameters.PRECISION,
                    Parameters.TRAINING_GOAL,
                    Parameters.FRAMEWORK,
                    Parameters.HOSTS,
                    Parameters.COLLECTIVES,
                    Parameters.EXPLAIN,
                    Parameters.TOKENS,
                    Parameters.DEADLINE,
                    Parameters.TRAINING_BUDGET,
                    Parameters.TRAINING_OFFLOAD,
                    Parameters.OFFLOAD_TO,
                    Parameters.HOST_BANDWIDTH,
                    Parameters.DISK_BANDWIDTH),
            QuestionKind.place(),
            List.of(Parameters.EMIT))),
    /// The context and the sequences that fit.
    FIT(Stream.of(
            List.of(
                    Parameters.CONTEXT,
                    Parameters.CONCURRENCY,
                    Parameters.FORMATS,
                    Parameters.KV_DTYPE,
                    Parameters.ENGINE,
                    Parameters.HOSTS),
            QuestionKind.place())),
    /// The cheapest machines that hold a model.
    COST(Stream.of(List.of(Parameters.LEVEL, Parameters.PROVIDERS, Parameters.SPOT, Parameters.ALL))),
    /// A model on two machines.
    COMPARE(Stream.of(
            List.of(Parameters.MACHINES),
            QuestionKind.serving().stream()
                    .filter(one -> one != Parameters.PARETO && one != Parameters.EXPLAIN)
                    .toList(),
            List.of(Parameters.FORMATS, Parameters.KV_DTYPE))),
    /// A model on the free hosts of a fleet.
    FLEET_PLAN(Stream.of(
            List.of(
                    Parameters.OTHER_MODELS,
                    Parameters.PARTITION,
                    Parameters.RESERVATION,
                    Parameters.TOLERATE,
                    Parameters.FLEET_HOSTS),
            QuestionKind.serving(),
            List.of(Parameters.FORMATS, Parameters.KV_DTYPE, Parameters.EMIT))),
    /// The bits of a weight, by the rules of ai-hwaccel.
    QUANTIZE(Stream.of(List.of(Parameters.DEVICES))),
    /// The devices that a model is split over, by the rules of ai-hwaccel.
    PLAN_RULES(Stream.of(List.of(Parameters.DEVICES, Parameters.LEVEL))),
    /// The memory of a training, by the rules of ai-hwaccel.
    TRAIN_RULES(Stream.of(List.of(Parameters.METHOD, Parameters.TARGET)));

    private final List<Parameter<?>> parameters;

    QuestionKind(Stream<List<? extends Parameter<?>>> parts) {
        List<Parameter<?>> all = new java.util.ArrayList<>();
        parts.forEach(all::addAll);
        this.parameters = List.copyOf(all);
    }

    /// Returns the name of the command and of the path.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns the parameters in the order in which help lists them.
    public List<Parameter<?>> parameters() {
        return parameters;
    }

    static List<Parameter<?>> serving() {
        return List.of(
                Parameters.CONTEXT,
                Parameters.GENERATE,
                Parameters.CONCURRENCY,
                Parameters.GOAL,
                Parameters.MAX_TTFT,
                Parameters.MAX_TPOT,
                Parameters.BUDGET,
                Parameters.PARETO,
                Parameters.EXPLAIN,
                Parameters.ENGINE);
    }

    /// The senders of requests.
    static List<Parameter<?>> arrivals() {
        return List.of(Parameters.USERS, Parameters.RATE, Parameters.BURST, Parameters.TRACE);
    }

    /// The senders of requests, and their requests.
    static List<Parameter<?>> load() {
        return Stream.concat(
                        arrivals().stream(),
                        Stream.of(
                                Parameters.INPUT,
                                Parameters.LENGTHS,
                                Parameters.REQUESTS,
                                Parameters.WARM_UP,
                                Parameters.LINK,
                                Parameters.PREFIX_HIT,
                                Parameters.SPECULATIVE,
                                Parameters.ENGINE_OPTIONS,
                                Parameters.SEED))
                .toList();
    }

    static List<Parameter<List<LatencyTarget>>> targets() {
        return List.of(Parameters.TTFT, Parameters.TPOT, Parameters.LATENCY);
    }

    static List<Parameter<?>> place() {
        return List.of(Parameters.DEVICES, Parameters.MEMORY);
    }
}
