package dev.muster.cli;

import dev.muster.cli.model.ExplanationText;
import dev.muster.cli.model.ServingText;
import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Reading;
import dev.muster.plan.ModelDimension;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.memory.FormatNames;
import dev.muster.plan.memory.PublishedFormat;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.search.SearchBreadth;
import dev.muster.plan.search.ServingAnswer;
import dev.muster.plan.search.ServingExplanation;
import dev.muster.plan.search.ServingGoal;
import dev.muster.plan.search.ServingLimits;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.search.ServingSoftware;
import dev.muster.plan.time.CoefficientTable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The planner of `muster plan`: options, the devices of a registry, and the search.
final class ServingPlanning {
    static final OptionSpec CONTEXT =
            OptionSpec.value("context", "TOKENS", "tokens of a prompt and its answer together; 4096 unless said");
    static final OptionSpec GENERATE =
            OptionSpec.value("generate", "TOKENS", "tokens of the answer; 256 unless said, or half of a short context");
    static final OptionSpec CONCURRENCY =
            OptionSpec.value("concurrency", "COUNT", "sequences at the same time; 1 unless said");
    static final OptionSpec GOAL = OptionSpec.value(
            "goal",
            "WHAT",
            "be best at throughput, latency, devices, memory, cost or energy; else latency for one sequence,"
                    + " throughput for more");
    static final OptionSpec ENGINE = OptionSpec.value(
            "engine",
            "NAME",
            "vllm, sglang, tensorrt-llm, llama.cpp, optimum-habana, transformers-neuronx; else the usual one");
    /// The same option as that of levels, with more to choose from.
    static final OptionSpec FORMAT = OptionSpec.value(
            "quant",
            "FORMAT",
            "how weights are stored: bf16, fp8, int4, nvfp4, q4_k_m ..., or several with commas; as published unless"
                    + " said; with --rules a level");

    static final OptionSpec MAX_FIRST_TOKEN = OptionSpec.value(
            "max-first-token", "TIME", "the most time until the first token, with all sequences arriving together");
    static final OptionSpec MAX_PER_TOKEN =
            OptionSpec.value("max-per-token", "TIME", "the most time between two tokens, such as 30ms");
    static final OptionSpec BUDGET =
            OptionSpec.value("budget", "USD", "the most dollars per hour, were the machines rented on demand");
    static final OptionSpec PARETO = OptionSpec.flag("pareto", "show the plans that no other beats in everything");
    static final OptionSpec EXPLAIN =
            OptionSpec.flag("explain", "show the arithmetic: memory, time, and what each number rests on");

    static final List<OptionSpec> OPTIONS = List.of(
            CONTEXT,
            GENERATE,
            CONCURRENCY,
            GOAL,
            MAX_FIRST_TOKEN,
            MAX_PER_TOKEN,
            BUDGET,
            PARETO,
            EXPLAIN,
            ENGINE,
            Catalogues.PRICES);

    private static final String DEFAULT_FORMAT = "bf16";
    private static final int DEFAULT_CONTEXT = 4096;
    private static final int DEFAULT_ANSWER = 256;
    private static final int MOST = 100_000_000;
    private static final Duration LEAST_TIME = Duration.ofMillis(1);
    private static final Duration MOST_TIME = Duration.ofMinutes(10);
    private static final double NANOS = 1e9;
    private static final int MAX_DIGITS = 12;

    private ServingPlanning() {}

    /// What is asked.
    ///
    /// @throws UsageException if an option makes no sense
    static ServingRequest request(Arguments arguments, ModelSummary model) {
        int context = number(arguments, CONTEXT, DEFAULT_CONTEXT, 2);
        int answer = number(arguments, GENERATE, Math.min(DEFAULT_ANSWER, context / 2), 1);
        if (answer >= context) {
            throw new UsageException("--generate " + answer + " leaves no token of --context " + context
                    + " for the prompt; the context is prompt and answer together");
        }
        int concurrency = number(arguments, CONCURRENCY, 1, 1);
        String format =
                arguments.find(FORMAT).orElseGet(() -> storedFormat(model)).toLowerCase(Locale.ROOT);
        return new ServingRequest(
                model.architecture(),
                format,
                context - answer,
                answer,
                concurrency,
                goal(arguments, concurrency),
                limits(arguments));
    }

    /// As the model is published; in 16 bits where that says nothing else.
    private static String storedFormat(ModelSummary model) {
        return PublishedFormat.find(model.architecture()).orElse(DEFAULT_FORMAT);
    }

    /// The request as an engine can run it on its devices: a format that nobody asked for gives way to 16 bits
    /// where the published weights cannot be used.
    static ServingRequest usable(
            Arguments arguments, ServingRequest request, ServingDevices.Served served, Session session) {
        boolean isGiven = arguments.has(FORMAT);
        if (isGiven || served.software().runs(request.format(), served.pool().device())) {
            return request;
        }
        session.note("muster: the weights are published as " + request.format() + ", which "
                + served.software().display() + " does not run on "
                + served.pool().name() + "; planned with "
                + DEFAULT_FORMAT + ", which has to be made of them (another format with --quant)");
        return request.withFormat(DEFAULT_FORMAT);
    }

    private static ServingLimits limits(Arguments arguments) {
        return new ServingLimits(
                seconds(arguments, MAX_FIRST_TOKEN), seconds(arguments, MAX_PER_TOKEN), budget(arguments));
    }

    private static double seconds(Arguments arguments, OptionSpec option) {
        return arguments
                .find(option)
                .map(text -> DurationGrammar.parse(option, text, LEAST_TIME, MOST_TIME)
                                .toNanos()
                        / NANOS)
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static double budget(Arguments arguments) {
        Optional<String> text = arguments.find(BUDGET);
        if (text.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        boolean plain = text.get().length() <= MAX_DIGITS && text.get().matches("[0-9]+(\\.[0-9]+)?");
        double dollars = plain ? new BigDecimal(text.get()).doubleValue() : 0;
        if (dollars > 0) {
            return dollars;
        }
        throw new UsageException(
                "--budget is dollars per hour above 0, such as 20 or 12.50, not '" + Printable.of(text.get()) + "'");
    }

    private static ServingGoal goal(Arguments arguments, int concurrency) {
        Optional<String> text = arguments.find(GOAL);
        if (text.isEmpty()) {
            return concurrency == 1 ? ServingGoal.LATENCY : ServingGoal.THROUGHPUT;
        }
        for (ServingGoal goal : ServingGoal.values()) {
            if (goal.label().equals(text.get())) {
                return goal;
            }
        }
        throw new UsageException("--goal is one of " + String.join(", ", ServingGoal.labels()) + ", not '"
                + Printable.of(text.get()) + "'");
    }

    static int number(Arguments arguments, OptionSpec option, int otherwise, int least) {
        Optional<String> text = arguments.find(option);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= least && number <= MOST) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below, as for numbers out of range.
        }
        throw new UsageException("--" + option.name() + " is a whole number from " + least + " to " + MOST + ", not '"
                + Printable.of(text.get()) + "'");
    }

    /// The best answer over all kinds of devices: what fits comes first, then what the goal asks for.
    ///
    /// @throws CommandException if nothing can be planned at all
    @SuppressWarnings("ReferenceEquality") // the first equals of a record takes 10 ms (docs/decisions/0004)
    static Chosen plan(
            Arguments arguments, Session session, AcceleratorRegistry registry, ServingRequest request, String model) {
        sayBeyond(session, model, request);
        DeviceCatalogue devices = Catalogues.devices(arguments);
        List<ServingDevices.Served> served = ServingDevices.listAll(
                registry,
                devices,
                engine(arguments, request),
                MeasuredHere.load(arguments, session),
                HostNetwork.hosts(arguments),
                session);
        ServingSearch search = search(arguments, devices);
        Comparator<ServingPlan> order = ServingSearch.order(request.goal());
        List<Chosen> tried = new ArrayList<>();
        for (String format : formats(request.format())) {
            ServingRequest one = request.withFormat(format);
            tried.add(plan(arguments, one, served, search, breadth(arguments), model, session));
        }
        Chosen best = tried.stream()
                .min((a, b) -> order.compare(a.first(), b.first()))
                .orElseThrow();
        if (tried.size() > 1) {
            session.note("muster: of the formats " + String.join(", ", formats(request.format())) + ", "
                    + best.request().format() + " is best for " + request.goal().display());
        }
        served.stream()
                .map(ServingDevices.Served::pool)
                .filter(pool -> pool != best.first().pool())
                .forEach(pool -> session.note("muster: " + pool.count() + " x " + pool.name()
                        + " were planned apart and are worse for the goal"));
        if (request.goal() == ServingGoal.COST || request.limits().hasBudget()) {
            sayStale(best.answer(), session);
        }
        return best;
    }

    /// Engines refuse more tokens than a model was made for, unless they are told to stretch it.
    private static void sayBeyond(Session session, String model, ServingRequest request) {
        request.architecture().find(ModelDimension.CONTEXT).ifPresent(most -> {
            int asked = request.input() + request.output();
            if (asked > most) {
                session.note("muster: " + Printable.of(model) + " is made for " + most + " tokens; " + asked
                        + " go beyond, and engines refuse them unless they are told otherwise");
            }
        });
    }

    /// A request with the format that was chosen, and its answer.
    record Chosen(ServingRequest request, ServingAnswer answer) {
        ServingPlan first() {
            return answer.considered().getFirst();
        }
    }

    /// The formats that a text names, with commas between.
    static List<String> formats(String text) {
        return List.of(text.split(",", -1));
    }

    /// The answer as text or document, as far as the options ask for it.
    static ServingText text(Arguments arguments, ModelSummary model, ServingRequest request, ServingAnswer answer) {
        ServingPlan first = answer.considered().getFirst();
        Optional<ExplanationText> explanation = arguments.has(EXPLAIN)
                ? Optional.of(
                        new ExplanationText(first, ServingExplanation.of(request, first, CoefficientTable.builtIn())))
                : Optional.empty();
        return new ServingText(model, request, answer, arguments.has(PARETO), explanation);
    }

    /// The search with prices.
    static ServingSearch search(Arguments arguments, DeviceCatalogue devices) {
        return ServingSearch.of(
                CoefficientTable.builtIn(), RentalOffers.of(Catalogues.prices(arguments, devices), devices));
    }

    private static SearchBreadth breadth(Arguments arguments) {
        return arguments.has(PARETO) ? SearchBreadth.EVERY_COPY : SearchBreadth.GOAL;
    }

    /// The engine that is asked for, or the one that alone reads the format.
    ///
    /// @throws UsageException if nobody knows it
    static Optional<ServingSoftware> engine(Arguments arguments, ServingRequest request) {
        boolean isGguf = formats(request.format()).stream().allMatch(FormatNames::isGgufAlone);
        return arguments
                .find(ENGINE)
                .map(ServingPlanning::engine)
                .or(() -> isGguf ? Optional.of(ServingSoftware.LLAMA_CPP) : Optional.empty());
    }

    private static void sayStale(ServingAnswer answer, Session session) {
        boolean stale = answer.considered().getFirst().rental().find().stream()
                .anyMatch(rental -> rental.offer().isStale(session.today()));
        if (stale) {
            session.note("muster: the price that this rests on is more than " + PriceCatalogue.MAX_AGE_DAYS
                    + " days old; look it up, or give your own with --prices FILE");
        }
    }

    /// The best answer over all kinds of devices: what fits comes first, then what the goal asks for.
    ///
    /// @throws CommandException if nothing can be planned at all
    static Chosen plan(
            Arguments arguments,
            ServingRequest request,
            List<ServingDevices.Served> served,
            ServingSearch search,
            SearchBreadth breadth,
            String model,
            Session session) {
        List<Chosen> answers = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        String problem = "no engine was measured on these devices";
        for (ServingDevices.Served one : served) {
            ServingRequest usable = usable(arguments, request, one, session);
            switch (search.find(usable, one.pool(), one.software(), breadth)) {
                case Reading.Known<ServingAnswer>(ServingAnswer answer, var _) ->
                    answers.add(new Chosen(usable, answer));
                case Reading.Unknown<ServingAnswer>(var _, String detail) -> {
                    problem = detail;
                    leftOut.add("muster: " + one.pool().name() + " is left out: " + Printable.of(detail));
                }
            }
        }
        if (answers.isEmpty()) {
            throw cannotPlan(request, model, problem);
        }
        leftOut.forEach(session::note);
        Comparator<ServingPlan> order = ServingSearch.order(request.goal());
        return answers.stream()
                .min((a, b) -> order.compare(a.first(), b.first()))
                .orElseThrow();
    }

    private static ServingSoftware engine(String name) {
        return ServingSoftware.find(name)
                .orElseThrow(() -> new UsageException("--engine is one of "
                        + String.join(", ", ServingSoftware.labels()) + ", not '" + Printable.of(name) + "'"));
    }

    /// The complaint that nothing can be said of a model.
    static CommandException cannotPlan(ServingRequest request, String model, String problem) {
        return new CommandException(
                "cannot plan '" + Printable.of(model) + "': " + Printable.of(problem) + "; " + remedy(request));
    }

    private static String remedy(ServingRequest request) {
        String remedy = "give a model by name, file or folder, and a format as in bf16, fp8 or q4_k_m";
        if (request.goal() == ServingGoal.COST || request.limits().hasBudget()) {
            return remedy + ", and prices of such devices with --prices FILE";
        }
        return request.goal() == ServingGoal.ENERGY ? remedy + ", or choose another --goal" : remedy;
    }
}
