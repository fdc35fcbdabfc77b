// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.model.ModelKind;
import dev.muster.plan.serving.Slo.Objective;
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
            QuestionKind.media(),
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
                    Parameters.RISK,
                    Parameters.MTBF,
                    Parameters.RESTART,
                    Parameters.CHECKPOINT_BANDWIDTH,
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
            QuestionKind.place(),
            QuestionKind.models())),
    /// The cheapest machines that serve a model as a plan does.
    COST(Stream.of(
            List.of(Parameters.CONTEXT, Parameters.GENERATE, Parameters.CONCURRENCY),
            QuestionKind.load(),
            QuestionKind.targets(),
            List.of(
                    Parameters.CONFIDENCE,
                    Parameters.FORMATS,
                    Parameters.KV_DTYPE,
                    Parameters.ENGINE,
                    Parameters.FLEET_HOSTS,
                    Parameters.PROVIDERS,
                    Parameters.SPOT,
                    Parameters.STALE_PRICES,
                    Parameters.OWN,
                    Parameters.OWN_MACHINES,
                    Parameters.PURCHASE_PRICE,
                    Parameters.YEARS,
                    Parameters.KWH,
                    Parameters.PUE,
                    Parameters.ALL))),
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
    /// The format that weights should have, as `fit` recommends it; of a mere size, by the rules of ai-hwaccel.
    QUANTIZE(Stream.of(
            List.of(
                    Parameters.CONTEXT,
                    Parameters.CONCURRENCY,
                    Parameters.KV_DTYPE,
                    Parameters.ENGINE,
                    Parameters.HOSTS),
            QuestionKind.place())),
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

    /// Returns the parameters that need a load, for a kind that may have none; empty for others.
    public List<Parameter<?>> loadParameters() {
        return this == PLAN
                ? Stream.of(load(), targets(), List.of(Parameters.CONFIDENCE))
                        .<Parameter<?>>flatMap(List::stream)
                        .toList()
                : List.of();
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

    /// Images and sound.
    static List<Parameter<?>> media() {
        return List.of(
                Parameters.IMAGES,
                Parameters.RESOLUTION,
                Parameters.FRAMES,
                Parameters.STEPS,
                Parameters.AUDIO,
                Parameters.MAX_LATENCY);
    }

    /// The parameters of a plan for a kind of model that does not chat.
    static List<Parameter<?>> task(ModelKind kind) {
        List<Parameter<?>> all = new java.util.ArrayList<>(List.of(
                Parameters.CONCURRENCY,
                Parameters.GOAL,
                Parameters.MAX_LATENCY,
                Parameters.ENGINE,
                Parameters.FORMATS,
                Parameters.EMIT,
                Parameters.HOSTS,
                Parameters.EXPLAIN));
        all.addAll(place());
        all.addAll(
                switch (kind) {
                    case TEXT_GENERATION, EMBEDDING, RERANKER, TEXT_ENCODER -> List.of(Parameters.INPUT);
                    case ENCODER_DECODER -> List.of(Parameters.INPUT, Parameters.GENERATE);
                    case SPEECH_RECOGNITION, TEXT_TO_SPEECH -> List.of(Parameters.AUDIO);
                    case VISION_ENCODER -> List.of(Parameters.RESOLUTION);
                    case IMAGE_GENERATION -> List.of(Parameters.RESOLUTION, Parameters.STEPS);
                    case VIDEO_GENERATION -> List.of(Parameters.RESOLUTION, Parameters.FRAMES, Parameters.STEPS);
                });
        return all;
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

    static List<Parameter<List<Objective>>> targets() {
        return List.of(Parameters.TTFT, Parameters.TPOT, Parameters.LATENCY);
    }

    /// The choice among models, without a single one.
    static List<Parameter<?>> models() {
        return List.of(Parameters.MODEL_GOAL, Parameters.MODEL_USE, Parameters.MODEL_SINCE);
    }

    static List<Parameter<?>> place() {
        return List.of(Parameters.DEVICES, Parameters.MEMORY);
    }
}
