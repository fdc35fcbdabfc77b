// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.json.DocumentException;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.CalibrationStore;
import dev.muster.evidence.RunCorrections;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.MemoryBasis;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The options of the planner's devices: selection, memory, number of hosts, measurements.
final class PlannerOptions {
    static final OptionSpec DEVICES = OptionSpec.value(
            "devices",
            "WHICH",
            "use these: cuda:2,5, a UUID, or all; else those that are well, not in use and not divided");
    static final OptionSpec MEMORY = OptionSpec.choice(
            "memory",
            "WHICH",
            Arrays.stream(MemoryBasis.values()).map(MemoryBasis::label).toList(),
            "count on what is free of the devices' memory (default), or on its total");
    static final OptionSpec HOSTS = OptionSpec.value(
            "hosts", "COUNT", "so many machines like this one, joined by their network; 1 unless said");
    static final OptionSpec HOST_BANDWIDTH = OptionSpec.value(
            "host-bandwidth",
            "GB/S",
            "how fast the host's memory is read, in 10^9 bytes per second; else as 'calibrate --cpu' measured it");

    static final OptionSpec COLLECTIVES = OptionSpec.value(
            "collectives",
            "BACKEND",
            "collectives take as long as 'calibrate --mesh' measured over this backend, such as shm; else nccl or rccl"
                    + " where it was measured between devices of this machine, or by data sheets");

    /// Rules are asked for by name, so that they are not taken for more.
    static final OptionSpec RULES = OptionSpec.flag("rules", "use ai-hwaccel's rules instead");

    /// Those of every command that asks for devices.
    static final List<OptionSpec> CHOICE = List.of(DEVICES, MEMORY);

    private static final int MAX_BANDWIDTH = 100_000;
    private static final int MAX_DIGITS = 12;

    private PlannerOptions() {}

    /// Returns a planner as the options say.
    ///
    /// @throws UsageException if an option makes no sense
    static Planner planner(Arguments arguments, Session session) {
        return planner(arguments, session, session.loadRegistry(arguments), isHere(arguments));
    }

    /// Returns a planner for another machine.
    ///
    /// @param isHere true if it is this one, so that what was measured here counts
    static Planner planner(Arguments arguments, Session session, AcceleratorRegistry registry, boolean isHere) {
        DeviceCatalogue catalogue = Catalogues.devices(arguments);
        Planner planner = Planner.of(registry)
                .withDevices(choice(arguments, registry))
                .withCatalogue(catalogue)
                .withToday(session.today())
                .withMemory(arguments
                        .choose(MEMORY, MemoryBasis.values(), MemoryBasis::label)
                        .orElse(MemoryBasis.FREE));
        if (arguments.has(Catalogues.PRICES)) {
            planner = planner.withPrices(Catalogues.prices(arguments, catalogue));
        }
        if (arguments.has(HOST_BANDWIDTH)) {
            planner = planner.withHostBandwidth(
                    bandwidth(HOST_BANDWIDTH, arguments.find(HOST_BANDWIDTH).orElseThrow()));
        }
        Optional<CalibrationDocument> measured = isHere ? measured(session) : Optional.empty();
        if (measured.isPresent()) {
            planner = planner.withMeasured(measured.get());
        }
        if (arguments.has(COLLECTIVES)) {
            planner = planner.withCollectives(
                    collectives(arguments.find(COLLECTIVES).orElseThrow(), session));
        }
        planner = planner.withCorrections(RunCorrections.of(RunStore.read(session), catalogue));
        try {
            return planner.withHosts(Numbers.whole(arguments, HOSTS, 1, 1));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--hosts", e);
        }
    }

    /// Returns the devices that the options name, or those that may be used.
    ///
    /// @throws UsageException if an item means no device
    static DeviceChoice choice(Arguments arguments, AcceleratorRegistry registry) {
        Optional<String> named = arguments.find(DEVICES);
        try {
            return named.isPresent() ? DeviceChoice.named(registry, named.get()) : DeviceChoice.usual(registry);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--devices", e);
        }
    }

    private static boolean isHere(Arguments arguments) {
        return !arguments.hasAny(List.of(CommonOptions.REGISTRY, CommonOptions.HOST))
                && !arguments.hasAny(CommonOptions.WHAT_IF);
    }

    private static MeshCalibration collectives(String backend, Session session) {
        return measured(session)
                .flatMap(document -> document.meshes().stream()
                        .filter(mesh -> mesh.backend().equals(backend))
                        .findFirst())
                .orElseThrow(() -> new CommandException("no collectives were measured over '" + Printable.of(backend)
                        + "'; measure them with 'muster calibrate --mesh --backend " + Printable.of(backend) + "'"));
    }

    static Optional<CalibrationDocument> measured(Session session) {
        Optional<Path> folder = CalibrateCommand.cacheFolder(session.host().variables());
        try {
            return folder.isEmpty()
                    ? Optional.empty()
                    : CalibrationStore.of(folder.get()).read();
        } catch (IOException | DocumentException e) {
            session.note("muster: what was measured here cannot be read, so data sheets are believed: "
                    + Printable.of(e) + "; measure again with 'muster calibrate'");
            return Optional.empty();
        }
    }

    /// Returns a rate in GB/s.
    ///
    /// @throws UsageException if it is none
    static Bandwidth bandwidth(OptionSpec option, String text) {
        return Numbers.plain(text, MAX_DIGITS)
                .filter(rate -> rate > 0 && rate <= MAX_BANDWIDTH)
                .map(Bandwidth::new)
                .orElseThrow(() -> option.isNot("a number of GB/s above 0 and up to " + MAX_BANDWIDTH, text));
    }

    /// Says what an answer rests on.
    static void say(List<PlanNote> notes, Session session) {
        notes.forEach(note -> session.note("muster: " + Printable.of(note.sentence())));
    }

    /// Returns the complaint that nothing can be said of a model.
    static CommandException cannotPlan(String model, PlanAnswer.Unanswered<?> answer) {
        return new CommandException("cannot plan '" + Printable.of(model) + "': " + Printable.of(answer.reason())
                + (answer.remedy().isEmpty() ? "" : "; " + answer.remedy()));
    }
}
