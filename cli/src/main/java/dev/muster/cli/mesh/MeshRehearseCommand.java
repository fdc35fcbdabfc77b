// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.DurationGrammar;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.Numbers;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.json.DocumentException;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.mesh.MeshPlanException;
import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.rehearse.RehearsalFigures;
import dev.muster.mesh.store.StoreException;
import dev.muster.plan.SavedPlan;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.report.mesh.RehearsalReport;
import dev.muster.report.mesh.RehearsalText;
import dev.muster.report.mesh.RehearsedPlan;
import dev.muster.report.plan.PlansText;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// `muster mesh rehearse`: what the ranks of a plan send to each other in a step, sent for real and timed.
final class MeshRehearseCommand implements Command {
    static final OptionSpec AT_MOST = OptionSpec.value(
            "at-most",
            "RATIO",
            "rehearse: exit with code 1 if communication takes longer than this multiple of its "
                    + "prediction, such as 1.2");
    static final OptionSpec SCALE = OptionSpec.flag(
            "scale", "rehearse: shrink the mesh of the plan to the ranks of -n, the outermost axes first");
    static final OptionSpec TIME =
            OptionSpec.value("time", "TIME", "rehearse: approximate measuring time (default: 10s)");

    private static final Duration USUAL_TIME = Duration.ofSeconds(10);
    private static final Duration LEAST_TIME = Duration.ofMillis(100);
    private static final Duration MOST_TIME = Duration.ofHours(1);
    private static final int MAX_DIGITS = 8;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("mesh rehearse", "run and time the communication of a plan");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, "PLAN")
                .with(MeshRunCommand.PROCESSES, MeshRunCommand.BACKEND, MeshRunCommand.LAUNCHER)
                .with(MeshRunCommand.HOSTS, MeshRunCommand.SSH, MeshRunCommand.ADDRESS)
                .with(AT_MOST, SCALE, TIME)
                .exiting("1  communication took longer than --at-most allows, or ranks failed")
                .example(
                        "muster mesh rehearse plan.json --backend shm",
                        "a plan saved by 'muster plan --json', with its number of ranks")
                .example(
                        "muster mesh rehearse plan.json --at-most 1.2",
                        "in a script: is communication as fast as predicted?")
                .example(
                        "muster mesh rehearse plan.json --backend fake",
                        "the bytes that ranks would send, for any number of ranks");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        return new Run(arguments, session).run();
    }

    /// One run, with its arguments.
    private record Run(Arguments arguments, Session session) {
        int run() {
            arguments.refuse(CommonOptions.SOURCE, "mesh rehearse runs a saved plan on this machine");
            if (arguments.operands().isEmpty()) {
                throw new UsageException("mesh rehearse needs a plan, saved with 'muster plan MODEL --json > FILE' or"
                        + " 'muster train MODEL --json > FILE'");
            }
            String file = arguments.operands().getFirst();
            String backend = RankOptions.backend(arguments, RankOptions.FAKE);
            Optional<Integer> ranks = RankOptions.count(arguments);
            Optional<Double> atMost = atMost();
            Duration time = arguments
                    .find(TIME)
                    .map(text -> DurationGrammar.parse(TIME, text, LEAST_TIME, MOST_TIME))
                    .orElse(USUAL_TIME);
            PlansText.Saved saved = TextFile.readPlan(file, "'muster train MODEL --json > FILE'");
            SavedPlan plan = saved.plan();
            RehearsedPlan whole = rehearsed(file, plan);
            if (backend.equals(RankOptions.FAKE)) {
                arguments.refuse(List.of(AT_MOST, TIME), "--backend fake sends nothing, and measures nothing");
            }
            RehearsedPlan rehearsed = scaled(whole, ranks, backend.equals(RankOptions.FAKE));
            requireCalls(file, rehearsed);
            if (backend.equals(RankOptions.FAKE)) {
                print(RehearsalReport.of(plan.model(), rehearsed, Optional.empty(), null));
                return ExitCode.OK;
            }
            RehearsalReport report = measure(plan.model(), rehearsed, backend, time);
            print(report);
            return atMost.isPresent() && report.ratio() > atMost.get() ? ExitCode.NO : ExitCode.OK;
        }

        private void print(RehearsalReport report) {
            ReportPrinter.print(arguments, session, new RehearsalText(report));
        }

        private Optional<Double> atMost() {
            return arguments
                    .find(AT_MOST)
                    .map(text -> Numbers.plain(text, MAX_DIGITS)
                            .filter(ratio -> ratio > 0)
                            .orElseThrow(() -> AT_MOST.isNot("a ratio above 0, such as 1.2", text)));
        }

        private static RehearsedPlan rehearsed(String file, SavedPlan plan) {
            try {
                StepCommunication step = plan.findCommunication()
                        .orElseThrow(() -> new CommandException("'" + Printable.of(file)
                                + "' does not describe its communication (plans over devices of several kinds and plans of "
                                + "earlier versions do not); plan again with --json"));
                RehearsedPlan placed = RehearsedPlan.of(plan.mesh(), step);
                placed.rehearsal();
                return placed;
            } catch (DocumentException | MeshPlanException | IllegalArgumentException e) {
                throw new CommandException("cannot read a plan from '" + Printable.of(file) + "'", e);
            }
        }

        private static void requireCalls(String file, RehearsedPlan plan) {
            if (plan.step().calls().isEmpty()) {
                throw new CommandException("the ranks of '" + Printable.of(file)
                        + "' send nothing to each other, so there is nothing to rehearse");
            }
        }

        private RehearsedPlan scaled(RehearsedPlan plan, Optional<Integer> ranks, boolean isFake) {
            int world = plan.mesh().worldSize();
            boolean isLaunched = arguments.has(MeshRunCommand.LAUNCHER) || arguments.has(MeshRunCommand.HOSTS);
            int least = isFake || isLaunched ? world : RankOptions.MOST_RANKS;
            int count = ranks.orElse(Math.min(world, least));
            if (count == world) {
                return plan;
            }
            if (count > world) {
                throw new CommandException("the plan has " + world + " ranks, fewer than -n " + count
                        + "; leave -n out, or plan for more devices");
            }
            if (!arguments.has(SCALE)) {
                throw new CommandException("the plan has " + world + " ranks, and "
                        + (ranks.isPresent() ? "-n says " + count : count + " at most are started on one host")
                        + "; rehearse a smaller mesh of the same calls with -n N --scale, or count bytes alone with"
                        + " --backend fake");
            }
            return plan.scaledTo(count);
        }

        private RehearsalReport measure(String model, RehearsedPlan plan, String backend, Duration time) {
            int ranks = plan.mesh().worldSize();
            RankOptions.noteSharedProcessors(arguments, session, ranks);
            session.progress(
                    "rehearsing with " + ranks + " ranks " + session.terminal().ellipsis());
            try {
                RehearsalFigures figures =
                        RankOptions.ranks(arguments, session, ranks, backend).rehearse(plan.rehearsal(), time);
                session.progress("");
                return RehearsalReport.of(model, plan, calibration(figures, ranks), figures);
            } catch (LaunchException e) {
                throw new CommandException(String.valueOf(e.getMessage()));
            } catch (StoreException e) {
                throw new CommandException("--address", e);
            } catch (IOException e) {
                throw new CommandException("cannot rehearse", e);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new CommandException("the rehearsal was interrupted");
            }
        }

        private Optional<MeshCalibration> calibration(RehearsalFigures figures, int ranks) {
            Optional<CalibrationDocument> stored = PlannerOptions.measured(session);
            return stored.flatMap(document -> document.findMesh(figures.backend(), ranks, figures.hosts() > 1));
        }
    }
}
