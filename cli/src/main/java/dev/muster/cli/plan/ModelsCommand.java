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
import dev.muster.cli.session.Report;
import dev.muster.cli.session.Session;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.plan.Planner;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.report.plan.ModelsText;
import dev.muster.report.text.Printable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// `muster models`: well-known models, and which of them run here.
public final class ModelsCommand implements Command {
    private static final int MONTHS = 12;
    static final OptionSpec FIT = OptionSpec.flag(
            "fit", "only models that run on the devices, with the best quantization and the context that fits");

    private static final OptionSpec ENGINE = QuestionOptions.of(Parameters.ENGINE);
    private static final OptionSpec SINCE =
            OptionSpec.value("since", "DATE", "only models published since then, as in 2025 or 2025-06");
    private static final OptionSpec USE = OptionSpec.choice(
            "use", "WHAT", Arrays.stream(ModelUse.values()).map(ModelUse::label).toList(), "only models for this use");

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
                        USE,
                        SINCE,
                        ENGINE,
                        PlannerOptions.DEVICES,
                        PlannerOptions.MEMORY,
                        Catalogues.MODELS,
                        Catalogues.DEVICES)
                .exiting("1  no model runs on the devices")
                .example("muster models --fit", "models that run on this machine, with their context")
                .example("muster models --fit --use code --since 2025", "recent models for code that run here")
                .example("muster models llama", "models whose name contains a word")
                .example("muster models llama-3.1-8b", "details of one model");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (!arguments.has(FIT)) {
            arguments.refuse(CommonOptions.SOURCE, "without --fit, models does not examine a machine");
        }
        ModelCatalogue catalogue = Catalogues.models(arguments);
        Optional<String> name = arguments.operands().stream().findFirst();
        List<ModelEntry> entries =
                wanted(arguments, name.map(text -> matching(text, catalogue)).orElseGet(catalogue::entries));
        if (arguments.has(FIT)) {
            return printFitting(arguments, entries, engine(arguments), session);
        }
        arguments.refuse(List.of(ENGINE), "without --fit, models asks no engine");
        Report.print(arguments, session, new ModelsText(entries, List.of()));
        return ExitCode.OK;
    }

    private static List<ModelEntry> wanted(Arguments arguments, List<ModelEntry> entries) {
        Optional<ModelUse> use = arguments.find(USE).map(ModelUse::parse);
        Optional<String> since = arguments.find(SINCE);
        since.filter(date -> !date.matches("\\d{4}(-\\d{2}){0,2}")).ifPresent(date -> {
            throw SINCE.isNot("a year, month or day as in 2025-06", date);
        });
        List<ModelEntry> wanted = entries.stream()
                .filter(entry -> use.isEmpty() || use.get().isOf(entry))
                .filter(entry -> since.isEmpty() || entry.released().compareTo(since.get()) >= 0)
                .toList();
        if (wanted.isEmpty()) {
            throw new UsageException("no model of the catalogue is for that use and as recent");
        }
        return wanted;
    }

    private static ServingChoices engine(Arguments arguments) {
        return arguments
                .find(ENGINE)
                .map(name -> ServingChoices.USUAL.withEngine(Parameters.ENGINE.parse(name)))
                .orElse(ServingChoices.USUAL);
    }

    /// Prints the models that run on the devices of a registry; says no where none does.
    static int printFitting(Arguments arguments, List<ModelEntry> entries, ServingChoices choices, Session session) {
        Planner planner = PlannerOptions.plannerOfDevices(arguments, session);
        PlannerOptions.say(planner.notes(), session);
        ModelsText answer = fitting(entries, choices, planner);
        boolean none = answer.entries().isEmpty();
        if (none) {
            session.note("muster: none of " + entries.size() + " models runs on these devices");
        }
        if (!none || OutputFormat.of(arguments).isDocument()) {
            Report.print(arguments, session, answer);
        }
        return none ? ExitCode.NO : ExitCode.OK;
    }

    private static ModelsText fitting(List<ModelEntry> entries, ServingChoices choices, Planner planner) {
        List<ModelEntry> sorted = recentFirst(entries);
        List<FormatFit> fits =
                planner.recommend(sorted.stream().map(ModelEntry::toSummary).toList(), choices);
        List<String> names = fits.stream().map(ModelsText::name).toList();
        return new ModelsText(
                sorted.stream().filter(entry -> names.contains(entry.id())).toList(), fits);
    }

    /// Sorts by age in whole years, counted from the newest model, then by size: old models go last.
    private static List<ModelEntry> recentFirst(List<ModelEntry> entries) {
        int newest = entries.stream().mapToInt(ModelsCommand::months).max().orElse(0);
        return entries.stream()
                .sorted(Comparator.<ModelEntry>comparingInt(entry -> (newest - months(entry)) / MONTHS)
                        .thenComparing(entry -> entry.parameters().find().orElse(0L), Comparator.reverseOrder()))
                .toList();
    }

    /// Returns the months up to a model's publication; 0 if it is not known.
    private static int months(ModelEntry entry) {
        String released = entry.released();
        return released.isEmpty()
                ? 0
                : MONTHS * Integer.parseInt(released.substring(0, 4)) + Integer.parseInt(released.substring(5, 7));
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
