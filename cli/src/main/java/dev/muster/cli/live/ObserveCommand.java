// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.ResultOptions;
import dev.muster.cli.ask.RunStore;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.DurationGrammar;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.evidence.BenchmarkResults;
import dev.muster.evidence.BenchmarkResults.SourcedRun;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.model.PlanException;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionException;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.report.AnswerReport;
import dev.muster.report.plan.GapCause;
import dev.muster.report.plan.ObservedText;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `muster observe`: what a running engine does, beside its prediction.
public final class ObserveCommand implements Command {
    static final OptionSpec FOR = OptionSpec.value("for", "TIME", "time to observe, such as 30s or 2m (default: 30s)");
    static final OptionSpec NO_STORE = OptionSpec.flag("no-store", "do not correct later plans by this run");
    static final OptionSpec SAVE =
            OptionSpec.value("save", "FILE", "also write the pages of metrics here, for 'muster accuracy --data'");

    private static final Duration USUAL = Duration.ofSeconds(30);
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofHours(1);
    private static final int MOST_PAGES = 60;
    private static final int MAX_BYTES = 4096;
    private static final int LOOKS = 10;
    private static final Pattern PRESSURE = Pattern.compile("some avg10=(\\d{1,3}\\.\\d{1,2})");
    /// The options of a simulation, by the fact that gives them.
    private static final Map<String, Fact> ASKED = Map.of(
            "users", Fact.CONCURRENCY,
            "input", Fact.INPUT_TOKENS,
            "generate", Fact.OUTPUT_TOKENS,
            "engine", Fact.ENGINE,
            "quant", Fact.WEIGHT_FORMAT,
            "tp", Fact.TP);

    @Override
    public CommandTitle title() {
        return CommandTitle.of("observe", "compare a running engine with its prediction");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, "URL")
                .with(FOR, NO_STORE, SAVE)
                .with(ResultOptions.FACTS)
                .with(Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  a figure is worse than nine of ten predictions would have it")
                .example("muster observe http://localhost:8000", "a vLLM server of this machine, for half a minute")
                .example(
                        "muster observe http://node7:30000 --for 2m --synthetic h100-sxm:8 --tp 8",
                        "an SGLang server of another machine")
                .example(
                        "muster observe http://localhost:8080 --model llama-3.1-8b --quant q4_k_m",
                        "a llama-server whose file has another name");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("observe needs the address of a server, such as http://localhost:8000");
        }
        Duration time = arguments
                .find(FOR)
                .map(text -> DurationGrammar.parse(FOR, text, LEAST, MOST))
                .orElse(USUAL);
        try (EngineClient engine = new EngineClient(arguments.operands().getFirst())) {
            String pages = watch(engine, time, session);
            arguments.find(SAVE).ifPresent(file -> save(file, pages));
            return report(engine, pages, arguments, session);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("interrupted", e);
        }
    }

    /// Returns the pages of metrics over a time, in the form that result files have.
    private static String watch(EngineClient engine, Duration time, Session session) throws InterruptedException {
        Duration between = time.dividedBy(MOST_PAGES).compareTo(LEAST) > 0 ? time.dividedBy(MOST_PAGES) : LEAST;
        StringBuilder pages = new StringBuilder();
        Map<Fact, String> facts = engine.facts();
        long begin = System.nanoTime();
        Duration passed = Duration.ZERO;
        while (true) {
            pages.append("# muster page ").append(passed.toMillis() / 1e3).append('\n');
            pages.append(engine.page()).append('\n');
            if (passed.compareTo(time) >= 0) {
                break;
            }
            session.progress("observing " + engine + ": " + passed.toSeconds() + " of " + time.toSeconds() + " s");
            boolean isOver = false;
            // Short requests begin and end between two pages.
            for (int look = 0; look < LOOKS && !isOver; look++) {
                isOver = !session.pause(between.dividedBy(LOOKS));
                engine.look();
            }
            if (isOver) {
                break;
            }
            passed = Duration.ofNanos(System.nanoTime() - begin);
        }
        session.progress("");
        if (engine.requestsSeen() > 0) {
            facts.put(Fact.REQUESTS, Integer.toString(engine.requestsSeen()));
        }
        StringBuilder text = new StringBuilder();
        facts.forEach((fact, value) -> text.append("# muster fact ")
                .append(fact.text())
                .append(' ')
                .append(value.replaceAll("\\s+", " "))
                .append('\n'));
        return text.append(pages).toString();
    }

    private static void save(String file, String pages) {
        try {
            Files.writeString(Path.of(file), pages);
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandException("cannot write '" + Printable.of(file) + "': " + Printable.of(e), e);
        }
    }

    private static int report(EngineClient engine, String pages, Arguments arguments, Session session) {
        boolean isHere = engine.isHere() && PlannerOptions.isHere(arguments);
        AcceleratorRegistry machine = session.loadRegistry(arguments);
        Map<Fact, String> given = new EnumMap<>(ResultOptions.given(arguments));
        List<AcceleratorProfile> devices = machine.profiles().stream()
                .filter(device -> device.accelerator().family() != AcceleratorFamily.CPU)
                .toList();
        devices.stream()
                .findFirst()
                .flatMap(device -> device.deviceName().find())
                .ifPresent(name -> given.putIfAbsent(Fact.DEVICE, name));
        BenchmarkResults results = BenchmarkResults.read(Map.of(engine.toString(), pages), given);
        if (results.runs().isEmpty()) {
            throw new CommandException(
                    engine + ": " + results.refusals().getFirst().reason());
        }
        MeasuredRun run = results.runs().stream().map(SourcedRun::run).toList().getFirst();
        Predicted predicted = predict(run, arguments, session, machine);
        boolean isSlow = ObservedText.isSlow(run, predicted.simulation);
        List<GapCause> causes = GapCause.of(run, isHere ? devices : List.of(), isHere ? pressure(session) : 0, isSlow);
        BenchmarkResults learned = results.learn(Catalogues.models(arguments), Catalogues.devices(arguments));
        boolean isKept = !arguments.has(NO_STORE)
                && !learned.runs().isEmpty()
                && RunStore.add(learned.keptAt(session.clock().instant()), session);
        ReportPrinter.print(
                arguments,
                session,
                new ObservedText(engine.toString(), run, predicted.simulation, predicted.reason, causes, isKept));
        return isSlow ? ExitCode.NO : ExitCode.OK;
    }

    /// A prediction, or the reason why there is none.
    private record Predicted(Optional<ServingSimulation> simulation, String reason) {
        static Predicted none(String reason) {
            return new Predicted(Optional.empty(), reason);
        }
    }

    /// Simulates the load that was observed, as a question of `muster simulate` would.
    private static Predicted predict(
            MeasuredRun run, Arguments arguments, Session session, AcceleratorRegistry machine) {
        if (run.find(Fact.MODEL).isEmpty() || run.find(Fact.ENGINE).isEmpty()) {
            return Predicted.none("the server does not say which model and engine it runs; give --model and --engine");
        }
        if (run.find(Fact.INPUT_TOKENS).isEmpty()) {
            return Predicted.none("no request ended, so their lengths are not known; observe for longer");
        }
        Map<String, String> options = new HashMap<>(Map.of("devices", "all", "memory", "total"));
        ASKED.forEach((option, fact) -> run.find(fact).ifPresent(value -> options.put(option, value)));
        try {
            Question.Simulate question = Question.simulate(
                    ModelArgument.resolve(run.find(Fact.MODEL).orElseThrow(), Catalogues.models(arguments)),
                    ParameterValues.parse(
                            QuestionKind.SIMULATE.parameters(),
                            parameter -> Optional.ofNullable(options.get(parameter.option()))));
            Answer.Simulated answer =
                    question.ask(PlannerOptions.planner(arguments, session, machine, PlannerOptions.isHere(arguments)));
            return switch (answer.answer()) {
                case PlanAnswer.Feasible<ServingSimulation> found -> new Predicted(Optional.of(found.best()), "");
                case PlanAnswer.Infeasible<ServingSimulation> _, PlanAnswer.Unanswered<ServingSimulation> _ ->
                    Predicted.none(AnswerReport.reason(answer, Naming.OPTIONS));
            };
        } catch (QuestionException e) {
            return Predicted.none(e.sentence(Naming.OPTIONS));
        } catch (UsageException | CommandException | PlanException e) {
            return Predicted.none(Printable.of(e) + "; name the model with --model");
        }
    }

    /// Returns the percent of time in which some task of this host waited for a processor, as Linux counts it.
    private static double pressure(Session session) {
        Matcher some = PRESSURE.matcher(
                session.host().files().findText("/proc/pressure/cpu", MAX_BYTES).orElse(""));
        return some.find() ? Double.parseDouble(some.group(1)) : 0;
    }
}
