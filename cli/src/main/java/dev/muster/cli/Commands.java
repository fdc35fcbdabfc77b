// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.device.CaptureCommand;
import dev.muster.cli.device.CheckCommand;
import dev.muster.cli.device.CheckLaunchCommand;
import dev.muster.cli.device.DetectCommand;
import dev.muster.cli.device.DevicesCommand;
import dev.muster.cli.device.DiffCommand;
import dev.muster.cli.device.DoctorCommand;
import dev.muster.cli.device.TopologyCommand;
import dev.muster.cli.fleet.FleetCommand;
import dev.muster.cli.live.McpCommand;
import dev.muster.cli.live.ObserveCommand;
import dev.muster.cli.live.ServeCommand;
import dev.muster.cli.live.TopCommand;
import dev.muster.cli.live.WatchCommand;
import dev.muster.cli.mesh.CalibrateCommand;
import dev.muster.cli.mesh.MeshCommand;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.StartGroup;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.plan.AccuracyCommand;
import dev.muster.cli.plan.CompareCommand;
import dev.muster.cli.plan.CostCommand;
import dev.muster.cli.plan.FitCommand;
import dev.muster.cli.plan.InspectCommand;
import dev.muster.cli.plan.ModelsCommand;
import dev.muster.cli.plan.PlanCommand;
import dev.muster.cli.plan.PricesCommand;
import dev.muster.cli.plan.QuantizeCommand;
import dev.muster.cli.plan.SimulateCommand;
import dev.muster.cli.plan.TrainCommand;
import dev.muster.cli.session.Command;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Every command, in the order of help. A command is made when it is asked for, so that a start loads the classes of
/// its own command alone.
///
/// @param javaVersion the Java that runs the program
record Commands(String javaVersion) {
    private enum Name {
        DETECT,
        DEVICES,
        CHECK(StartGroup.EXAMINE),
        CHECK_LAUNCH(StartGroup.PLAN),
        INSPECT(StartGroup.PLAN),
        MODELS(StartGroup.PLAN),
        PLAN(StartGroup.PLAN),
        FIT(StartGroup.PLAN),
        SIMULATE(StartGroup.PLAN),
        COMPARE(StartGroup.PLAN),
        QUANTIZE(StartGroup.PLAN),
        TRAIN(StartGroup.PLAN),
        COST(StartGroup.PLAN),
        PRICES(StartGroup.PLAN),
        ACCURACY,
        TOPOLOGY(StartGroup.EXAMINE),
        MESH(StartGroup.LONG),
        FLEET(StartGroup.FLEET),
        DOCTOR(StartGroup.EXAMINE),
        CALIBRATE(StartGroup.LONG),
        WATCH,
        OBSERVE(StartGroup.PLAN),
        TOP(StartGroup.TOP),
        SERVE(StartGroup.LIVE),
        MCP(StartGroup.LIVE),
        CAPTURE,
        DIFF,
        VERSION(StartGroup.VERSION),
        HELP,
        COMPLETION;

        private final StartGroup group;

        Name() {
            this(StartGroup.USUAL);
        }

        Name(StartGroup group) {
            this.group = group;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private Command make(Name name) {
        return switch (name) {
            case DETECT -> new DetectCommand(false);
            case DEVICES -> new DevicesCommand();
            case CHECK -> new CheckCommand();
            case CHECK_LAUNCH -> new CheckLaunchCommand();
            case INSPECT -> new InspectCommand();
            case MODELS -> new ModelsCommand();
            case PLAN -> new PlanCommand();
            case FIT -> new FitCommand();
            case SIMULATE -> new SimulateCommand();
            case COMPARE -> new CompareCommand();
            case QUANTIZE -> new QuantizeCommand();
            case TRAIN -> new TrainCommand();
            case COST -> new CostCommand();
            case PRICES -> new PricesCommand();
            case ACCURACY -> new AccuracyCommand();
            case TOPOLOGY -> new TopologyCommand();
            case MESH -> new MeshCommand();
            case FLEET -> new FleetCommand();
            case DOCTOR -> new DoctorCommand();
            case CALIBRATE -> new CalibrateCommand();
            case WATCH -> new WatchCommand();
            case OBSERVE -> new ObserveCommand();
            case TOP -> new TopCommand();
            case SERVE -> new ServeCommand();
            case MCP -> new McpCommand();
            case CAPTURE -> new CaptureCommand();
            case DIFF -> new DiffCommand();
            case VERSION -> new VersionCommand(javaVersion);
            case HELP -> new HelpCommand(this);
            case COMPLETION -> new CompletionCommand(this);
        };
    }

    List<CommandTitle> titles() {
        List<CommandTitle> titles = new ArrayList<>();
        for (Name name : Name.values()) {
            titles.add(make(name).title());
        }
        return titles;
    }

    /// The commands of a group. Makes no other, as all classes that are loaded while a cache is made become part of it.
    List<CommandTitle> titles(StartGroup group) {
        List<CommandTitle> titles = new ArrayList<>();
        for (Name name : Name.values()) {
            if (name.group == group) {
                titles.add(make(name).title());
            }
        }
        return titles;
    }

    /// Reports whether a command of that name answers and ends, with nothing left to do when the process ends.
    static boolean isShort(String word) {
        StartGroup group = group(word);
        return group == StartGroup.EXAMINE || group == StartGroup.PLAN;
    }

    /// Reports whether the first thing that a command of that name does is to ask for devices.
    static boolean asksAtOnce(String word) {
        StartGroup group = group(word);
        return group == StartGroup.EXAMINE
                || group == StartGroup.TOP
                || word.equals("detect")
                || word.equals("devices");
    }

    private static StartGroup group(String word) {
        for (Name name : Name.values()) {
            if (name.word().equals(word)) {
                return name.group;
            }
        }
        return StartGroup.USUAL;
    }

    List<CommandSpec> specs() {
        List<CommandSpec> specs = new ArrayList<>();
        for (Name name : Name.values()) {
            specs.add(make(name).spec());
        }
        return specs;
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        for (Name name : Name.values()) {
            names.add(name.word());
        }
        return names;
    }

    /// Returns the command with that name.
    ///
    /// @throws UsageException if there is none
    Command require(String word) {
        for (Name name : Name.values()) {
            if (name.word().equals(word)) {
                return make(name);
            }
        }
        throw new UsageException("unknown command '" + Printable.of(word) + "'"
                + UsageException.hintOrAll(word, names(), "; commands are "));
    }
}
