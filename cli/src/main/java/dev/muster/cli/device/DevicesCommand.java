// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.option.RequirementGrammar;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.DeviceSelection;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.report.plan.DeviceCatalogueText;
import dev.muster.report.text.Printable;
import java.util.List;
import java.util.Optional;

/// `muster devices`: the devices that match.
public final class DevicesCommand implements Command {
    static final OptionSpec MIN_MEMORY = OptionSpec.value("min-memory", "SIZE", "minimum memory, such as 24GiB");
    static final OptionSpec DEVICE = OptionSpec.value(
            "device", "DEVICES", "only these devices: 0,2-3, cuda:1, a PCI address, part of a name, mig:ID");
    static final OptionSpec REQUIREMENT = OptionSpec.value(
            "requirement",
            "KIND",
            "only devices of this kind: gpu, tpu:CHIPS, gaudi, aws-neuron, gpu-or-tpu, any-accelerator");

    static final OptionSpec CATALOGUE =
            OptionSpec.flag("catalogue", "list the device catalogue: known devices, with names and sources");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("devices", "list devices that match a filter");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(DeviceOrder.FAMILY, DeviceOrder.SORT, MIN_MEMORY, DEVICE, REQUIREMENT, CATALOGUE)
                .with(DeviceOutput.FIELDS, DeviceOutput.COLUMNS)
                .with(DeviceOutput.NO_HEADER, DeviceOutput.NO_UNITS, DeviceOutput.REFERENCE)
                .printing(OutputFormat.OF_DEVICES)
                .exiting("1  no device matches")
                .example("muster devices --family gpu --min-memory 24GiB", "GPUs with at least 24 GiB")
                .example("muster devices --device cuda:0,cuda:2 -o name", "device ids for a script")
                .example("muster devices --requirement any-accelerator -o csv", "all devices except the CPU, as CSV")
                .example("muster devices --catalogue", "names for --synthetic, --add and compare");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.has(CATALOGUE)) {
            return printCatalogue(arguments, session);
        }
        DeviceOutput output = DeviceOutput.of(arguments, session.terminal());
        Optional<DeviceSelection> selection = arguments.read(DEVICE, DeviceSelection::parse);
        Optional<Bytes> memory = arguments.read(MIN_MEMORY, Bytes::parseWithUnit);
        Optional<AcceleratorRequirement> requirement =
                arguments.find(REQUIREMENT).map(RequirementGrammar::parse);

        AcceleratorRegistry registry = session.loadRegistry(arguments);
        List<AcceleratorProfile> found = DeviceOrder.apply(
                arguments,
                selection.map(wanted -> wanted.select(registry.profiles())).orElse(registry.profiles()));
        selection.ifPresent(wanted -> {
            wanted.findUnmatched(registry.profiles())
                    .forEach(item -> session.note("muster: no device matches '" + Printable.of(item) + "'"));
        });
        requirement.ifPresent(wanted -> found.removeIf(device -> !wanted.isSatisfiedBy(device)));
        memory.ifPresent(least -> found.removeIf(device -> !hasAtLeast(device, least)));

        if (found.isEmpty()) {
            session.note("muster: none of " + registry.profiles().size() + " devices matches");
        }
        if (!found.isEmpty() || !output.isTable()) {
            session.print(output.render(DeviceOrder.restrict(registry, found)));
        }
        return found.isEmpty() ? ExitCode.NO : ExitCode.OK;
    }

    private static int printCatalogue(Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "the catalogue is the same on every machine");
        DeviceCatalogueText catalogue =
                new DeviceCatalogueText(Catalogues.devices(arguments).entries());
        if (OutputFormat.of(arguments) == OutputFormat.NAME) {
            session.print(catalogue.names());
        } else {
            ReportPrinter.print(arguments, session, catalogue);
        }
        return ExitCode.OK;
    }

    private static boolean hasAtLeast(AcceleratorProfile device, Bytes least) {
        Reading<Bytes> memory = device.usableMemory();
        return memory.matches(bytes -> bytes.compareTo(least) >= 0);
    }
}
