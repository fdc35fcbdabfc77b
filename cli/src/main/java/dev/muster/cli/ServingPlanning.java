package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.measure.CalibrationDocument;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.search.DevicePool;
import dev.muster.plan.search.ServingAnswer;
import dev.muster.plan.search.ServingGoal;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.search.ServingSoftware;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.DeviceFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The planner of `muster plan`: options, the devices of a registry, and the search.
final class ServingPlanning {
    static final OptionSpec CONTEXT =
            OptionSpec.value("context", "TOKENS", "tokens of a prompt and its answer together; 4096 unless said");
    static final OptionSpec GENERATE = OptionSpec.value("generate", "TOKENS", "tokens of the answer; 256 unless said");
    static final OptionSpec CONCURRENCY =
            OptionSpec.value("concurrency", "COUNT", "sequences at the same time; 1 unless said");
    static final OptionSpec GOAL = OptionSpec.value(
            "goal", "WHAT", "be best at throughput, latency or devices (the fewest); latency for one sequence");
    static final OptionSpec ENGINE = OptionSpec.value(
            "engine",
            "NAME",
            "vllm, tensorrt-llm, llama.cpp, optimum-habana, transformers-neuronx; else the usual one");
    /// The same option as that of levels, with more to choose from.
    static final OptionSpec FORMAT = OptionSpec.value(
            "quant", "FORMAT", "how weights are stored: bf16, fp8, int4, nvfp4, q4_k_m ...; with --rules a level");

    static final List<OptionSpec> OPTIONS = List.of(CONTEXT, GENERATE, CONCURRENCY, GOAL, ENGINE);

    private static final String DEFAULT_FORMAT = "bf16";
    private static final int DEFAULT_CONTEXT = 4096;
    private static final int DEFAULT_ANSWER = 256;
    private static final int MOST = 100_000_000;

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
        String format = arguments.find(FORMAT).orElse(DEFAULT_FORMAT).toLowerCase(Locale.ROOT);
        return new ServingRequest(
                model.architecture(), format, context - answer, answer, concurrency, goal(arguments, concurrency));
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
        throw new UsageException(
                "--goal is one of throughput, latency, devices, not '" + Printable.of(text.get()) + "'");
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
    static ServingAnswer plan(
            Arguments arguments, Session session, AcceleratorRegistry registry, ServingRequest request, String model) {
        List<DevicePool> pools = pools(registry, Catalogues.devices(arguments), arguments, session);
        if (pools.isEmpty()) {
            throw new CommandException("there is no accelerator here whose figures are known; try one that is made up,"
                    + " as in --synthetic h100-sxm:8");
        }
        ServingSearch search = ServingSearch.of(CoefficientTable.builtIn());
        Optional<ServingSoftware> asked = arguments.find(ENGINE).map(ServingPlanning::engine);
        List<ServingAnswer> answers = new ArrayList<>();
        String problem = "no engine was measured on these devices";
        for (DevicePool pool : pools) {
            Optional<ServingSoftware> software =
                    asked.or(() -> ServingSoftware.usual(pool.device().family()));
            if (software.isEmpty()) {
                session.note("muster: no engine was measured on " + pool.name()
                        + "; it is left out (choose one with --engine, and take its figures as a guess)");
                continue;
            }
            switch (search.find(request, pool, software.get())) {
                case Reading.Known<ServingAnswer>(ServingAnswer answer, var _) -> answers.add(answer);
                case Reading.Unknown<ServingAnswer>(var _, String detail) -> problem = detail;
            }
        }
        if (answers.isEmpty()) {
            throw new CommandException("cannot plan '" + Printable.of(model) + "': " + Printable.of(problem)
                    + "; give a model by name, file or folder, and a format as in bf16, fp8 or q4_k_m");
        }
        Comparator<ServingPlan> order = ServingSearch.order(request.goal());
        answers.sort((a, b) ->
                order.compare(a.considered().getFirst(), b.considered().getFirst()));
        return answers.getFirst();
    }

    private static ServingSoftware engine(String name) {
        return ServingSoftware.find(name)
                .orElseThrow(() -> new UsageException("--engine is one of "
                        + String.join(", ", ServingSoftware.labels()) + ", not '" + Printable.of(name) + "'"));
    }

    /// Devices of one kind, the largest pool first. The processor is no device of a serving engine.
    static List<DevicePool> pools(
            AcceleratorRegistry registry, DeviceCatalogue catalogue, Arguments arguments, Session session) {
        Map<DeviceEntry, List<AcceleratorProfile>> byKind = new LinkedHashMap<>();
        for (AcceleratorProfile profile : registry.available()) {
            if (profile.accelerator().kind().family() == AcceleratorFamily.CPU
                    || profile.partition().isPresent()) {
                continue;
            }
            Optional<DeviceEntry> entry = catalogue.match(profile);
            if (entry.isEmpty()) {
                session.note("muster: nobody knows the figures of "
                        + Printable.of(profile.accelerator().display())
                        + "; it is left out (add it with --devices FILE)");
                continue;
            }
            byKind.computeIfAbsent(entry.get(), _ -> new ArrayList<>()).add(profile);
        }
        List<DevicePool> pools = new ArrayList<>();
        Optional<CalibrationDocument> measured = MeasuredHere.load(arguments, session);
        byKind.forEach((entry, profiles) -> pools.add(pool(entry, profiles, measured)));
        pools.sort((a, b) -> Double.compare(
                b.count() * b.device().memory(), a.count() * a.device().memory()));
        return pools;
    }

    private static DevicePool pool(
            DeviceEntry entry, List<AcceleratorProfile> profiles, Optional<CalibrationDocument> measured) {
        DeviceFigures sheet = DeviceFigures.of(entry);
        double least = profiles.stream()
                .flatMap(profile -> profile.memory().find().stream())
                .mapToDouble(Bytes::toDouble)
                .min()
                .orElse(sheet.memory());
        DeviceFigures figures = sheet.withMemory(Math.min(sheet.memory(), least));
        Optional<DeviceFigures> better = measured.flatMap(document -> MeasuredHere.apply(figures, profiles, document));
        return new DevicePool(better.orElse(figures), entry.name(), profiles.size(), better.isPresent());
    }
}
