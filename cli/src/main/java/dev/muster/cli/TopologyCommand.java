package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.topology.MatrixText;
import dev.muster.cli.topology.TopologyPicture;
import dev.muster.cli.topology.TreeText;
import dev.muster.core.AcceleratorRegistry;
import java.util.List;

/// `muster topology`: who is near whom, and over what.
final class TopologyCommand implements Command {
    static final OptionSpec TREE = OptionSpec.flag("tree", "a tree of host, NUMA nodes, bridges and devices");
    static final OptionSpec SVG = OptionSpec.value("svg", "FILE", "write a picture of the machine; - writes to stdout");

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "topology",
                "show how devices are joined",
                "",
                0,
                List.of(),
                List.of(TREE, SVG),
                List.of(),
                List.of(
                        new Example("muster topology", "a matrix: NVLink, PCIe switches, NUMA nodes"),
                        new Example("muster topology --tree", "the same as a tree"),
                        new Example("muster topology --svg box.svg", "a picture, for a browser or a page"),
                        new Example(
                                "muster topology --synthetic '2x[h100-sxm:8 nvswitch ib:8x400]'",
                                "two hosts that nobody has here")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.ofReport(arguments);
        if (arguments.has(TREE) && arguments.has(SVG)) {
            throw new UsageException("give either --tree or --svg, not both");
        }
        boolean document = format == OutputFormat.JSON || format == OutputFormat.YAML;
        if (document && (arguments.has(TREE) || arguments.has(SVG))) {
            throw new UsageException(
                    "--" + (arguments.has(TREE) ? "tree" : "svg") + " is for people; leave out " + "--output");
        }
        AcceleratorRegistry registry = session.loadRegistry(arguments);
        if (arguments.has(SVG)) {
            PictureFile.write(arguments.find(SVG).orElseThrow(), TopologyPicture.of(registry), session);
        } else if (document) {
            session.print(Report.of(MatrixText.json(registry), format, session.terminal()));
        } else {
            session.print(
                    arguments.has(TREE)
                            ? TreeText.of(registry, session.terminal())
                            : MatrixText.of(registry, session.terminal()));
        }
        return ExitCode.OK;
    }
}
