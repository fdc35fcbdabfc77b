// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.model.PlanException;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelName;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A deployment, to which the correction by a run belongs: model, device, engine, format and degrees.
///
/// @param model the model's id in the catalogue
/// @param device the device's id in the catalogue
/// @param family its family
/// @param engine the engine's label, or that of a training framework
/// @param format the weight format's label, or the precision of a training
/// @param tensor tensor parallel degree
/// @param stages pipeline parallel degree; devices that share layers under llama.cpp
public record Deployment(
        String model, String device, DeviceFamily family, String engine, String format, int tensor, int stages) {
    private static final String LLAMA_CPP = "llama.cpp";
    private static final int MOST_DEVICES = 1 << 20;

    /// The names of facts that a caller can state for files that lack them.
    private static final Map<Fact, String> NAMES = Map.ofEntries(
            Map.entry(Fact.MODEL, "the model"),
            Map.entry(Fact.DEVICE, "the device"),
            Map.entry(Fact.DEVICES, "the number of devices"),
            Map.entry(Fact.ENGINE, "the engine"),
            Map.entry(Fact.TP, "the tensor parallel degree"),
            Map.entry(Fact.WEIGHT_FORMAT, "the weight format"),
            Map.entry(Fact.CONCURRENCY, "the number of concurrent requests"),
            Map.entry(Fact.INPUT_TOKENS, "the tokens of a prompt"),
            Map.entry(Fact.OUTPUT_TOKENS, "the tokens of an answer"),
            Map.entry(Fact.SEQUENCE_LENGTH, "the tokens of a sequence"));

    /// A deployment, or a sentence about what is missing or unknown.
    ///
    /// @param deployment the deployment; empty if it is not known
    /// @param problem the problem, as text; blank if there is none
    /// @param missing the facts with which there would be none
    public record Found(Optional<Deployment> deployment, String problem, List<Fact> missing) {}

    public static Found of(MeasuredRun run, ModelCatalogue models, DeviceCatalogue devices) {
        List<Fact> missing = missing(run);
        if (!missing.isEmpty()) {
            return problem(
                    "the file does not say "
                            + String.join(
                                    ", ",
                                    missing.stream().map(Deployment::asked).toList()),
                    missing);
        }
        if (run.find(Fact.DISAGGREGATED).isPresent()) {
            return problem("prefill and decode ran on separate servers, which is not predicted yet", List.of());
        }
        Optional<ModelName> model = ModelName.resolve(run.find(Fact.MODEL).orElse(""), models);
        if (model.isEmpty()) {
            return problem(
                    "the catalogue has no model '" + run.find(Fact.MODEL).orElse("")
                            + "'; name one of the same architecture",
                    List.of(Fact.MODEL));
        }
        Optional<DeviceEntry> device = device(run.find(Fact.DEVICE).orElse(""), devices);
        if (device.isEmpty()) {
            return problem(
                    "the catalogue has no device, or several, with the name '"
                            + run.find(Fact.DEVICE).orElse("") + "'; give the name of one",
                    List.of(Fact.DEVICE));
        }
        if (run.isTraining()) {
            return new Found(Optional.of(ofTraining(run, model.get(), device.get())), "", List.of());
        }
        Optional<WeightFormat> format = format(run, model.get());
        if (format.isEmpty()) {
            return problem(
                    "the weight format '" + run.find(Fact.WEIGHT_FORMAT).orElse("") + "' is unknown; give one",
                    List.of(Fact.WEIGHT_FORMAT));
        }
        return new Found(
                Optional.of(new Deployment(
                        model.get().entry().id(),
                        device.get().id(),
                        DeviceFigures.of(device.get()).family(),
                        run.find(Fact.ENGINE).orElse(""),
                        format.get().label(),
                        isLlamaCpp(run) ? 1 : degree(run, Fact.TP),
                        isLlamaCpp(run) ? degree(run, Fact.DEVICES) : degree(run, Fact.PP))),
                "",
                List.of());
    }

    private static Deployment ofTraining(MeasuredRun run, ModelName model, DeviceEntry device) {
        return new Deployment(
                model.entry().id(),
                device.id(),
                DeviceFigures.of(device).family(),
                run.find(Fact.ENGINE).orElse(""),
                run.find(Fact.PRECISION).orElse("bf16"),
                degree(run, Fact.TP),
                degree(run, Fact.PP));
    }

    private static Found problem(String sentence, List<Fact> missing) {
        return new Found(Optional.empty(), sentence, missing);
    }

    private static String asked(Fact fact) {
        return NAMES.getOrDefault(fact, fact.text());
    }

    private static List<Fact> missing(MeasuredRun run) {
        List<Fact> missing = new ArrayList<>();
        require(run, Fact.MODEL, missing);
        require(run, Fact.DEVICE, missing);
        require(run, Fact.ENGINE, missing);
        if (run.isTraining()) {
            require(run, Fact.DEVICES, missing);
            require(run, Fact.SEQUENCE_LENGTH, missing);
            return missing;
        }
        boolean isOne = degree(run, Fact.DEVICES) == 1 && run.find(Fact.DEVICES).isPresent();
        if (!isLlamaCpp(run) && !isOne) {
            require(run, Fact.TP, missing);
        }
        boolean isPart = run.findUsual(Metric.PREFILL_RATE).isPresent()
                || run.findUsual(Metric.DECODE_RATE).isPresent();
        if (!isPart) {
            require(run, Fact.INPUT_TOKENS, missing);
            require(run, Fact.OUTPUT_TOKENS, missing);
        }
        boolean isCounted =
                run.load().map(load -> load == Load.BURST || load == Load.RATE).orElse(false);
        if (!isCounted) {
            require(run, Fact.CONCURRENCY, missing);
        }
        return missing;
    }

    private static void require(MeasuredRun run, Fact fact, List<Fact> missing) {
        if (run.find(fact).isEmpty()) {
            missing.add(fact);
        }
    }

    static boolean isLlamaCpp(MeasuredRun run) {
        return run.find(Fact.ENGINE).orElse("").equals(LLAMA_CPP);
    }

    /// Returns a degree; 1 if the file does not state it.
    static int degree(MeasuredRun run, Fact fact) {
        double number = run.findNumber(fact).orElse(1);
        return (int) Math.clamp(Math.rint(number), 1, MOST_DEVICES);
    }

    /// Returns the device by its own name, or without the maker's name and additions of drivers and schedulers.
    private static Optional<DeviceEntry> device(String name, DeviceCatalogue devices) {
        try {
            Optional<DeviceEntry> known = devices.find(name);
            String plain = name.toLowerCase(Locale.ROOT)
                    .replaceFirst("^(nvidia|amd|intel)[ -]", "")
                    .replaceFirst("[ -][0-9]+ ?gb( hbm.*)?$", "");
            return known.isPresent() ? known : devices.find(plain);
        } catch (PlanException _) {
            return Optional.empty();
        }
    }

    private static Optional<WeightFormat> format(MeasuredRun run, ModelName model) {
        Optional<String> said = run.find(Fact.WEIGHT_FORMAT);
        if (said.isPresent()) {
            return WeightFormat.find(said.get());
        }
        return model.findFormat().or(() -> Optional.of(StandardFormat.BF16));
    }
}
