// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.List;

/// Every command, in the order of help.
final class Commands {
    private final List<Command> all;

    Commands(String javaVersion) {
        List<Command> commands = new ArrayList<>(List.of(
                new DetectCommand(false),
                new DevicesCommand(),
                new CheckCommand(),
                new InspectCommand(),
                new ModelsCommand(),
                new PlanCommand(),
                new FitCommand(),
                new SimulateCommand(),
                new CompareCommand(),
                new QuantizeCommand(),
                new TrainCommand(),
                new CostCommand(),
                new AccuracyCommand(),
                new TopologyCommand(),
                new MeshCommand(),
                new FleetCommand(),
                new DoctorCommand(),
                new CalibrateCommand(),
                new WatchCommand(),
                new TopCommand(),
                new ServeCommand(),
                new CaptureCommand(),
                new DiffCommand(),
                new VersionCommand(javaVersion)));
        commands.add(new HelpCommand(this));
        commands.add(new CompletionCommand(this));
        this.all = List.copyOf(commands);
    }

    List<CommandSpec> specs() {
        return all.stream().map(Command::spec).toList();
    }

    List<String> names() {
        return specs().stream().map(CommandSpec::name).toList();
    }

    /// Returns the command with that name.
    ///
    /// @throws UsageException if there is none
    Command require(String name) {
        for (Command command : all) {
            if (command.spec().name().equals(name)) {
                return command;
            }
        }
        throw new UsageException("there is no command '" + Printable.of(name) + "'"
                + UsageException.hintOrAll(name, names(), "; commands are "));
    }
}
