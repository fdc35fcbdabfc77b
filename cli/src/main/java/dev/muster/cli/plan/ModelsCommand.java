// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.plan.Planner;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.report.AnswerReport;
import dev.muster.report.plan.ModelsText;
import dev.muster.report.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// `muster models`: well-known models, and which of them run here.
public final class ModelsCommand implements Command {
    static final OptionSpec FIT = OptionSpec.flag(
            "fit", "only models that run on the devices, with the best quantization and the context that fits");

    private static final OptionSpec UPDATE = OptionSpec.value(
            "update", "FOLDER", "add the models of a folder of config.json files to the file of --models");

    private static final OptionSpec ENGINE = QuestionOptions.of(Parameters.ENGINE);
    private static final OptionSpec GOAL = QuestionOptions.of(Parameters.MODEL_GOAL);

    @Override
    public CommandTitle title() {
        return CommandTitle.of("models", "list known models, and those that run here")
                .recordedBy("models");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, "[NAME]")
                .with(
                        FIT,
                        UPDATE,
                        GOAL,
                        QuestionOptions.of(Parameters.MODEL_USE),
                        QuestionOptions.of(Parameters.MODEL_SINCE),
                        ENGINE,
                        PlannerOptions.DEVICES,
                        PlannerOptions.MEMORY,
                        Catalogues.MODELS,
                        Catalogues.DEVICES)
                .exiting("1  no model runs on the devices, or none of the folder was added")
                .example("muster models --fit", "models that run on this machine, with their context")
                .example("muster models --fit --use code --since 2025", "recent models for code that run here")
                .example("muster models --fit --use code --goal quality", "those with the best published scores first")
                .example("muster models --update configs --models mine.csv", "your own models, from their config.json")
                .example("muster models llama", "models whose name contains a word")
                .example("muster models llama-3.1-8b", "details of one model");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (!arguments.has(FIT)) {
            arguments.refuse(CommonOptions.SOURCE, "without --fit, models does not examine a machine");
        }
        Optional<String> folder = arguments.find(UPDATE);
        if (folder.isPresent()) {
            return update(folder.get(), arguments, session);
        }
        ModelCatalogue catalogue = Catalogues.models(arguments);
        Optional<String> name = arguments.operands().stream().findFirst();
        List<ModelEntry> entries =
                wanted(arguments, name.map(text -> matching(text, catalogue)).orElseGet(catalogue::entries));
        if (arguments.has(FIT)) {
            return printFitting(arguments, entries, session);
        }
        arguments.refuse(List.of(ENGINE, GOAL), "without --fit, models asks no engine and ranks nothing");
        ReportPrinter.print(arguments, session, new ModelsText(entries, List.of(), ModelUse.CHAT));
        return ExitCode.OK;
    }

    private static int update(String folder, Arguments arguments, Session session) {
        if (arguments.has(FIT) || !arguments.operands().isEmpty()) {
            throw new UsageException("--update writes a catalogue and lists no models");
        }
        String file = arguments
                .find(Catalogues.MODELS)
                .orElseThrow(() -> new UsageException("--update needs --models FILE, the catalogue to write"));
        return new CatalogueUpdate(session).update(folder, file);
    }

    private static List<ModelEntry> wanted(Arguments arguments, List<ModelEntry> entries) {
        List<ModelEntry> wanted = Question.choose(entries, QuestionOptions.values(QuestionKind.FIT, arguments));
        if (wanted.isEmpty()) {
            throw new UsageException("no model of the catalogue is for that use and as recent");
        }
        return wanted;
    }

    /// Prints the models that run on the devices of a registry; says no where none does.
    static int printFitting(Arguments arguments, List<ModelEntry> entries, Session session) {
        ParameterValues values = QuestionOptions.values(QuestionKind.FIT, arguments);
        Planner planner = PlannerOptions.planner(arguments, session);
        Answer.Recommended answer =
                QuestionOptions.asked(() -> Question.recommend(entries, values).ask(planner));
        PlannerOptions.say(answer.notes(), session);
        if (!answer.isFeasible()) {
            session.note("muster: none of " + entries.size() + " models runs on these devices");
        }
        if (answer.isFeasible() || OutputFormat.of(arguments).isDocument()) {
            ReportPrinter.print(
                    arguments, session, AnswerReport.of(answer, planner, false).words());
        }
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    /// Returns one model by its name, or else all whose names hold the text.
    private static List<ModelEntry> matching(String text, ModelCatalogue catalogue) {
        Optional<ModelEntry> exact = catalogue.find(text);
        if (exact.isPresent()) {
            return List.of(exact.get());
        }
        String part = text.toLowerCase(Locale.ROOT);
        List<ModelEntry> holding = catalogue.entries().stream()
                .filter(entry -> entry.id().contains(part)
                        || entry.repository().toLowerCase(Locale.ROOT).contains(part)
                        || entry.aliases().stream().anyMatch(alias -> alias.contains(part)))
                .toList();
        if (text.isBlank() || holding.isEmpty()) {
            throw new UsageException(
                    "no model name contains '" + Printable.of(text) + "'" + ModelArgument.hint(text, catalogue));
        }
        return holding;
    }
}
