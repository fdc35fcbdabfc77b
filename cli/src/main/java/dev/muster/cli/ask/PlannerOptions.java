// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ask;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.CacheFolder;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.json.DocumentException;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.detect.measure.CalibrationStore;
import dev.muster.evidence.RunCorrections;
import dev.muster.plan.PlanCorrections;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.report.sentence.Sentences;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The options of the planner's devices: selection, memory, number of hosts, measurements.
public final class PlannerOptions {
    public static final OptionSpec DEVICES = QuestionOptions.of(Parameters.DEVICES);
    public static final OptionSpec MEMORY = QuestionOptions.of(Parameters.MEMORY);
    public static final OptionSpec HOSTS = QuestionOptions.of(Parameters.HOSTS);

    /// Rules are asked for by name, so that they are not taken for more.
    public static final OptionSpec RULES = OptionSpec.flag("rules", "use ai-hwaccel's rules instead");

    /// Sentences with names of options.
    public static final Sentences SENTENCES = Sentences.of(Naming.OPTIONS);

    private PlannerOptions() {}

    /// Returns a planner as the options say.
    ///
    /// @throws UsageException if an option makes no sense
    public static Planner planner(Arguments arguments, Session session) {
        return planner(arguments, session, session.loadRegistry(arguments), isHere(arguments));
    }

    /// Returns a planner for another machine.
    ///
    /// @param isHere true if it is this one, so that what was measured here counts
    public static Planner planner(Arguments arguments, Session session, AcceleratorRegistry registry, boolean isHere) {
        return planners(arguments, session, isHere).apply(registry);
    }

    /// Returns planners of machines, with catalogues, prices and measurements that are read once.
    ///
    /// @param isHere true if the machines are this one, so that what was measured here counts
    public static Function<AcceleratorRegistry, Planner> planners(
            Arguments arguments, Session session, boolean isHere) {
        DeviceCatalogue catalogue = Catalogues.devices(arguments);
        Optional<PriceCatalogue> prices = Catalogues.findPrices(arguments, catalogue, session);
        Optional<CalibrationDocument> stored =
                isHere || QuestionOptions.has(arguments, Parameters.COLLECTIVES) ? measured(session) : Optional.empty();
        Optional<CalibrationDocument> measured = isHere ? stored : Optional.empty();
        PlanCorrections corrections = RunCorrections.of(RunStore.read(session), catalogue);
        return registry -> {
            Planner planner = Planner.of(registry)
                    .withCatalogue(catalogue)
                    .withToday(session.today())
                    .withCorrections(corrections)
                    .withMeasuredMeshes(stored.map(CalibrationDocument::meshes).orElse(List.of()));
            planner = prices.isPresent() ? planner.withPrices(prices.get()) : planner;
            return measured.isPresent() ? planner.withMeasured(measured.get()) : planner;
        };
    }

    /// Returns the devices that the options name, or those that may be used.
    ///
    /// @throws UsageException if an item means no device
    public static DeviceChoice choice(Arguments arguments, AcceleratorRegistry registry) {
        Optional<String> named = arguments.find(DEVICES);
        try {
            return named.isPresent() ? DeviceChoice.named(registry, named.get()) : DeviceChoice.defaults(registry);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--devices", e);
        }
    }

    public static boolean isHere(Arguments arguments) {
        return !arguments.hasAny(List.of(CommonOptions.REGISTRY, CommonOptions.HOST))
                && !arguments.hasAny(CommonOptions.WHAT_IF);
    }

    public static Optional<CalibrationDocument> measured(Session session) {
        Optional<Path> folder = CacheFolder.of(session.host().variables());
        try {
            return folder.isEmpty()
                    ? Optional.empty()
                    : CalibrationStore.of(folder.get()).read();
        } catch (IOException | DocumentException e) {
            session.note("muster: the local calibration cannot be read, so data sheets are used: " + Printable.of(e)
                    + "; calibrate again with 'muster calibrate'");
            return Optional.empty();
        }
    }

    /// Says what an answer rests on.
    public static void say(List<PlanNote> notes, Session session) {
        notes.forEach(note -> session.note("muster: " + Printable.withoutControls(SENTENCES.note(note))));
    }

    /// Returns the complaint that nothing can be said of a model.
    public static CommandException cannotPlan(String model, PlanAnswer.Unanswered<?> answer) {
        return new CommandException("cannot plan '" + Printable.of(model) + "': "
                + SENTENCES.complaint(answer.reason(), answer.remedies()));
    }
}
