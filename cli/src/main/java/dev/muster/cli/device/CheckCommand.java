// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.Numbers;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.RequirementGrammar;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.Finding;
import dev.muster.core.LinkKind;
import dev.muster.core.Preflight;
import dev.muster.core.unit.Bytes;
import dev.muster.report.host.CheckText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// `muster check`: may work be sent here? For prologues of schedulers, init containers and scripts.
public final class CheckCommand implements Command {
    static final OptionSpec REQUIREMENT = OptionSpec.value(
            "requirement",
            "KIND",
            "kind of each device: gpu, tpu:CHIPS, gaudi, aws-neuron, gpu-or-tpu or none (default: "
                    + "any-accelerator)");
    static final OptionSpec COUNT = OptionSpec.value("count", "N", "number of devices (default: 1)");
    static final OptionSpec MIN_MEMORY =
            OptionSpec.value("min-memory", "SIZE", "minimum memory of each device, such as 70GiB");
    static final OptionSpec MIN_FREE = OptionSpec.value("min-free", "SIZE", "minimum free memory of each device");
    static final OptionSpec TOTAL_MEMORY =
            OptionSpec.value("total-memory", "SIZE", "minimum memory of the devices together");
    static final OptionSpec LINK = OptionSpec.choice(
            "link", "KIND", linkNames(), "interconnect that must connect the devices, such as nvlink");
    /// The requirements of a host.
    public static final List<OptionSpec> CONDITIONS =
            List.of(REQUIREMENT, COUNT, MIN_MEMORY, MIN_FREE, TOTAL_MEMORY, LINK);

    private static final int MAX_COUNT = 999_999;

    private static List<String> linkNames() {
        List<String> names = new ArrayList<>();
        for (LinkKind kind : LinkKind.values()) {
            if (kind.isDeviceFabric()) {
                names.add(kind.text());
            }
        }
        return names;
    }

    @Override
    public CommandTitle title() {
        return CommandTitle.of("check", "check that this machine meets a requirement")
                .recordedBy("check", "check --host HOST");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(REQUIREMENT, COUNT, MIN_MEMORY, MIN_FREE, TOTAL_MEMORY, LINK, PlannerOptions.DEVICES)
                .exiting("0  all conditions hold", "1  a condition does not hold; the reasons are printed")
                .example("muster check", "is there any accelerator?")
                .example(
                        "muster check --requirement gpu --count 8 --min-memory 70GiB --link nvlink",
                        "eight GPUs of at least 70 GiB, connected by NVLink?")
                .example("muster check --add h100-sxm:8 --count 8", "would eight more H100s be enough?");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        Preflight preflight = preflight(arguments);
        AcceleratorRegistry registry = session.loadRegistry(arguments);
        return print(arguments, session, preflight.examine(registry, PlannerOptions.choice(arguments, registry)));
    }

    /// Prints findings, and returns the exit code: whether all passed.
    static int print(Arguments arguments, Session session, List<Finding> findings) {
        CheckText report = new CheckText(findings);
        ReportPrinter.print(arguments, session, report);
        return report.passed() ? ExitCode.OK : ExitCode.NO;
    }

    /// Returns the requirements in the options.
    public static Preflight preflight(Arguments arguments) {
        return new Preflight(
                arguments
                        .find(REQUIREMENT)
                        .map(RequirementGrammar::parse)
                        .orElse(AcceleratorRequirement.ANY_ACCELERATOR),
                count(arguments),
                size(arguments, MIN_MEMORY),
                size(arguments, MIN_FREE),
                size(arguments, TOTAL_MEMORY),
                arguments
                        .choose(LINK, LinkKind.values(), LinkKind::text)
                        .map(Set::of)
                        .orElse(Set.of()));
    }

    private static Bytes size(Arguments arguments, OptionSpec option) {
        return arguments.read(option, Bytes::parseWithUnit).orElse(Bytes.ZERO);
    }

    private static int count(Arguments arguments) {
        String text = arguments.find(COUNT).orElse("1");
        int count = Numbers.digits(text, Integer.toString(MAX_COUNT).length());
        if (count < 0) {
            throw COUNT.isNot("an integer from 0 to " + MAX_COUNT, text);
        }
        return count;
    }
}
