package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.CompareText;
import dev.muster.cli.model.PlansText;
import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.search.SearchBreadth;
import dev.muster.plan.search.ServingRequest;
import dev.muster.plan.search.ServingSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `muster compare`: a model on two machines, or two saved plans, side by side.
final class CompareCommand implements Command {
    private static final String OTHERWISE = "name a model after two machines";

    private static final int OPERANDS = 3;
    /// Operands where two saved plans are compared.
    private static final int PLANS = 2;

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "compare",
                "compare machines for a model, or two plans",
                "A B [" + ModelArgument.OPERAND + "]",
                OPERANDS,
                List.of(),
                options(),
                List.of("1  the model does not fit on both"),
                List.of(
                        new Example(
                                "muster compare here h200-sxm:8 llama-3.1-70b", "this machine and one that is made up"),
                        new Example(
                                "muster compare old.json new.json qwen3-32b --concurrency 64",
                                "two saved registries, for many users"),
                        new Example("muster compare before.json after.json", "two plans that were saved with --json"),
                        new Example(
                                "muster compare l40s:4 h100-sxm:1 qwen3-32b --quant fp8 --goal cost",
                                "which is cheaper per token")));
    }

    private static List<OptionSpec> options() {
        List<OptionSpec> options = new ArrayList<>(ServingPlanning.OPTIONS);
        // By name: the equals of a record takes 9 ms at every start that meets this (docs/decisions/0004).
        List<String> without = List.of(ServingPlanning.PARETO.name(), ServingPlanning.EXPLAIN.name());
        options.removeIf(option -> without.contains(option.name()));
        options.addAll(List.of(ServingPlanning.FORMAT, Catalogues.MODELS, Catalogues.DEVICES));
        return options;
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.ofReport(arguments);
        CommonOptions.refuse(
                arguments,
                List.of(CommonOptions.REGISTRY, CommonOptions.HOST),
                "compare takes its machines as A and B");
        CommonOptions.refuse(arguments, CommonOptions.WHAT_IF, "compare takes its machines as A and B");
        List<String> operands = arguments.operands();
        if (operands.size() == PLANS) {
            return comparePlans(arguments, session, format);
        }
        if (operands.size() < PLANS) {
            throw new UsageException("compare needs two machines and a model, or two saved plans: muster compare"
                    + " h100-sxm:8 h200-sxm:8 llama-3.1-70b");
        }
        ModelSummary model = ModelArgument.resolve(operands.getLast(), Catalogues.models(arguments));
        ServingRequest request = ServingPlanning.request(arguments, model);
        CompareText text = new CompareText(
                model,
                request,
                side(operands.getFirst(), arguments, session, request, model.name()),
                side(operands.get(1), arguments, session, request, model.name()));
        session.print(
                switch (format) {
                    case JSON, YAML -> Report.of(text.json(), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> text.text(session.terminal());
                });
        return text.fitsOnBoth() ? ExitCode.OK : ExitCode.NO;
    }

    private static int comparePlans(Arguments arguments, Session session, OutputFormat format) {
        CommonOptions.refuse(arguments, options(), "saved plans are compared as they are");
        List<String> files = arguments.operands();
        PlansText text =
                new PlansText(PlanFile.read(files.getFirst(), OTHERWISE), PlanFile.read(files.getLast(), OTHERWISE));
        session.print(
                switch (format) {
                    case JSON, YAML -> Report.of(text.json(), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> text.text(session.terminal());
                });
        return ExitCode.OK;
    }

    private static CompareText.Side side(
            String machine, Arguments arguments, Session session, ServingRequest request, String model) {
        DeviceCatalogue devices = Catalogues.devices(arguments);
        ServingSearch search = ServingPlanning.search(arguments, devices);
        Optional<CalibrationDocument> measured =
                machine.equals(MachineArgument.HERE) ? MeasuredHere.load(arguments, session) : Optional.empty();
        AcceleratorRegistry registry = MachineArgument.resolve(machine, devices, session);
        try {
            List<ServingDevices.Served> served = ServingDevices.listAll(
                    registry, devices, ServingPlanning.engine(arguments, request), measured, 1, session);
            ServingPlanning.Chosen chosen =
                    ServingPlanning.plan(arguments, request, served, search, SearchBreadth.GOAL, model, session);
            return new CompareText.Side(machine, chosen.request(), chosen.answer());
        } catch (CommandException e) {
            throw new CommandException("'" + Printable.of(machine) + "': " + e.getMessage());
        }
    }
}
