// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.unit.Bandwidth;
import dev.muster.model.CatalogueException;
import dev.muster.model.ModelSummary;
import dev.muster.plan.serving.LatencyTargets;
import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.SimulationRequest.Router;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The options of a simulation request.
final class SimulationOptions {
    static final OptionSpec USERS =
            OptionSpec.value("users", "COUNT", "users who each send a request as soon as the last one is answered");
    static final OptionSpec RATE =
            OptionSpec.value("rate", "RATE", "requests per second that come by chance (Poisson), such as 20/s");
    static final OptionSpec BURST = OptionSpec.value("burst", "COUNT", "requests that are all sent at once");
    static final OptionSpec TRACE = OptionSpec.value(
            "trace",
            "FILE",
            "replay recorded requests (CSV of Azure, BurstGPT, Vidur; JSON lines of Mooncake, LLMServingSim); beside"
                    + " --users, --rate or --burst their lengths alone");
    static final OptionSpec INPUT = OptionSpec.value("input", "TOKENS", "tokens of a prompt; 1024 unless said");
    static final OptionSpec GENERATE = OptionSpec.value("generate", "TOKENS", "tokens of an answer; 256 unless said");
    static final OptionSpec SPREAD = OptionSpec.value(
            "shortest", "SHARE", "lengths are drawn from this share of them upwards, such as 0.8; else all are equal");
    static final OptionSpec REQUESTS = OptionSpec.value(
            "requests", "COUNT", "how many are sent; else 10 for each user, 1000 of a rate, all of a trace");
    static final OptionSpec WARM_UP = OptionSpec.value("warm-up", "COUNT", "requests at the start that do not count");
    static final OptionSpec SLO = OptionSpec.value(
            "slo", "TARGETS", "what clients call a good request, such as ttft=800ms,tpot=40ms,latency=20s");
    static final OptionSpec TP = OptionSpec.value("tp", "DEGREE", "devices that share a replica; else the best");
    static final OptionSpec REPLICAS =
            OptionSpec.value("replicas", "COUNT", "replicas of the model; else as many as find room");
    static final OptionSpec DECODE = OptionSpec.value(
            "decode-replicas", "COUNT", "so many of the replicas decode only, the others prefill (disaggregated)");
    static final OptionSpec LINK = OptionSpec.value(
            "kv-bandwidth", "GB/S", "of the link from prefill to decode, in 10^9 bytes per second; 50 unless said");
    /// Written out: every start comes here (docs/decisions/0004).
    static final OptionSpec ROUTER = OptionSpec.choice(
            "router",
            "HOW",
            List.of("round-robin", "least-loaded", "prefix"),
            "spread requests round-robin (default), least-loaded or by prefix");
    static final OptionSpec PREFIX_HIT = OptionSpec.value(
            "prefix-hit", "SHARE", "share of each prompt whose KV cache is there already, such as 0.3");
    static final OptionSpec SPECULATIVE = OptionSpec.value(
            "speculative", "DRAFT:RATE", "tokens drafted for each step, and the share accepted, such as 3:0.7");
    static final OptionSpec ENGINE_OPTIONS = OptionSpec.value(
            "engine-options",
            "OPTIONS",
            "of the engine's scheduler, such as max-num-seqs=128; several with commas between");
    static final OptionSpec SEED = OptionSpec.value("seed", "NUMBER", "where chance begins; 1 unless said");

    private static final int DEFAULT_INPUT = 1024;
    private static final int DEFAULT_OUTPUT = 256;
    private static final int MAX_DIGITS = 12;
    private static final int MAX_DRAFT_DIGITS = 2;
    private static final int MAX_TRACE = 256 << 20;
    private static final double MAX_RATE = 1e6;
    private static final double GIGA = 1e9;
    private static final double NANOS = 1e9;
    private static final Duration LEAST_TIME = Duration.ofMillis(1);
    private static final Duration MOST_TIME = Duration.ofHours(1);

    private SimulationOptions() {}

    static List<OptionSpec> all() {
        return List.of(
                USERS,
                RATE,
                BURST,
                TRACE,
                INPUT,
                GENERATE,
                SPREAD,
                REQUESTS,
                WARM_UP,
                SLO,
                TP,
                REPLICAS,
                DECODE,
                LINK,
                ROUTER,
                PREFIX_HIT,
                SPECULATIVE,
                ENGINE_OPTIONS,
                SEED);
    }

    /// Returns the request.
    ///
    /// @throws UsageException if an option makes no sense
    /// @throws CommandException if the trace cannot be read
    static SimulationRequest request(Arguments arguments, ModelSummary model) {
        Optional<RequestTrace> trace = arguments.find(TRACE).map(SimulationOptions::trace);
        Optional<ServingLoad> asked = load(arguments);
        if (asked.isEmpty() && trace.isEmpty()) {
            throw new UsageException("simulate needs a load: give --users, --rate, --burst or --trace");
        }
        ServingRequest serving = ServingOptions.withFormat(
                arguments,
                ServingRequest.of(model)
                        .withTokens(
                                Numbers.whole(arguments, INPUT, DEFAULT_INPUT, 1),
                                Numbers.whole(arguments, GENERATE, DEFAULT_OUTPUT, 1)));
        try {
            return new SimulationRequest(
                    serving,
                    asked.orElseGet(() -> new ServingLoad.Replay(trace.orElseThrow())),
                    Numbers.whole(arguments, REQUESTS, 0, 1),
                    trace,
                    arguments.has(SPREAD) ? share(arguments, SPREAD) : 1,
                    Numbers.whole(arguments, WARM_UP, 0, 0),
                    arguments.find(SLO).map(SimulationOptions::targets).orElse(LatencyTargets.NONE),
                    fleet(arguments),
                    arguments.has(PREFIX_HIT) ? share(arguments, PREFIX_HIT) : 0,
                    draft(arguments),
                    acceptance(arguments),
                    engineOptions(arguments),
                    Numbers.whole(arguments, SEED, 1, 0));
        } catch (IllegalArgumentException e) {
            throw new UsageException("cannot simulate", e);
        }
    }

    private static Optional<ServingLoad> load(Arguments arguments) {
        List<OptionSpec> loads = List.of(USERS, RATE, BURST);
        if (loads.stream().filter(arguments::has).count() > 1) {
            throw new UsageException("--users, --rate and --burst are three loads; give one");
        }
        try {
            if (arguments.has(USERS)) {
                return Optional.of(new ServingLoad.Users(Numbers.whole(arguments, USERS, 1, 1)));
            }
            if (arguments.has(BURST)) {
                return Optional.of(new ServingLoad.Burst(Numbers.whole(arguments, BURST, 1, 1)));
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException("cannot simulate", e);
        }
        return arguments.find(RATE).map(SimulationOptions::rate);
    }

    private static ServingLoad rate(String text) {
        String number = text.endsWith("/s") ? text.substring(0, text.length() - 2) : text;
        return Numbers.plain(number, MAX_DIGITS)
                .filter(rate -> rate > 0 && rate <= MAX_RATE)
                .map(ServingLoad.Rate::new)
                .orElseThrow(() -> RATE.isNot("a number of requests per second above 0, such as 20/s", text));
    }

    private static RequestTrace trace(String file) {
        try {
            return RequestTrace.parse(TextFile.read(file, MAX_TRACE));
        } catch (CatalogueException e) {
            throw new CommandException("cannot read the trace '" + file + "'", e);
        }
    }

    private static SimulationRequest.Fleet fleet(Arguments arguments) {
        double link = arguments
                .find(LINK)
                .map(text -> PlannerOptions.bandwidth(LINK, text))
                .map(Bandwidth::gigabytesPerSecond)
                .map(rate -> rate * GIGA)
                .orElse(SimulationRequest.Fleet.BEST.linkBandwidth());
        return new SimulationRequest.Fleet(
                Numbers.whole(arguments, TP, 0, 1),
                Numbers.whole(arguments, REPLICAS, 0, 1),
                Numbers.whole(arguments, DECODE, 0, 1),
                link,
                arguments.find(ROUTER).flatMap(Router::find).orElse(Router.ROUND_ROBIN));
    }

    private static double share(Arguments arguments, OptionSpec option) {
        String text = arguments.find(option).orElseThrow();
        return Numbers.plain(text, MAX_DIGITS)
                .filter(share -> share <= 1)
                .orElseThrow(() -> option.isNot("a share from 0 to 1, such as 0.8", text));
    }

    private static LatencyTargets targets(String text) {
        double ttft = Double.POSITIVE_INFINITY;
        double tpot = Double.POSITIVE_INFINITY;
        double latency = Double.POSITIVE_INFINITY;
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String name = part.substring(0, Math.max(0, equals)).strip();
            if (!List.of("ttft", "tpot", "latency").contains(name)) {
                throw SLO.isNot("times as in ttft=800ms,tpot=40ms,latency=20s", text);
            }
            double seconds =
                    DurationGrammar.parse(SLO, part.substring(equals + 1).strip(), LEAST_TIME, MOST_TIME)
                                    .toNanos()
                            / NANOS;
            ttft = name.equals("ttft") ? seconds : ttft;
            tpot = name.equals("tpot") ? seconds : tpot;
            latency = name.equals("latency") ? seconds : latency;
        }
        return new LatencyTargets(ttft, tpot, latency);
    }

    private static int draft(Arguments arguments) {
        return arguments
                .find(SPECULATIVE)
                .map(text -> Numbers.digits(text.substring(0, Math.max(0, text.indexOf(':'))), MAX_DRAFT_DIGITS))
                .filter(tokens -> tokens > 0)
                .orElseGet(() -> {
                    if (arguments.has(SPECULATIVE)) {
                        throw noDraft(arguments);
                    }
                    return 0;
                });
    }

    private static double acceptance(Arguments arguments) {
        return arguments
                .find(SPECULATIVE)
                .map(text -> Numbers.plain(text.substring(text.indexOf(':') + 1), MAX_DIGITS)
                        .filter(rate -> rate <= 1)
                        .orElseThrow(() -> noDraft(arguments)))
                .orElse(0.0);
    }

    private static UsageException noDraft(Arguments arguments) {
        return SPECULATIVE.isNot(
                "a number of tokens and the share of them that is accepted, such as 3:0.7",
                arguments.find(SPECULATIVE).orElse(""));
    }

    private static Map<String, String> engineOptions(Arguments arguments) {
        Map<String, String> options = new LinkedHashMap<>();
        arguments.find(ENGINE_OPTIONS).ifPresent(text -> {
            for (String part : text.split(",", -1)) {
                int equals = part.indexOf('=');
                options.put(
                        (equals < 0 ? part : part.substring(0, equals)).strip(),
                        equals < 0 ? "" : part.substring(equals + 1).strip());
            }
        });
        return options;
    }
}
