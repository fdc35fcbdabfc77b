// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Pages of metrics of a serving engine in Prometheus' text format: one, which tells of all requests since its start,
/// or several behind lines `# muster page SECONDS`, which tell of the time between the first and the last. Lines
/// `# muster fact NAME VALUE` state what pages do not.
final class MetricsForm implements ResultForm {
    private static final String PAGE = "# muster page ";
    private static final String FACT = "# muster fact ";
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][\\w:]{0,199})(?:\\{(.{0,4000})\\})? (\\S{1,40})(?: \\d{1,20})?");
    private static final Pattern MODEL = Pattern.compile("(?:^|,)model(?:_name)?=\"([^\"]{1,200})\"");
    private static final double FULL = 1;
    private static final double PERCENT = 100;

    /// The names of an engine's metrics; blank for those that it lacks.
    ///
    /// @param first histogram of times to the first token
    /// @param token histogram of times per token, or between tokens
    /// @param kv share of the KV cache that is held
    /// @param cached tokens of prompts that were cached, of those in `asked`
    private record Names(
            String prefix,
            String engine,
            String first,
            String token,
            String whole,
            String running,
            String waiting,
            String kv,
            String prompt,
            String output,
            String requests,
            String evicted,
            String asked,
            String cached) {}

    // As the engines' sources have them in August 2026; older names of the same come behind a bar.
    private static final List<Names> ENGINES = List.of(
            new Names(
                    "vllm:",
                    "vllm",
                    "time_to_first_token_seconds",
                    "request_time_per_output_token_seconds|inter_token_latency_seconds|time_per_output_token_seconds",
                    "e2e_request_latency_seconds",
                    "num_requests_running",
                    "num_requests_waiting",
                    "kv_cache_usage_perc|gpu_cache_usage_perc",
                    "prompt_tokens_total",
                    "generation_tokens_total",
                    "request_success_total",
                    "num_preemptions_total",
                    "prefix_cache_queries_total|gpu_prefix_cache_queries_total",
                    "prefix_cache_hits_total|gpu_prefix_cache_hits_total"),
            new Names(
                    "sglang:",
                    "sglang",
                    "time_to_first_token_seconds",
                    "inter_token_latency_seconds|time_per_output_token_seconds",
                    "e2e_request_latency_seconds",
                    "num_running_reqs",
                    "num_queue_reqs",
                    "token_usage",
                    "prompt_tokens_total",
                    "generation_tokens_total",
                    "num_requests_total",
                    "num_retracted_requests_total",
                    "prompt_tokens_total",
                    "cached_tokens_total"),
            new Names(
                    "llamacpp:",
                    "llama.cpp",
                    "",
                    "",
                    "",
                    "requests_processing",
                    "requests_deferred",
                    "kv_cache_usage_ratio",
                    "prompt_tokens_total",
                    "tokens_predicted_total",
                    "",
                    "",
                    "",
                    ""),
            new Names(
                    "dynamo_frontend_",
                    "",
                    "time_to_first_token_seconds",
                    "inter_token_latency_seconds",
                    "request_duration_seconds",
                    "active_requests|inflight_requests",
                    "queued_requests",
                    "",
                    "input_sequence_tokens_sum",
                    "output_sequence_tokens_sum",
                    "requests_total",
                    "",
                    "input_sequence_tokens_sum",
                    "cached_tokens_sum"));

    @Override
    public boolean recognises(ResultText text) {
        return findEngine(text).isPresent();
    }

    private static Optional<Names> findEngine(ResultText text) {
        return ENGINES.stream()
                .filter(names -> text.lines().stream().anyMatch(line -> line.startsWith(names.prefix)))
                .findFirst();
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        Names names = findEngine(text).orElseThrow();
        RunBuilder run = RunBuilder.of(names.prefix.replaceAll("\\W$", "") + " metrics")
                .load(Load.CLOSED_LOOP)
                .say(Fact.ENGINE, names.engine);
        Pages pages = new Pages(names);
        for (String line : text.lines()) {
            if (line.startsWith(PAGE)) {
                pages.begin(Numbers.find(line.substring(PAGE.length())).orElse(0));
            } else if (line.startsWith(FACT)) {
                String[] words = line.substring(FACT.length()).split(" ", 2);
                Fact.find(words[0]).ifPresent(fact -> run.say(fact, words.length < 2 ? "" : words[1]));
            } else if (line.startsWith(names.prefix)) {
                pages.add(line, run);
            }
        }
        return List.of(pages.build(run));
    }

    /// Values of pages by name, without labels. Confined to one thread.
    private static final class Pages {
        private final Names names;
        private final List<Map<String, Double>> sums = new ArrayList<>();
        private final List<Map<String, Integer>> counts = new ArrayList<>();
        private final List<Double> times = new ArrayList<>();

        Pages(Names names) {
            this.names = names;
        }

        void begin(double seconds) {
            sums.add(new HashMap<>());
            counts.add(new HashMap<>());
            times.add(seconds);
        }

        void add(String line, RunBuilder run) {
            Matcher sample = SAMPLE.matcher(line);
            OptionalDouble value = sample.matches() ? Numbers.find(sample.group(3)) : OptionalDouble.empty();
            if (value.isEmpty()) {
                return;
            }
            if (sums.isEmpty()) {
                begin(0);
            }
            String name = sample.group(1).substring(names.prefix.length());
            sums.getLast().merge(name, value.getAsDouble(), Double::sum);
            counts.getLast().merge(name, 1, Integer::sum);
            String labels = Optional.ofNullable(sample.group(2)).orElse("");
            Matcher model = MODEL.matcher(labels);
            if (run.find(Fact.MODEL).isEmpty() && model.find()) {
                run.say(Fact.MODEL, model.group(1));
            }
            if (labels.contains("enable_prefix_caching=\"False\"")) {
                run.say(Fact.PREFIX_CACHE, "off");
            }
        }

        /// Returns the increase of a counter from the first page, or from the start of the engine, to the last.
        private double increase(String alternatives, String suffix) {
            String name = known(alternatives, suffix);
            double last = sums.getLast().getOrDefault(name, 0.0);
            return sums.size() > 1 ? last - sums.getFirst().getOrDefault(name, 0.0) : last;
        }

        private String known(String alternatives, String suffix) {
            for (String name : alternatives.split("\\|", -1)) {
                if (sums.getLast().containsKey(name + suffix)) {
                    return name + suffix;
                }
            }
            return "";
        }

        /// Returns the mean of a gauge over all pages, summed over its labels.
        private double mean(String alternatives) {
            String name = known(alternatives, "");
            return sums.stream()
                    .mapToDouble(page -> page.getOrDefault(name, 0.0))
                    .average()
                    .orElse(0);
        }

        MeasuredRun build(RunBuilder run) {
            double seconds = times.getLast() - times.getFirst();
            double output = increase(names.output, "");
            if (sums.size() > 1 && times.getLast() <= times.getFirst()) {
                throw ResultsException.of("the pages are not in the order of their times");
            }
            if (output < 0) {
                throw ResultsException.of("the server was started anew between the pages");
            }
            if (!(output > 0)) {
                throw ResultsException.of(
                        sums.size() > 1
                                ? "the server ended no request in " + Numbers.text(seconds)
                                        + " s; send it requests meanwhile, or observe it for longer"
                                : "the server has ended no request");
            }
            double requests = names.requests.isEmpty()
                    ? run.find(Fact.REQUESTS).map(Double::parseDouble).orElse(0.0)
                    : increase(names.requests, "");
            run.say(Fact.REQUESTS, requests);
            if (requests > 0) {
                run.say(Fact.INPUT_TOKENS, Math.rint(increase(names.prompt, "") / requests));
                run.say(Fact.OUTPUT_TOKENS, Math.rint(output / requests));
            }
            double running = mean(names.running);
            double waiting = mean(names.waiting);
            run.say(Fact.CONCURRENCY, Math.max(1, Math.rint(running + waiting)));
            run.say(Fact.RUNNING, running).say(Fact.WAITING, waiting);
            // A share of each replica's cache: their mean.
            String kv = known(names.kv, "");
            run.say(
                    Fact.KV_USE,
                    Math.min(FULL, mean(names.kv) / counts.getLast().getOrDefault(kv, 1)) * PERCENT);
            run.say(Fact.PREEMPTIONS, increase(names.evicted, ""));
            double asked = increase(names.asked, "");
            run.say(Fact.PREFIX_HITS, asked > 0 ? increase(names.cached, "") / asked * PERCENT : 0);
            if (sums.getLast().containsKey("is_cuda_graph") && mean("is_cuda_graph") == 0 && running > 0) {
                run.say(Fact.GRAPHS, "off");
            }
            histogram(run, Metric.TTFT, names.first);
            histogram(run, Metric.TPOT, names.token);
            histogram(run, Metric.END_TO_END, names.whole);
            run.figure(Metric.TPOT, Statistic.MEAN, increase("tokens_predicted_seconds_total", "") / output);
            if (sums.size() > 1) {
                run.figure(Metric.OUTPUT_RATE, Statistic.MEAN, output / seconds);
            }
            return run.build();
        }

        private void histogram(RunBuilder run, Metric metric, String name) {
            double count = increase(name, "_count");
            if (!name.isEmpty() && count > 0) {
                run.figure(metric, Statistic.MEAN, increase(name, "_sum") / count);
            }
        }
    }
}
