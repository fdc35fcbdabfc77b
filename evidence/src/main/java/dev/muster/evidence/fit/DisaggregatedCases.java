// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.fit.DisaggregatedLaunch.Side;
import dev.muster.evidence.fit.DisaggregatedLaunch.Wanted;
import dev.muster.evidence.fit.DisaggregatedRun.Figure;
import dev.muster.evidence.fit.InferenceCases.KnownWeights;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.WeightParts;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Rows of runs with disaggregated prefill and decode, in the columns of aiconfigurator. They are predicted, and no
/// fit sees them. Confined to one thread.
final class DisaggregatedCases {
    private static final Map<String, String> ENGINES =
            Map.of("trtllm", "tensorrt-llm", "sglang", "sglang", "vllm", "vllm");
    private static final Pattern USERS = Pattern.compile("silicon_concurrency=(\\d{1,7})");
    private static final Pattern DAY = Pattern.compile("measured=(\\d{4}-\\d{2}-\\d{2})");

    private final MeasuredCases.Builder cases;
    private final Set<String> seen = new HashSet<>();

    DisaggregatedCases(MeasuredCases.Builder cases) {
        this.cases = cases;
    }

    void add(TruthRow row) {
        String id = row.text("id");
        String engine = ENGINES.getOrDefault(row.text("backend"), "");
        Optional<ModelEntry> model = cases.models().find(row.text("model_path"));
        Optional<DeviceFigures> device = cases.findDevice(id, row.text("system").replace('_', '-'));
        if (engine.isEmpty() || model.isEmpty()) {
            cases.refuse(id, "unknown engine or model: " + row.text("backend") + ", " + row.text("model_path"));
        } else if (device.isPresent()) {
            Wanted wanted = wanted(row, engine, model.get().id(), device.get().id());
            if (!seen.add(wanted.engine() + row.text("silicon_ttft_ms") + "|" + row.text("silicon_tpot_ms"))) {
                cases.doubt(id, "another row is the same run");
            } else {
                findLaunch(id, wanted).ifPresent(launch -> add(row, wanted, launch, model.get(), device.get()));
            }
        }
    }

    private static Wanted wanted(TruthRow row, String engine, String model, String device) {
        return new Wanted(
                engine,
                model,
                row.text("precision"),
                device,
                row.degree("isl"),
                row.degree("osl"),
                Integer.parseInt(find(USERS, row).orElse("0")),
                find(DAY, row).orElse(""),
                side(row, "prefill"),
                side(row, "decode"));
    }

    private static Optional<String> find(Pattern pattern, TruthRow row) {
        Matcher matcher = pattern.matcher(row.text("silicon_data_source"));
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Side side(TruthRow row, String side) {
        return new Side(
                row.count(side + "_num_workers"),
                new Parallelism(
                        row.degree(side + "_tp_size"),
                        row.degree(side + "_pp_size"),
                        row.degree(side + "_moe_ep_size"),
                        row.degree(side + "_attention_dp_size")),
                0,
                0);
    }

    /// Returns the launch of a row: from the scripts of its benchmark, or else from its own columns.
    private Optional<DisaggregatedLaunch> findLaunch(String id, Wanted wanted) {
        List<DisaggregatedLaunch> launches = wanted.users() == 0 ? List.of() : DisaggregatedLaunch.list(wanted);
        if (wanted.users() == 0) {
            cases.doubt(id, "the row does not state the number of users");
        } else if (launches.size() > 1) {
            cases.doubt(id, "the row may be of several launches, which differ in workers or in draft tokens");
        } else if (launches.size() == 1) {
            return Optional.of(launches.getFirst());
        } else if (wanted.isCounted()) {
            return Optional.of(new DisaggregatedLaunch(wanted.prefill(), wanted.decode(), 0, true));
        } else {
            cases.doubt(id, "the row does not state the number of workers, and no matching launch is known");
        }
        return Optional.empty();
    }

    private void add(TruthRow row, Wanted wanted, DisaggregatedLaunch launch, ModelEntry model, DeviceFigures device) {
        WeightFormat format = format(wanted);
        Optional<ModelShape> shape = ModelShape.of(model.architecture());
        Optional<WeightParts> parts = StoredWeights.of(model.architecture(), format)
                .map(WeightParts::of)
                .find();
        if (shape.isEmpty() || parts.isEmpty()) {
            cases.refuse(row.text("id"), "the weights of '" + model.id() + "' as " + format.label() + " are not known");
            return;
        }
        ServingProfile profile =
                new ServingProfile(wanted.engine(), "", ServingProfile.multiplied(format, shape.get()), device);
        DisaggregatedRun run =
                DisaggregatedRun.of(new KnownWeights(shape.get(), parts.get()), device, profile, launch, wanted);
        String group = "disaggregated/" + model.id().replace("deepseek-r1", "deepseek-v3") + "/" + device.id();
        for (Figure figure : Figure.values()) {
            String column = figure == Figure.TTFT ? "silicon_ttft_ms" : "silicon_tpot_ms";
            cases.add(new MeasuredCase(
                    row.text("id") + "/" + figure.measuredClass().label(),
                    group,
                    figure.measuredClass(),
                    wanted.engine(),
                    1e-3 * row.number(column),
                    0,
                    run.prediction(figure)));
        }
    }

    /// Returns the weight format; `fp4` means the published one: MXFP4 for models published so.
    private static WeightFormat format(Wanted wanted) {
        boolean isOwn = wanted.model().startsWith("gpt-oss");
        return switch (wanted.format()) {
            case "fp4" -> isOwn ? StandardFormat.MXFP4 : StandardFormat.NVFP4;
            case "fp8" -> StandardFormat.FP8;
            default -> StandardFormat.BF16;
        };
    }
}
