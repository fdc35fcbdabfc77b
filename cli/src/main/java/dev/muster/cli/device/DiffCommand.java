// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.RegistryDifference;
import dev.muster.report.host.DifferenceText;
import java.util.List;

/// `muster diff`: what changed between two registries.
public final class DiffCommand implements Command {
    static final OptionSpec ALL =
            OptionSpec.flag("all", "also compare volatile facts, such as temperature and free memory");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("diff", "compare two registries");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(2, "A [B]")
                .with(ALL)
                .exiting("0  no differences", "1  differences were found")
                .example("muster diff before.json after.json", "two saved registries")
                .example("muster diff before.json", "a saved registry and this machine")
                .example("muster diff box.json --registry box.json --remove cuda:0", "the effect of losing a device");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        List<String> files = arguments.operands();
        if (files.isEmpty()) {
            throw new UsageException("diff needs a registry file to start from: muster diff A [B]");
        }
        if (files.size() > 1 && arguments.has(CommonOptions.REGISTRY)) {
            throw new UsageException("diff compares A with B or with --registry, not with both");
        }
        if (files.size() > 1) {
            arguments.refuse(CommonOptions.WHAT_IF, "diff compares A and B as they are");
        }
        AcceleratorRegistry before = session.readRegistry(files.getFirst());
        AcceleratorRegistry after =
                files.size() > 1 ? session.readRegistry(files.get(1)) : session.loadRegistry(arguments);
        RegistryDifference difference = arguments.has(ALL)
                ? RegistryDifference.between(before, after, _ -> true)
                : RegistryDifference.between(before, after);
        ReportPrinter.print(arguments, session, new DifferenceText(difference));
        return difference.isEmpty() ? ExitCode.OK : ExitCode.NO;
    }
}
