package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.core.AcceleratorRegistry;
import java.util.List;

/// `muster detect`: what is in this box.
final class DetectCommand implements Command {
    static final OptionSpec REQUIRE =
            OptionSpec.flag("require-accelerator", "exit with 3 if there is nothing but a CPU");
    static final OptionSpec STRICT = OptionSpec.flag("strict", "exit with 4 if something could not be learned");

    private final boolean withHint;

    /// @param withHint whether to end with a line on what to try next
    DetectCommand(boolean withHint) {
        this.withHint = withHint;
    }

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "detect",
                "find the accelerators of this machine",
                "",
                0,
                List.of(),
                List.of(
                        DeviceOutput.FIELDS,
                        DeviceOutput.NO_HEADER,
                        DeviceOutput.NO_UNITS,
                        DeviceOutput.REFERENCE,
                        REQUIRE,
                        STRICT),
                List.of("3  no accelerator, with --require-accelerator", "4  a partial answer, with --strict"),
                List.of(
                        new Example("muster detect", "a table of the devices"),
                        new Example("muster detect --json > box.json", "save the registry of this machine"),
                        new Example("muster detect --registry box.json -o wide", "show a saved one, all columns"),
                        new Example("muster detect --reference", "the same in ai-hwaccel's form (schema 3)")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        DeviceOutput output = DeviceOutput.of(arguments, session.terminal());
        AcceleratorRegistry registry = session.loadRegistry(arguments);
        session.print(output.render(registry));
        if (output.isTable()) {
            session.print(Summary.of(registry, session.terminal()));
        }
        if (withHint && output.isTable()) {
            StringBuilder hint = new StringBuilder("\n");
            session.terminal()
                    .wrap(hint, "", 0, "Try 'muster detect -o wide', 'muster check --help' or 'muster help'.");
            session.print(hint.toString());
        }
        if (arguments.has(REQUIRE) && !registry.hasAccelerator()) {
            session.note("muster: no accelerator found, only a CPU");
            return ExitCode.NO_ACCELERATOR;
        }
        return arguments.has(STRICT) && isPartial(registry) ? ExitCode.PARTIAL : ExitCode.OK;
    }

    /// A source that failed, or a device whose memory nobody could tell.
    private static boolean isPartial(AcceleratorRegistry registry) {
        return !registry.gaps().isEmpty()
                || registry.profiles().stream()
                        .anyMatch(device -> !device.memory().isKnown());
    }
}
