// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.device.DetectCommand;
import dev.muster.cli.fleet.FleetCommand;
import dev.muster.cli.mesh.MeshCommand;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.DetectionRequest;
import dev.muster.cli.session.Outlet;
import dev.muster.cli.session.Pause;
import dev.muster.cli.session.RegistrySource;
import dev.muster.cli.session.Session;
import dev.muster.cli.session.StderrLogger;
import dev.muster.cli.session.TerminalSettings;
import dev.muster.cli.session.Version;
import dev.muster.detect.host.Host;
import dev.muster.detect.nvidia.NvmlWarmUp;
import dev.muster.report.terminal.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// One run of the program, from arguments to exit code. Everything it touches of the process is handed in.
///
/// @param host the machine that is asked, with the environment variables and the time
/// @param tty true if standard output is a terminal
/// @param watched true if standard error is a terminal
/// @param javaVersion the Java that runs the program
/// @param stdin standard input
/// @param stdout output of data
/// @param stderr all other output
/// @param pause waits between two looks
record Muster(
        Host host,
        boolean tty,
        boolean watched,
        String javaVersion,
        InputStream stdin,
        OutputStream stdout,
        PrintStream stderr,
        Pause pause) {
    int run(List<String> words) {
        Commands commands = new Commands(javaVersion);
        try {
            return runCommand(commands, words);
        } catch (UsageException e) {
            String message = String.valueOf(e.getMessage());
            // A message that asks whether another word was meant already says what to do.
            stderr.println("muster: " + message
                    + (message.endsWith("?") ? "" : "; see 'muster help" + helpOf(commands, words) + "'"));
            return ExitCode.USAGE;
        } catch (CommandException e) {
            stderr.println("muster: " + e.getMessage());
            return ExitCode.NO;
        }
    }

    /// Returns the operand of `muster help` for the command that was called; blank if none is known.
    private static String helpOf(Commands commands, List<String> words) {
        int at = commandPosition(words);
        if (at >= words.size() || !commands.names().contains(words.get(at))) {
            return "";
        }
        String name = words.get(at);
        if (name.equals("help")) {
            return "";
        }
        List<String> further = name.equals(MeshCommand.NAME)
                ? new MeshCommand().words()
                : name.equals(FleetCommand.NAME) ? new FleetCommand().words() : List.of();
        boolean hasFurther = at + 1 < words.size() && further.contains(words.get(at + 1));
        return " " + name + (hasFurther ? " " + words.get(at + 1) : "");
    }

    private int runCommand(Commands commands, List<String> words) {
        int at = commandPosition(words);
        boolean named = at < words.size();
        Command command = named ? commands.require(words.get(at)) : new DetectCommand(true);
        List<String> rest = new ArrayList<>(words);
        if (named) {
            rest.remove(at);
        }
        CommandSpec spec = command.spec();
        Arguments arguments = Arguments.parse(spec, rest);
        if ((!named || Commands.asksAtOnce(words.get(at))) && !arguments.hasAny(CommonOptions.SOURCE)) {
            NvmlWarmUp.begin(host);
        }
        Terminal terminal = TerminalSettings.of(arguments, host.variables(), tty);
        boolean moves = !"dumb".equals(host.variables().get("TERM"));
        Outlet outlet = new Outlet(stdout, stderr, watched && moves);
        Session session = new Session(terminal, registries(command, arguments), outlet, pause, tty && moves);
        int code;
        if (arguments.has(CommonOptions.HELP)) {
            HelpText help = new HelpText(terminal);
            session.print(
                    named ? help.ofCommand(command.specOf(arguments.operands())) : help.ofProgram(commands.titles()));
            code = ExitCode.OK;
        } else if (arguments.has(CommonOptions.VERSION)) {
            session.print("muster " + Version.TEXT + "\n");
            code = ExitCode.OK;
        } else {
            code = command.run(arguments, session);
        }
        int written = session.flush();
        return written == ExitCode.OK ? code : written;
    }

    /// Returns the position of the command: the first word that is neither an option nor an option's value.
    private static int commandPosition(List<String> words) {
        // Most calls begin with their command, and then the options of another need not be known.
        if (!words.isEmpty() && !words.getFirst().startsWith("-")) {
            return 0;
        }
        CommandSpec defaults = new DetectCommand(true).spec();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.startsWith("-") || word.equals("-")) {
                return i;
            }
            boolean valueFollows = !word.contains("=") && defaultsTakeValue(defaults, word);
            i += valueFollows ? 1 : 0;
        }
        return words.size();
    }

    private static boolean defaultsTakeValue(CommandSpec defaults, String word) {
        return (word.startsWith("--") ? defaults.findOption(word.substring(2)) : defaults.findLetter(word.substring(1)))
                .filter(OptionSpec::takesValue)
                .isPresent();
    }

    private RegistrySource registries(Command command, Arguments arguments) {
        StderrLogger log = StderrLogger.of(
                arguments, host.variables().getOrDefault(StderrLogger.VARIABLE, ""), stderr, host.clock());
        Arguments usual = arguments.withUsualMeaning(command.specOf(arguments.operands()));
        DetectionRequest request = DetectionRequest.of(usual, command.asksTelemetry(arguments));
        return new RegistrySource(request, host, log, stdin);
    }
}
