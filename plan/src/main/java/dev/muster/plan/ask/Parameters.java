// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.QuantizationLevel;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.ask.Grammars.Suffix;
import dev.muster.plan.catalogue.CloudProvider;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.cost.MemoryBasis;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.rules.MemoryEstimate;
import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.SimulationRequest.Router;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.serving.Speculation;
import dev.muster.plan.training.OffloadStore.Place;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPrecision;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The parameters of all questions about models. It is one table, whose rows stand together, so the file is long.
///
/// @since 0.2
public final class Parameters {
    private static final int MOST = 100_000_000;
    private static final int MOST_MEDIA = 100_000;
    private static final int MOST_IMAGES = 1000;
    private static final int MOST_NAMES = 64;
    private static final double MOST_RATE = 1e6;
    private static final double MOST_BANDWIDTH = 100_000;
    private static final double MOST_USD = 1e12;
    private static final double MOST_TOKENS = 1e18;
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    /// Devices to use.
    public static final Parameter<String> DEVICES = Parameter.of(
            "devices",
            "devices",
            "DEVICES",
            Grammars.text("devices, such as cuda:2,5, a UUID, free or all", text -> text, text -> text),
            "devices to use: cuda:2,5, a UUID, or all",
            "healthy, idle, unpartitioned");
    /// The share of the devices' memory to count on.
    public static final Parameter<MemoryBasis> MEMORY = Parameter.of(
            "memory",
            "memory",
            "AMOUNT",
            Grammars.choice(List.of(MemoryBasis.values()), MemoryBasis::label),
            "device memory to plan with",
            "free");
    /// Equal machines.
    public static final Parameter<Integer> HOSTS = Parameter.of(
            "hosts",
            "hosts",
            "COUNT",
            Grammars.whole(1, MOST),
            "number of machines like this one, joined by their network",
            "1");
    /// Bandwidth of the host's memory.
    public static final Parameter<Double> HOST_BANDWIDTH = Parameter.of(
            "hostBandwidthGbps",
            "host-bandwidth",
            "GB/S",
            bandwidth(),
            "bandwidth of the host's memory in 10^9 bytes per second",
            "as measured by 'calibrate --cpu'");
    /// Bandwidth of the host's drives.
    public static final Parameter<Double> DISK_BANDWIDTH = Parameter.of(
            "diskBandwidthGbps",
            "disk-bandwidth",
            "GB/S",
            bandwidth(),
            "bandwidth of a host's drives together in 10^9 bytes per second",
            "that of its fastest drive");
    /// The backend whose measured collectives are used.
    public static final Parameter<String> COLLECTIVES = Parameter.of(
            "collectivesBackend",
            "collectives",
            "BACKEND",
            Grammars.text("a backend, such as shm", text -> text, text -> text),
            "backend whose collectives, measured by 'calibrate --mesh', predict communication",
            "nccl or rccl if measured, else data sheets");

    /// Tokens of prompt and answer together.
    public static final Parameter<Integer> CONTEXT = Parameter.of(
            "contextTokens",
            "context",
            "TOKENS",
            Grammars.whole(2, MOST),
            "tokens of prompt and answer together",
            "4096");
    /// Tokens of an answer.
    public static final Parameter<Integer> GENERATE = Parameter.of(
            "outputTokens",
            "generate",
            "TOKENS",
            Grammars.whole(1, MOST),
            "tokens of the answer",
            "256, or half of a shorter context");
    /// Tokens of a prompt, under load.
    public static final Parameter<Integer> INPUT = Parameter.of(
            "inputTokens",
            "input",
            "TOKENS",
            Grammars.whole(1, MOST),
            "tokens of the prompt, under load; of a text to embed or rank",
            "1024; 512 of a text");
    /// The images of a prompt.
    public static final Parameter<Integer> IMAGES = Parameter.of(
            "images",
            "images",
            "COUNT",
            Grammars.whole(1, MOST_IMAGES),
            "images of each prompt, beside its tokens, for models that read images",
            "none");
    /// The size of images.
    public static final Parameter<List<Integer>> RESOLUTION = Parameter.of(
            "resolution",
            "resolution",
            "WxH",
            Grammars.text("width and height in pixels, such as 1024x768", PixelSize::parse, PixelSize::text),
            "width and height of images or videos in pixels, such as 1024x768",
            "that the model was made for; 1024x1024 of a prompt's images");
    /// The frames of a video.
    public static final Parameter<Integer> FRAMES = Parameter.of(
            "frames",
            "frames",
            "COUNT",
            Grammars.whole(1, MOST_MEDIA),
            "frames of a video",
            "those that the model was made for");
    /// The steps of a diffusion model.
    public static final Parameter<Integer> STEPS = Parameter.of(
            "steps", "steps", "COUNT", Grammars.whole(1, MOST_MEDIA), "denoising steps", "those usual for the model");
    /// The length of sound.
    public static final Parameter<Duration> AUDIO = Parameter.of(
            "audioSeconds",
            "audio",
            "TIME",
            Grammars.time(MILLISECOND, Duration.ofDays(1)),
            "length of a recording, such as 30s or 5m",
            "30s");
    /// The longest time of a batch.
    public static final Parameter<Duration> MAX_LATENCY = Parameter.of(
            "maxLatencySeconds",
            "max-latency",
            "TIME",
            Grammars.time(MILLISECOND, Duration.ofDays(1)),
            "longest time for a batch of texts, recordings, images or videos",
            "");
    /// Sequences at the same time.
    public static final Parameter<Integer> CONCURRENCY = Parameter.of(
            "concurrency",
            "concurrency",
            "COUNT",
            Grammars.whole(1, MOST),
            "sequences at the same time",
            "1; as many as fit if a launch is emitted");
    /// The goal of a plan to serve.
    public static final Parameter<ServingGoal> GOAL = Parameter.of(
            "goal",
            "goal",
            "GOAL",
            Grammars.choice(List.of(ServingGoal.values()), ServingGoal::label),
            "goal: throughput, latency, devices, memory, cost or energy",
            "latency for one sequence, throughput for more, devices for a load with targets");
    /// The serving engine.
    public static final Parameter<ServingEngine> ENGINE = Parameter.of(
            "engine",
            "engine",
            "NAME",
            Grammars.choice(List.of(ServingEngine.values()), ServingEngine::label),
            "serving engine: " + String.join(", ", ServingEngine.labels()),
            "the usual one of the devices");
    /// Weight formats to choose from.
    public static final Parameter<List<WeightFormat>> FORMATS = Parameter.of(
            "formats",
            "quant",
            "FORMAT",
            Grammars.list(Grammars.text(
                    "a weight format, such as bf16, fp8, int4, nvfp4 or q4_k_m",
                    WeightFormat::parse,
                    WeightFormat::label)),
            "weight format, or several separated by commas: bf16, fp8, int4, nvfp4, q4_k_m ...",
            "the published format");
    /// Bits of a number in the KV cache, 8 or 16; 0 for those of the engine.
    public static final Parameter<Integer> KV_DTYPE = Parameter.of(
            "kvDtype",
            "kv-dtype",
            "BITS",
            Grammars.choice(List.of(0, Short.SIZE, Byte.SIZE), bits -> bits == 0 ? "auto" : String.valueOf(bits)),
            "KV cache data type: auto, 16 or 8 bits",
            "auto, that of the engine");
    /// Layers and experts may lie in the host's memory.
    public static final Parameter<Boolean> OFFLOAD = Parameter.flag(
            "offload", "offload", "let llama.cpp keep layers and experts that do not fit in the host's memory");
    /// The longest time to first token.
    public static final Parameter<Duration> MAX_TTFT = Parameter.of(
            "maxTtftSeconds",
            "max-ttft",
            "TIME",
            Grammars.time(MILLISECOND, Duration.ofMinutes(10)),
            "longest time to first token (TTFT) if all sequences arrive together",
            "");
    /// The longest time per output token.
    public static final Parameter<Duration> MAX_TPOT = Parameter.of(
            "maxTpotSeconds",
            "max-tpot",
            "TIME",
            Grammars.time(MILLISECOND, Duration.ofMinutes(10)),
            "longest time per output token (TPOT), such as 30ms",
            "");
    /// The most that the machines may cost.
    public static final Parameter<Double> BUDGET = Parameter.of(
            "budgetUsdPerHour",
            "budget",
            "USD",
            Grammars.decimal(0, MOST_USD, "dollars per hour above 0, such as 20 or 12.50"),
            "highest on-demand price of the machines in dollars per hour",
            "");
    /// All plans that no other beats.
    public static final Parameter<Boolean> PARETO =
            Parameter.flag("pareto", "pareto", "show the Pareto front; under load by tokens/s per user and per device");
    /// The arithmetic of the plan.
    public static final Parameter<Boolean> EXPLAIN =
            Parameter.flag("explain", "explain", "show the arithmetic of memory and time, and its sources");
    /// The program that starts the plan.
    public static final Parameter<LaunchTarget> EMIT = Parameter.of(
            "emit",
            "emit",
            "TARGET",
            Grammars.choice(List.of(LaunchTarget.values()), LaunchTarget::label),
            "print the files that start the plan: vllm, slurm, kubernetes ...",
            "");

    /// Users who wait for each answer.
    public static final Parameter<Integer> USERS = Parameter.of(
            "users",
            "users",
            "COUNT",
            Grammars.whole(1, ServingLoad.MOST),
            "concurrent users, each of whom sends the next request when the last is answered",
            "");
    /// Requests per second.
    public static final Parameter<Double> RATE = Parameter.of(
            "requestsPerSecond",
            "rate",
            "RATE",
            Grammars.decimal(0, MOST_RATE, "requests per second above 0, such as 20/s", List.of(new Suffix("/s", 1))),
            "request rate (Poisson arrivals), such as 20/s",
            "");
    /// Requests sent at once.
    public static final Parameter<Integer> BURST = Parameter.of(
            "burst", "burst", "COUNT", Grammars.whole(1, ServingLoad.MOST), "requests that all arrive at once", "");
    /// Recorded requests.
    public static final Parameter<RequestTrace> TRACE = Parameter.of(
            "trace",
            "trace",
            "FILE",
            Grammars.file("a trace of requests", RequestTrace::parse),
            "recorded requests to replay (CSV of Azure, BurstGPT, Vidur; JSON lines of Mooncake, LLMServingSim); with"
                    + " another load, their lengths only",
            "");
    /// Targets of the time to first token.
    public static final Parameter<List<Objective>> TTFT = targets(
            LatencyMetric.TTFT,
            "time to first token over all requests, under load: p99=800ms, p50=, p90= or mean=;"
                    + " a time alone is p99; several separated by commas");
    /// Targets of the time per output token.
    public static final Parameter<List<Objective>> TPOT =
            targets(LatencyMetric.TPOT, "time per output token over all requests, under load, such as p99=40ms");
    /// Targets of the end-to-end latency.
    public static final Parameter<List<Objective>> LATENCY =
            targets(LatencyMetric.LATENCY, "end-to-end latency over all requests, under load, such as p90=20s");
    /// The probability with which targets are to be kept.
    public static final Parameter<Double> CONFIDENCE = Parameter.of(
            "confidence",
            "confidence",
            "SHARE",
            Grammars.decimal(0, 0.999, "a share above 0, such as 90% or 0.9", List.of(new Suffix("%", 0.01))),
            "probability with which a measured run is to keep each target, such as 90%",
            "50%, the prediction itself");
    /// The spread of lengths.
    public static final Parameter<Double> LENGTHS = Parameter.of(
            "lengths",
            "lengths",
            "SPREAD",
            Grammars.text(
                    "spread, equal, or the shortest length as a share above 0 and below 1, such as 0.8",
                    Lengths::parse,
                    Lengths::text),
            "lengths of prompts and answers: spread (as in real traffic, with the nominal lengths as mean), equal, or"
                    + " the smallest share of the nominal lengths, such as 0.8",
            "spread");
    /// The number of requests.
    public static final Parameter<Integer> REQUESTS = Parameter.of(
            "requests",
            "requests",
            "COUNT",
            Grammars.whole(1, SimulationRequest.MAX_REQUESTS),
            "number of requests; in a steady load, the least number that counts",
            "as many as p99 needs, all of a trace; 10 per user or 1000 at a rate with --warm-up");
    /// Requests that do not count.
    public static final Parameter<Integer> WARM_UP = Parameter.of(
            "warmUpRequests",
            "warm-up",
            "COUNT",
            Grammars.whole(0, MOST),
            "number of requests at the start that do not count; all users begin at once",
            "as many as it takes until the load is steady");
    /// The limits of a good request.
    public static final Parameter<Slo> SLO = Parameter.of(
            "slo",
            "slo",
            "TARGETS",
            Grammars.text("times, such as ttft=800ms,tpot=40ms,latency=20s", SloText::parse, SloText::text),
            "limits of a good request (goodput), such as ttft=800ms,tpot=40ms,latency=20s",
            "");
    /// Tensor parallel degree of a replica.
    public static final Parameter<Integer> TP = Parameter.of(
            "tensorParallel",
            "tp",
            "DEGREE",
            Grammars.whole(1, MOST),
            "tensor parallel degree (TP) of a replica",
            "the best");
    /// Replicas of the model.
    public static final Parameter<Integer> REPLICAS = Parameter.of(
            "replicas", "replicas", "COUNT", Grammars.whole(1, MOST), "replicas of the model", "as many as fit");
    /// Replicas that only decode.
    public static final Parameter<Integer> DECODE = Parameter.of(
            "decodeReplicas",
            "decode-replicas",
            "COUNT",
            Grammars.whole(1, MOST),
            "replicas that only decode while the others prefill (disaggregated)",
            "0");
    /// The link from prefill to decode.
    public static final Parameter<Double> LINK = Parameter.of(
            "kvBandwidthGbps",
            "kv-bandwidth",
            "GB/S",
            bandwidth(),
            "bandwidth of the link from prefill to decode in 10^9 bytes per second",
            "50");
    /// The order in which replicas get requests.
    public static final Parameter<Router> ROUTER = Parameter.of(
            "router",
            "router",
            "POLICY",
            Grammars.choice(List.of(Router.values()), Router::label),
            "router: round-robin, least-loaded or prefix",
            "round-robin");
    /// The share of prompts that is cached.
    public static final Parameter<Double> PREFIX_HIT = Parameter.of(
            "prefixHitShare",
            "prefix-hit",
            "SHARE",
            Grammars.share(),
            "share of each prompt whose KV cache is already there, such as 0.3",
            "0");
    /// Speculative decoding.
    public static final Parameter<Speculation> SPECULATIVE = Parameter.of(
            "speculative",
            "speculative",
            "DRAFT:RATE",
            Grammars.text(
                    "draft tokens and their acceptance rate, such as 3:0.7", Grammars::speculation, Grammars::plain),
            "speculative decoding: draft tokens per step and their acceptance rate, such as 3:0.7",
            "none");
    /// Options of the engine's scheduler.
    public static final Parameter<Map<String, String>> ENGINE_OPTIONS = Parameter.of(
            "engineOptions",
            "engine-options",
            "OPTIONS",
            Grammars.text("options, such as max-num-seqs=128", EngineOptions::parse, EngineOptions::text),
            "scheduler options of the engine, separated by commas, such as max-num-seqs=128",
            "the engine's");
    /// The random seed.
    public static final Parameter<Integer> SEED =
            Parameter.of("seed", "seed", "NUMBER", Grammars.whole(0, MOST), "random seed", "1");

    /// The training method.
    public static final Parameter<TrainingMethod> METHOD = Parameter.of(
            "method",
            "method",
            "METHOD",
            Grammars.text("a training method, such as full or lora", TrainingMethod::parse, TrainingMethod::display),
            "training method: full, lora, qlora-4bit, qlora-8bit, prefix, dpo, rlhf or distillation",
            "full");
    /// Tokens of a training sequence.
    public static final Parameter<Integer> SEQUENCE =
            Parameter.of("sequenceTokens", "seq", "TOKENS", Grammars.whole(1, MOST), "tokens of a sequence", "4096");
    /// The global batch.
    public static final Parameter<Integer> BATCH = Parameter.of(
            "batch",
            "batch",
            "COUNT",
            Grammars.whole(1, MOST),
            "global batch: sequences of a step over all devices",
            "256; 16 for adapters");
    /// The rank of adapters.
    public static final Parameter<Integer> RANK =
            Parameter.of("rank", "rank", "NUMBER", Grammars.whole(1, MOST), "rank of LoRA adapters", "16");
    /// The precision of matrix products.
    public static final Parameter<TrainingPrecision> PRECISION = Parameter.of(
            "precision",
            "precision",
            "FORMAT",
            Grammars.choice(List.of(TrainingPrecision.values()), TrainingPrecision::label),
            "precision of matrix products: bf16, fp8, mxfp8 or nvfp4",
            "bf16");
    /// The goal of a plan to train.
    public static final Parameter<TrainingGoal> TRAINING_GOAL = Parameter.of(
            "goal",
            "goal",
            "GOAL",
            Grammars.choice(List.of(TrainingGoal.values()), TrainingGoal::label),
            "goal: speed, cost (device time per token), devices (the fewest) or energy (per token)",
            "speed");
    /// The training framework.
    public static final Parameter<TrainingFramework> FRAMEWORK = Parameter.of(
            "framework",
            "framework",
            "NAME",
            Grammars.choice(List.of(TrainingFramework.values()), TrainingFramework::label),
            "training framework: " + String.join(", ", TrainingFramework.labels()),
            "the usual one of the devices");
    /// Tokens of the whole training.
    public static final Parameter<Double> TOKENS = Parameter.of(
            "tokens",
            "tokens",
            "COUNT",
            Grammars.decimal(
                    0,
                    MOST_TOKENS,
                    "tokens from 1 to 10^18, such as 300B or 15T",
                    List.of(
                            new Suffix("K", 1e3),
                            new Suffix("M", 1e6),
                            new Suffix("B", 1e9),
                            new Suffix("G", 1e9),
                            new Suffix("T", 1e12))),
            "tokens of the whole training, such as 300B or 15T: gives days, energy and cost",
            "");
    /// The longest time of the whole training.
    public static final Parameter<Duration> DEADLINE = Parameter.of(
            "deadlineSeconds",
            "deadline",
            "TIME",
            Grammars.time(Duration.ofMinutes(1), Duration.ofDays(3650)),
            "longest time for the whole training, such as 30d or 12h",
            "");
    /// The most that the whole training may cost.
    public static final Parameter<Double> TRAINING_BUDGET = Parameter.of(
            "budgetUsd",
            "budget",
            "USD",
            Grammars.decimal(0, MOST_USD, "dollars above 0, such as 500 or 120000"),
            "highest on-demand price of the whole training in dollars",
            "");
    /// The risk of too little memory.
    public static final Parameter<Double> RISK = Parameter.of(
            "risk",
            "risk",
            "SHARE",
            Grammars.decimal(0, 0.999, "a share above 0, such as 10% or 0.1", List.of(new Suffix("%", 0.01))),
            "highest probability that the peak exceeds a device's memory, such as 50% for the predicted peak itself",
            "10%, else the plan whose predicted peak fits, with its probability");
    /// The mean time between failures of a device.
    public static final Parameter<Double> MTBF = Parameter.of(
            "mtbfHours",
            "mtbf",
            "HOURS",
            Grammars.decimal(0, MOST_USD, "hours above 0, such as 50000"),
            "mean time between failures of one device with its share of the host, in hours",
            "50000, as in the training of Llama 3");
    /// The time of a restart.
    public static final Parameter<Duration> RESTART = Parameter.of(
            "restartSeconds",
            "restart",
            "TIME",
            Grammars.time(MILLISECOND, Duration.ofDays(30)),
            "time from a failure to the first step after it, such as 10m",
            "10m");
    /// The bandwidth of checkpoints.
    public static final Parameter<Double> CHECKPOINT_BANDWIDTH = Parameter.of(
            "checkpointBandwidthGbps",
            "checkpoint-bandwidth",
            "GB/S",
            bandwidth(),
            "rate at which all hosts together write a checkpoint, in 10^9 bytes per second",
            "2 for each host");
    /// States outside of the devices.
    public static final Parameter<Offload> TRAINING_OFFLOAD = Parameter.of(
            "offload",
            "offload",
            "STATES",
            Grammars.choice(List.of(Offload.values()), Offload::label),
            "states that may lie outside of the devices: none, optimizer, or all (weights and gradients too)",
            "none");
    /// The place of states outside of the devices.
    public static final Parameter<Place> OFFLOAD_TO = Parameter.of(
            "offloadTo",
            "offload-to",
            "PLACE",
            Grammars.choice(List.of(Place.values()), Place::label),
            "place of offloaded states: host (memory) or disk",
            "host");

    /// Bits of weights of the reference's rules.
    public static final Parameter<QuantizationLevel> LEVEL = Parameter.of(
            "quantization",
            "quant",
            "LEVEL",
            Grammars.text("fp32, fp16, bf16, int8 or int4", QuantizationLevel::parse, QuantizationLevel::text),
            "quantization level: fp32, fp16, bf16, int8 or int4",
            "bf16");
    /// The goal by which models are ranked.
    public static final Parameter<ModelGoal> MODEL_GOAL = Parameter.of(
            "goal",
            "goal",
            "GOAL",
            Grammars.choice(List.of(ModelGoal.values()), ModelGoal::label),
            "order of the models that run: newest, quality (published scores), speed or context",
            "newest");
    /// The use of models.
    public static final Parameter<ModelUse> MODEL_USE = Parameter.of(
            "use",
            "use",
            "WHAT",
            Grammars.choice(List.of(ModelUse.values()), ModelUse::label),
            "only models for this use: chat, code, vision, embed, speech or image",
            "");
    /// The oldest models.
    public static final Parameter<String> MODEL_SINCE = Parameter.of(
            "since",
            "since",
            "DATE",
            Grammars.text("a year, month or day as in 2025-06", Parameters::date, text -> text),
            "only models published since then, as in 2025 or 2025-06",
            "");
    /// Providers of machines.
    public static final Parameter<List<CloudProvider>> PROVIDERS = Parameter.of(
            "providers",
            "provider",
            "NAMES",
            Grammars.list(Grammars.text("a provider, such as aws or gcp", CloudProvider::parse, CloudProvider::text)),
            "providers to consider, separated by commas, such as aws,gcp,azure,lambda",
            "all");
    /// Spot prices.
    public static final Parameter<Boolean> SPOT = Parameter.flag("spot", "spot", "use prices of spot instances");

    /// Old prices.
    public static final Parameter<Boolean> STALE_PRICES = Parameter.flag(
            "stalePrices",
            "stale-prices",
            "count prices that are more than " + PriceCatalogue.MAX_AGE_DAYS + " days old");

    /// All machines, not only the cheapest.
    public static final Parameter<Boolean> ALL =
            Parameter.flag("all", "all", "show all machines that hold the model, not only the ten cheapest");

    /// A machine to buy, or that is there.
    public static final Parameter<String> OWN = Parameter.of(
            "own", "own", "MACHINE", machine(), "a machine of your own to compare with, such as rtx-4090:2", "");
    /// Machines to buy, or that are there.
    public static final Parameter<String> OWN_MACHINES = Parameter.of(
            "ownMachines",
            "machines",
            "FILE",
            Grammars.file("a list of machines", OwnMachine::checked),
            "CSV of your own machines: name, machine, price_usd, years, watts (docs/catalogues.md)",
            "");
    /// The purchase price.
    public static final Parameter<Double> PURCHASE_PRICE = Parameter.of(
            "purchaseUsd",
            "price",
            "USD",
            Grammars.decimal(0, MOST_USD, "dollars above 0, such as 2400"),
            "purchase price of the machine of your own in dollars",
            "0, already paid");
    /// The years of a write-off.
    public static final Parameter<Double> YEARS = Parameter.of(
            "years",
            "years",
            "YEARS",
            Grammars.decimal(0, 100, "years above 0, such as 3"),
            "years over which a purchase is written off, hour by hour",
            "3");
    /// The price of electricity.
    public static final Parameter<Double> KWH = Parameter.of(
            "usdPerKwh",
            "kwh",
            "USD",
            Grammars.decimal(0, MOST_USD, "dollars above 0, such as 0.30"),
            "price of a kWh of electricity in dollars, for your own machines",
            "not counted");
    /// Power usage effectiveness.
    public static final Parameter<Double> PUE = Parameter.of(
            "pue",
            "pue",
            "FACTOR",
            Grammars.decimal(0, 10, "a factor above 0, such as 1.3"),
            "power usage effectiveness: power of the whole site for each watt of the machine",
            "1");

    /// The machines of a comparison.
    public static final Parameter<List<String>> MACHINES = Parameter.operand(
            "machines",
            "A B",
            Grammars.list(machine(), 2),
            "two machines: here, or hypothetical ones such as h100-sxm:8");
    /// The kind of device that a training is estimated for.
    public static final Parameter<MemoryEstimate.Target> TARGET = Parameter.of(
            "target",
            "target",
            "KIND",
            Grammars.choice(List.of(MemoryEstimate.Target.values()), MemoryEstimate.Target::text),
            "kind of device: gpu, tpu, gaudi or cpu",
            "gpu");

    /// The partition of Slurm.
    public static final Parameter<String> PARTITION = Parameter.of(
            "partition", "partition", "NAME", name("a partition"), "only hosts of this Slurm partition", "");
    /// The reservation of Slurm.
    public static final Parameter<String> RESERVATION = Parameter.of(
            "reservation",
            "reservation",
            "NAME",
            name("a reservation"),
            "only hosts of this Slurm reservation",
            "hosts that are not reserved");
    /// Taints of Kubernetes that do not matter.
    public static final Parameter<List<String>> TOLERATE = Parameter.of(
            "tolerations",
            "tolerate",
            "KEYS",
            Grammars.list(name("a key of a taint, or * for all"), MOST_NAMES),
            "Kubernetes taints to tolerate, separated by commas; '*' for all",
            "");
    /// Hosts of a fleet.
    public static final Parameter<Integer> FLEET_HOSTS =
            Parameter.of("hosts", "hosts", "COUNT", Grammars.whole(1, MOST), "number of hosts", "the fewest that fit");
    /// Further models on a fleet.
    public static final Parameter<List<String>> OTHER_MODELS = Parameter.operand(
            "otherModels",
            "MODEL ...",
            Grammars.list(name("a model"), MOST_NAMES),
            "further models: counts the replicas of each that fit beside each other");

    private Parameters() {}

    private static String date(String text) {
        if (!text.matches("\\d{4}(-\\d{2}){0,2}")) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    private static Grammar<String> machine() {
        return Grammars.text("a machine, such as here or h100-sxm:8", text -> text, text -> text);
    }

    private static Grammar<String> name(String form) {
        return Grammars.text(form, text -> text, text -> text);
    }

    private static Parameter<List<Objective>> targets(LatencyMetric metric, String help) {
        String name = metric.label();
        return Parameter.of(
                name,
                name,
                "TARGET",
                Grammars.list(Grammars.text(
                        "p50, p90, p99 or mean and a time, such as p99=800ms",
                        text -> SloText.parse(metric, text),
                        SloText::display)),
                help,
                "");
    }

    private static Grammar<Double> bandwidth() {
        return Grammars.decimal(0, MOST_BANDWIDTH, "GB/s above 0 and up to 100000");
    }
}
