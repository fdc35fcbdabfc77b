// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.ask.PlanPictureOption;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.TopologySummary;
import dev.muster.report.text.Printable;
import dev.muster.report.topology.MatrixText;
import dev.muster.report.topology.TopologyPicture;
import dev.muster.report.topology.TreeText;

/// `muster topology`: who is near whom, and over what.
public final class TopologyCommand implements Command {
    static final OptionSpec TREE = OptionSpec.flag("tree", "show a tree of host, NUMA nodes, bridges and devices");
    static final OptionSpec SVG =
            OptionSpec.value("svg", "FILE", "write an SVG picture of the machine to FILE (- for stdout)");
    static final OptionSpec WITHIN =
            OptionSpec.value("within", "HOST", "only this host: its name, or one of its devices");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("topology", "show how devices are connected")
                .recordedBy("topology --synthetic 2x[h100-sxm:8]", "topology", "topology --host HOST");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(TREE, SVG, WITHIN)
                .example("muster topology", "a matrix of NVLink, PCIe switches and NUMA nodes")
                .example("muster topology --tree", "the same as a tree")
                .example("muster topology --svg box.svg", "a picture for a browser or a document")
                .example("muster topology --synthetic '2x[h100-sxm:8 nvswitch ib:8x400]'", "two synthetic hosts");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.has(TREE) && arguments.has(SVG)) {
            throw new UsageException("give either --tree or --svg, not both");
        }
        if (OutputFormat.of(arguments).isDocument() && (arguments.has(TREE) || arguments.has(SVG))) {
            throw new UsageException(
                    "--" + (arguments.has(TREE) ? "tree" : "svg") + " is for people; leave out " + "--output");
        }
        AcceleratorRegistry all = session.loadRegistry(arguments);
        AcceleratorRegistry registry =
                arguments.find(WITHIN).map(name -> within(all, name)).orElse(all);
        if (arguments.has(SVG)) {
            int devices = registry.profiles().size();
            if (devices > TopologySummary.MOST_DRAWN) {
                throw new CommandException("a picture of " + devices + " devices would not be readable (at most "
                        + TopologySummary.MOST_DRAWN + "); draw one host with --within HOST");
            }
            PlanPictureOption.write(arguments.find(SVG).orElseThrow(), TopologyPicture.of(registry), session);
        } else {
            ReportPrinter.print(
                    arguments,
                    session,
                    () -> MatrixText.json(registry),
                    terminal ->
                            arguments.has(TREE) ? TreeText.of(registry, terminal) : MatrixText.of(registry, terminal));
        }
        return ExitCode.OK;
    }

    private static AcceleratorRegistry within(AcceleratorRegistry all, String name) {
        return TopologySummary.findHost(all, name)
                .orElseThrow(() -> new CommandException(
                        "--within: unknown host or device '" + Printable.of(name) + "'; see 'muster topology --tree'"));
    }
}
