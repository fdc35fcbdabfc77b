// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.aws;

import dev.muster.core.Gap;
import dev.muster.core.NeuronChip;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.DeviceSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Finds AWS Inferentia and Trainium devices.
public final class NeuronProbe implements DeviceSearch {

    static final Tool NEURON_LS = Tool.of("neuron-ls", "/opt/aws/neuron/bin");
    static final String DRIVER_FOLDER = "/sys/devices/virtual/neuron_device";

    private static final String LABEL = "aws-neuron";
    private static final String NODE = "neuron";
    /// `--json-output` ends with Neuron 2.34, which has `--output-format json` instead; the first tools had neither.
    private static final String[][] QUESTIONS = {{"--json-output"}, {"--output-format", "json"}, {}};

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.pci().has(NeuronProbe::isNeuron)
                || context.hasNode(NODE)
                || context.files().exists(DRIVER_FOLDER)
                || context.isInstalled(NEURON_LS);
    }

    private static boolean isNeuron(PciDevice device) {
        return device.vendor() == NeuronChips.VENDOR
                && NeuronChips.find(device.device()).isPresent();
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        Optional<NeuronLsParser.Listing> listing = ask(context, report);
        List<PciDevice> bus =
                context.pci().devices().stream().filter(NeuronProbe::isNeuron).toList();
        String model = listing.map(NeuronLsParser.Listing::model).orElse("");
        Reading<NeuronChip> named = chipOf(context, report, model, bus);
        Reading<NeuronChip> chip = named.isKnown()
                ? named
                : listing.flatMap(NeuronChips::find)
                        .map(found -> Reading.known(
                                found,
                                Provenance.of(
                                        NEURON_LS.name(), Provenance.Method.DERIVED, Provenance.Confidence.STATED)))
                        .orElse(named);
        NeuronDevices devices = new NeuronDevices(context, report, bus, chip);
        listing.ifPresent(devices::add);
        devices.addNodes(nodes(context));
        devices.finish();
        return report.build();
    }

    private static Optional<NeuronLsParser.Listing> ask(ProbeContext context, ProbeReport.ReportBuilder report) {
        List<Gap> failures = new ArrayList<>();
        for (String[] question : QUESTIONS) {
            CommandOutcome outcome = context.run(NEURON_LS, question);
            outcome.findGap(NEURON_LS.name()).ifPresent(failures::add);
            if (!(outcome instanceof CommandOutcome.Completed completed)) {
                break;
            }
            if (completed.exitCode() == 0) {
                Optional<NeuronLsParser.Listing> listing =
                        NeuronLsParser.parse(completed.output(), context.fromTool(NEURON_LS));
                if (listing.isEmpty()) {
                    report.add(new Gap.Unparsable(LABEL, "neuron-ls JSON output could not be parsed"));
                }
                return listing;
            }
        }
        // The first failure is the tool's own; the others may only say that a tool knows no such option.
        failures.stream().findFirst().ifPresent(report::add);
        return Optional.empty();
    }

    /// The chip by the first evidence there is: the tool, the driver, the bus, the machine's own name.
    ///
    /// @param model the model by the tool; blank if the tool does not report it
    private static Reading<NeuronChip> chipOf(
            ProbeContext context, ProbeReport.ReportBuilder report, String model, List<PciDevice> bus) {
        Optional<NeuronChip> told = NeuronChips.find(model);
        if (told.isPresent()) {
            return Reading.known(told.get(), context.fromTool(NEURON_LS));
        }
        AttributeFolder driver = context.folder(DRIVER_FOLDER + "/neuron0/info/architecture", report::add);
        for (String name : List.of("device_name", "instance_type")) {
            Reading<NeuronChip> chip = driver.reading(name, NeuronChips::find);
            if (chip.isKnown()) {
                return chip;
            }
        }
        if (!bus.isEmpty()) {
            PciDevice first = bus.getFirst();
            return Reading.known(
                    NeuronChips.find(first.device()).orElseThrow(), context.fromFile(first.folder() + "/uevent"));
        }
        return context.folder("/sys/devices/virtual/dmi/id", report::add).reading("product_name", NeuronChips::find);
    }

    private static Set<Long> nodes(ProbeContext context) {
        Set<Long> numbers = new TreeSet<>();
        List<String> names = new ArrayList<>(context.files().numbered(DRIVER_FOLDER, NODE));
        names.addAll(context.files().numbered("/dev", NODE));
        for (String name : names) {
            Amount.numbered(name, NODE, NeuronLsParser.MAX_DEVICES).ifPresent(numbers::add);
        }
        return numbers;
    }
}
