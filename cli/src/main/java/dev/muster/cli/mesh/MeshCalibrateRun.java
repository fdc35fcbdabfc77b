// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.Thoroughness;
import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.store.StoreException;
import dev.muster.report.mesh.MeshCalibrationText;
import java.io.IOException;
import java.util.List;

/// `muster calibrate --mesh`: how long collectives take between ranks, by size.
record MeshCalibrateRun(Arguments arguments, Session session) {
    static final OptionSpec MESH = OptionSpec.flag(
            "mesh",
            "measure collectives between ranks, by size and group, for predictions of plans and " + "'mesh rehearse'");

    /// The options of this measurement alone.
    static final List<OptionSpec> OPTIONS = List.of(
            MeshRunCommand.PROCESSES,
            MeshRunCommand.BACKEND,
            MeshRunCommand.LAUNCHER,
            MeshRunCommand.HOSTS,
            MeshRunCommand.SSH,
            MeshRunCommand.ADDRESS);

    private static final int USUAL_RANKS = 4;

    int run() {
        arguments.refuse(CommonOptions.SOURCE, "calibrate measures between ranks that it starts");
        arguments.refuse(
                List.of(CalibrateCommand.CPU, CalibrateCommand.DEVICE, CalibrateCommand.LIBRARIES),
                "--mesh measures between ranks, not devices");
        String backend = RankOptions.backend(arguments);
        int room = RankOptions.hosts(arguments).size();
        int ranks = RankOptions.count(arguments).orElse(room == 0 ? USUAL_RANKS : room);
        RankOptions.noteSharedProcessors(arguments, session, ranks);
        MeshCalibration measured = measure(ranks, backend);
        session.progress("");
        ReportPrinter.print(arguments, session, new MeshCalibrationText(measured));
        boolean stored = arguments.has(CalibrateCommand.NO_STORE)
                || CalibrateCommand.store(CalibrationDocument.of(measured), session);
        return stored ? ExitCode.OK : ExitCode.NO;
    }

    private MeshCalibration measure(int ranks, String backend) {
        Thoroughness thoroughness = arguments.has(CalibrateCommand.QUICK) ? Thoroughness.QUICK : Thoroughness.FULL;
        try {
            return RankOptions.ranks(arguments, session, ranks, backend)
                    .calibrate(
                            thoroughness,
                            session.host().clock(),
                            what -> session.progress("measuring " + what + " "
                                    + session.terminal().ellipsis()));
        } catch (LaunchException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            throw new CommandException("--address", e);
        } catch (IOException e) {
            throw new CommandException("cannot measure", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new CommandException("the measurement was interrupted");
        }
    }
}
