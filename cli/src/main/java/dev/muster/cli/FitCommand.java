package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.FitText;
import dev.muster.core.Reading;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.memory.PublishedFormat;
import dev.muster.plan.search.FormatFit;
import dev.muster.plan.search.LargestFit;
import dev.muster.plan.search.ServingRequest;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.search.ServingSoftware;
import dev.muster.plan.time.CoefficientTable;
import java.util.ArrayList;
import java.util.List;

/// `muster fit`: how much context and how many sequences of a model fit on the devices, or which models
/// do.
final class FitCommand implements Command {
    private static final List<String> FORMATS = List.of("bf16", "fp8", "int4");
    private static final List<String> GGUF_FORMATS = List.of("f16", "q8_0", "q6_k", "q4_k_m", "q3_k_m");

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "fit",
                "say how much of a model fits, or which models do",
                "[" + ModelArgument.OPERAND + "]",
                1,
                List.of(),
                List.of(
                        ServingPlanning.CONTEXT,
                        ServingPlanning.CONCURRENCY,
                        ServingPlanning.FORMAT,
                        ServingPlanning.ENGINE,
                        HostNetwork.HOSTS,
                        Catalogues.MODELS,
                        Catalogues.DEVICES),
                List.of("1  nothing fits"),
                List.of(
                        new Example("muster fit llama-3.1-70b", "the longest context and the most sequences, here"),
                        new Example(
                                "muster fit qwen3-32b --engine llama.cpp --synthetic rtx-4090:2",
                                "in the formats of GGUF, on a made-up machine"),
                        new Example("muster fit", "which models run here, as 'muster models --fit'")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.of(arguments);
        if (arguments.operands().isEmpty()) {
            CommonOptions.refuse(
                    arguments,
                    List.of(
                            ServingPlanning.CONTEXT,
                            ServingPlanning.CONCURRENCY,
                            ServingPlanning.FORMAT,
                            ServingPlanning.ENGINE,
                            HostNetwork.HOSTS),
                    "without a model, fit lists those that run");
            return ModelsCommand.printFitting(
                    Catalogues.models(arguments).entries(), session.loadRegistry(arguments), session, format);
        }
        ModelSummary model =
                ModelArgument.resolve(ModelArgument.require(arguments, "fit"), Catalogues.models(arguments));
        ServingRequest request = ServingPlanning.request(arguments, model);
        List<FormatFit> fits = fits(arguments, session, request, model.name());
        FitText text = new FitText(model, request, fits);
        session.print(
                switch (format) {
                    case JSON, YAML -> Report.of(text.json(), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> text.text(session.terminal());
                });
        return fits.stream().anyMatch(FormatFit::isAny) ? ExitCode.OK : ExitCode.NO;
    }

    private static List<FormatFit> fits(Arguments arguments, Session session, ServingRequest request, String model) {
        DeviceCatalogue devices = Catalogues.devices(arguments);
        LargestFit largest = LargestFit.of(ServingSearch.of(CoefficientTable.builtIn()));
        List<FormatFit> fits = new ArrayList<>();
        for (ServingDevices.Served served : ServingDevices.listAll(
                session.loadRegistry(arguments),
                devices,
                ServingPlanning.engine(arguments, request),
                MeasuredHere.load(arguments, session),
                HostNetwork.hosts(arguments),
                session)) {
            for (String format : formats(arguments, request, served, session)) {
                switch (largest.find(request.withFormat(format), served.pool(), served.software())) {
                    case Reading.Known<FormatFit>(FormatFit fit, var _) -> fits.add(fit);
                    case Reading.Unknown<FormatFit>(var _, String detail) ->
                        throw ServingPlanning.cannotPlan(request, model, detail);
                }
            }
        }
        if (fits.isEmpty()) {
            throw ServingPlanning.cannotPlan(request, model, "no engine was measured on these devices");
        }
        return fits;
    }

    /// The published format first, where it can be used.
    private static List<String> formats(
            Arguments arguments, ServingRequest request, ServingDevices.Served served, Session session) {
        if (arguments.has(ServingPlanning.FORMAT)) {
            return ServingPlanning.formats(request.format());
        }
        List<String> formats = new ArrayList<>(served.software() == ServingSoftware.LLAMA_CPP ? GGUF_FORMATS : FORMATS);
        String published =
                ServingPlanning.usable(arguments, request, served, session).format();
        if (PublishedFormat.is(published, request.architecture())) {
            formats.remove(published);
            formats.addFirst(published);
        }
        return formats;
    }
}
