// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.ResultOptions;
import dev.muster.cli.ask.RunStore;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.CacheFolder;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceSelection;
import dev.muster.core.json.DocumentException;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.MeasurementGap;
import dev.muster.core.measure.Thoroughness;
import dev.muster.detect.Calibrator;
import dev.muster.detect.measure.CalibrationStore;
import dev.muster.evidence.BenchmarkResults;
import dev.muster.evidence.measured.AccuracyReport.Refusal;
import dev.muster.report.plan.CalibrationText;
import dev.muster.report.plan.RunsText;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `muster calibrate`: measures the devices of this machine, or imports measured runs.
public final class CalibrateCommand implements Command {
    static final OptionSpec CPU = OptionSpec.flag("cpu", "measure only the processor");
    static final OptionSpec QUICK =
            OptionSpec.flag("quick", "measure each rate for a third of a second instead of a second");
    static final OptionSpec NO_STORE = OptionSpec.flag("no-store", "show the measurements without storing them");
    static final OptionSpec LIBRARIES = OptionSpec.value(
            "libraries",
            "FOLDERS",
            "folders with cuBLAS, separated by commas, such as the site-packages folder of PyTorch");

    static final OptionSpec DEVICE = OptionSpec.value(
            "device",
            "DEVICES",
            "only these devices: 0,2-3, cuda:1, a PCI address, part of a name, mig:ID; for result "
                    + "files: device name, such as h100-sxm");
    static final OptionSpec FROM = OptionSpec.value(
            "from",
            "FILE",
            "learn from result files instead of measuring: vllm bench, sglang.bench_serving, "
                    + "trtllm-bench, llama-bench, AIPerf and others, or a training log");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("calibrate", "measure devices, or learn from results");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(Integer.MAX_VALUE, ResultOptions.OPERANDS)
                .with(DEVICE, CPU, QUICK, NO_STORE, LIBRARIES, FROM)
                .with(MeshCalibrateRun.MESH)
                .with(MeshCalibrateRun.OPTIONS)
                .with(ResultOptions.FACTS)
                .with(Catalogues.MODELS, Catalogues.DEVICES)
                .printing(List.of(OutputFormat.TABLE, OutputFormat.WIDE, OutputFormat.JSON, OutputFormat.YAML))
                .exiting("1  something could not be measured, learned or stored")
                .example("muster calibrate", "all NVIDIA GPUs and the processor")
                .example("muster calibrate --device cuda:0 --json", "one GPU, for a script")
                .example("muster calibrate --cpu --quick --no-store", "the processor, quickly and without storing")
                .example("muster calibrate --mesh -n 4 --backend shm", "collectives between four ranks on this host")
                .example(
                        "muster calibrate --from run.json --device h200 --tp 2",
                        "correct predictions by a run of 'vllm bench serve'");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        Optional<String> results = arguments.find(FROM);
        if (!arguments.has(MeshCalibrateRun.MESH)) {
            arguments.refuse(MeshCalibrateRun.OPTIONS, "ranks are started only with --mesh");
            return results.isPresent() ? learn(results.get(), arguments, session) : measure(arguments, session);
        }
        arguments.refuse(List.of(FROM), "--mesh measures between ranks");
        requireMeasuring(arguments);
        return new MeshCalibrateRun(arguments, session).run();
    }

    private static int learn(String first, Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "--from reads files, not a machine");
        arguments.refuse(List.of(CPU, QUICK, LIBRARIES), "--from measures nothing");
        BenchmarkResults results = ResultOptions.read(first, arguments, DEVICE);
        BenchmarkResults learned = results.learn(Catalogues.models(arguments), Catalogues.devices(arguments));
        boolean wide = OutputFormat.of(arguments) == OutputFormat.WIDE;
        ReportPrinter.print(arguments, session, new RunsText(results, learned, wide));
        for (Refusal refusal : learned.refusals()) {
            session.note("muster: '" + Printable.of(refusal.id()) + "': "
                    + Printable.of(PlannerOptions.SENTENCES.refusal(refusal)));
        }
        boolean stored = arguments.has(NO_STORE)
                || learned.runs().isEmpty()
                || RunStore.add(learned.keptAt(session.host().clock().instant()), session);
        return stored && learned.refusals().isEmpty() ? ExitCode.OK : ExitCode.NO;
    }

    private static int measure(Arguments arguments, Session session) {
        requireMeasuring(arguments);
        arguments.refuse(List.of(CommonOptions.REGISTRY, CommonOptions.HOST), "calibrate measures only this machine");
        arguments.refuse(CommonOptions.WHAT_IF, "calibrate measures this machine as it is");
        if (arguments.has(CPU)) {
            arguments.refuse(List.of(DEVICE), "--cpu measures only the processor");
        }
        Optional<DeviceSelection> selection = arguments.read(DEVICE, DeviceSelection::parse);
        List<String> libraries = libraries(arguments);
        List<AcceleratorProfile> devices =
                choose(session.detect().registry().profiles(), selection, arguments.has(CPU), session);
        Calibrator calibrator = Calibrator.of(
                session.host(),
                Runtime.getRuntime().availableProcessors(),
                libraries,
                arguments.has(QUICK) ? Thoroughness.QUICK : Thoroughness.FULL,
                what -> session.progress(
                        "measuring " + what + " " + session.terminal().ellipsis()));
        CalibrationDocument measured = calibrator.calibrate(devices);
        session.progress("");
        boolean wide = OutputFormat.of(arguments) == OutputFormat.WIDE;
        ReportPrinter.print(
                arguments, session, measured::toJson, terminal -> CalibrationText.of(measured, terminal, wide));
        for (MeasurementGap gap : measured.gaps()) {
            session.note("muster: " + Printable.of(gap.display()));
        }
        boolean stored = arguments.has(NO_STORE) || measured.devices().isEmpty() || store(measured, session);
        return stored && measured.gaps().isEmpty() ? ExitCode.OK : ExitCode.NO;
    }

    private static void requireMeasuring(Arguments arguments) {
        if (!arguments.operands().isEmpty()) {
            throw new UsageException(
                    "unexpected argument '" + Printable.of(arguments.operands().getFirst()) + "'");
        }
        arguments.refuse(ResultOptions.FACTS, "calibrate measures this machine unless --from names results");
        arguments.refuse(
                List.of(Catalogues.MODELS, Catalogues.DEVICES),
                "calibrate measures this machine unless --from names results");
    }

    private static List<String> libraries(Arguments arguments) {
        List<String> folders = new ArrayList<>();
        for (String folder : arguments.find(LIBRARIES).orElse("").split(",", -1)) {
            try {
                if (!folder.isBlank()) {
                    folders.add(Path.of(folder.strip()).toAbsolutePath().toString());
                }
            } catch (InvalidPathException _) {
                throw new UsageException("--libraries: '" + Printable.of(folder) + "' is not a valid folder name");
            }
        }
        return folders;
    }

    private static List<AcceleratorProfile> choose(
            List<AcceleratorProfile> all, Optional<DeviceSelection> selection, boolean cpuAlone, Session session) {
        if (selection.isPresent()) {
            List<String> unmatched = selection.get().findUnmatched(all);
            if (!unmatched.isEmpty()) {
                throw new CommandException(
                        "no device matches '" + Printable.of(unmatched.getFirst()) + "'; 'muster detect' lists them");
            }
            return selection.get().select(all);
        }
        List<AcceleratorProfile> chosen = new ArrayList<>();
        List<String> others = new ArrayList<>();
        boolean gpu = false;
        for (AcceleratorProfile device : all) {
            boolean cpu = device.accelerator().family() == AcceleratorFamily.CPU;
            gpu |= device.accelerator().family() == AcceleratorFamily.GPU;
            if (cpuAlone ? cpu : Calibrator.canMeasure(device)) {
                chosen.add(device);
            } else if (!cpuAlone) {
                others.add(device.id().text());
            }
        }
        if (!others.isEmpty()) {
            session.note("muster: not measured (only processors and NVIDIA GPUs are supported): "
                    + Printable.of(String.join(", ", others)));
        }
        if (!gpu && !cpuAlone) {
            session.note("muster: no GPU found; measuring only the processor");
        }
        return chosen;
    }

    static boolean store(CalibrationDocument measured, Session session) {
        Optional<Path> folder = CacheFolder.of(session.host().variables());
        if (folder.isEmpty()) {
            session.note("muster: not stored: neither XDG_CACHE_HOME nor HOME is set (use --no-store to skip storing)");
            return false;
        }
        CalibrationStore store = CalibrationStore.of(folder.get());
        try {
            store.add(measured);
            session.note("muster: stored in " + Printable.of(store.path().toString()));
            return true;
        } catch (IOException | DocumentException e) {
            session.note("muster: not stored: " + Printable.of(e));
            return false;
        }
    }
}
