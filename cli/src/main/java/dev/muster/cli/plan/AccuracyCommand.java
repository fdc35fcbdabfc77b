// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.ResultOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.evidence.Accuracy;
import dev.muster.evidence.BenchmarkResults;
import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.CatalogueException;
import dev.muster.report.plan.AccuracyText;
import dev.muster.report.text.Printable;
import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `muster accuracy`: how well the cost model predicts published measurements.
public final class AccuracyCommand implements Command {
    static final OptionSpec DATA = OptionSpec.value(
            "data",
            "FILE",
            "your own measurements: a folder with tables such as inference.csv, or result files of "
                    + "vllm bench, sglang.bench_serving, llama-bench and others");
    static final OptionSpec DEVICE =
            OptionSpec.value("device", "NAME", "for result files: device name, such as h100-sxm");
    static final OptionSpec LEAVE_OUT =
            OptionSpec.flag("leave-out", "predict each group of rows by a fit without it (takes half a minute)");
    static final OptionSpec ROWS = OptionSpec.flag("rows", "show every row with its prediction, the worst first");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("accuracy", "compare predictions with measurements");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(Integer.MAX_VALUE, ResultOptions.OPERANDS)
                .with(DATA, LEAVE_OUT, ROWS, Catalogues.MODELS, Catalogues.DEVICES, DEVICE)
                .with(ResultOptions.FACTS)
                .exiting("1  no run in the result files can be predicted")
                .example("muster accuracy", "the measurements included in Muster")
                .example("muster accuracy --leave-out", "the same, predicted by fits without them")
                .example("muster accuracy --data measured --rows", "your own measurements, row by row")
                .example(
                        "muster accuracy --data run.json --device h200 --tp 2",
                        "a run of 'vllm bench serve' and its prediction")
                .askingNoMachine();
    }

    @Override
    public int run(Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "accuracy does not examine a machine");
        Optional<String> folder = arguments.find(DATA);
        if (folder.isPresent() && new File(folder.get()).isFile()) {
            return ofResults(folder.get(), arguments, session);
        }
        if (!arguments.operands().isEmpty()) {
            throw new UsageException(
                    "unexpected argument '" + Printable.of(arguments.operands().getFirst()) + "'");
        }
        arguments.refuse(List.of(DEVICE), "tables already describe their runs");
        arguments.refuse(ResultOptions.FACTS, "tables already describe their runs");
        MeasuredTables tables = folder.map(AccuracyCommand::read).orElseGet(MeasuredTables::builtIn);
        Accuracy accuracy = accuracy(arguments, tables, folder.orElse("the tables of Muster"));
        boolean unseen = arguments.has(LEAVE_OUT);
        AccuracyReport report = unseen ? leavingOut(accuracy, session) : accuracy.report();
        AccuracyText answer = new AccuracyText(report, folder, unseen, arguments.has(ROWS), false);
        ReportPrinter.print(arguments, session, answer);
        return ExitCode.OK;
    }

    private static int ofResults(String first, Arguments arguments, Session session) {
        arguments.refuse(List.of(LEAVE_OUT), "result files are not part of the fit");
        AccuracyReport report = predicted(ResultOptions.read(first, arguments, DEVICE), arguments);
        ReportPrinter.print(
                arguments, session, new AccuracyText(report, Optional.of(first), false, arguments.has(ROWS), true));
        return report.rows().isEmpty() ? ExitCode.NO : ExitCode.OK;
    }

    private static AccuracyReport predicted(BenchmarkResults results, Arguments arguments) {
        try {
            return results.accuracy(Catalogues.models(arguments), Catalogues.devices(arguments));
        } catch (CatalogueException e) {
            throw new CommandException("the runs of the result files, " + Printable.of(e));
        }
    }

    /// Takes half a minute, so it says how far it is.
    private static AccuracyReport leavingOut(Accuracy accuracy, Session session) {
        AccuracyReport report =
                accuracy.leavingOut((done, all) -> session.progress("fitting without one group of rows: " + done
                        + " of " + all + " " + session.terminal().ellipsis()));
        session.progress("");
        return report;
    }

    private static Accuracy accuracy(Arguments arguments, MeasuredTables tables, String where) {
        try {
            return Accuracy.of(tables, Catalogues.models(arguments), Catalogues.devices(arguments));
        } catch (CatalogueException e) {
            throw new CommandException("'" + Printable.of(where) + "', " + Printable.of(e));
        }
    }

    private static MeasuredTables read(String folder) {
        if (!new File(folder).exists()) {
            throw new CommandException("file or folder '" + Printable.of(folder) + "' not found");
        }
        Map<String, String> texts = new HashMap<>();
        for (String name : MeasuredTables.NAMES) {
            File file = new File(folder, name);
            if (file.isFile()) {
                texts.put(name, TextFile.read(file.getPath()));
            }
        }
        if (texts.isEmpty()) {
            throw new CommandException("folder '" + Printable.of(folder) + "' has none of the files "
                    + String.join(", ", MeasuredTables.NAMES));
        }
        return MeasuredTables.of(texts);
    }
}
