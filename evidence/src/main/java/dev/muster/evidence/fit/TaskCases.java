// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.ModelKind;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.serving.TaskEngine;
import dev.muster.plan.serving.TaskRequest;
import dev.muster.plan.time.TaskModel;
import dev.muster.plan.time.TaskModel.TokenLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Rows of models that do not chat: encoders of text and images, speech, images and videos.
final class TaskCases {
    private static final String DEVICES = "edge-devices.csv";
    private static final Provenance STATED =
            Provenance.of(DEVICES, Provenance.Method.CATALOGUE, Provenance.Confidence.STATED);
    private static final Pattern SIZE = Pattern.compile("(\\d+)x(\\d+)");
    private static final Pattern FRAMES = Pattern.compile("(\\d+) frames");
    private static final Pattern STEPS = Pattern.compile("(\\d+) denoising steps");
    private static final Pattern SHARING = Pattern.compile("Ulysses (\\d+) x ring (\\d+)");
    private static final Pattern COMPONENT = Pattern.compile("component (\\w[\\w-]*),");
    /// Tokens of the texts of encoders on phones, which rows do not state: those that Qualcomm's models are compiled
    /// for.
    private static final int PHONE_TOKENS = 384;
    /// Models that are compiled for texts of other lengths.
    private static final Map<String, Integer> COMPILED = Map.of("nomic-embed-text", 128);
    /// Models whose rows are for an image and a text together.
    private static final Set<String> BOTH = Set.of("openai-clip");
    /// Tokens of the texts of OpenVINO's throughput table.
    private static final int GRAPH_TOKENS = 128;
    /// Texts and images on the way at once where a row gives throughput and no batch.
    private static final int STREAMS = 4;
    /// Steps of OpenVINO's images, which its table does not state.
    private static final int GRAPH_STEPS = 20;

    private static final Map<String, TaskEngine> ENGINES = Map.of(
            "xdit", TaskEngine.DIFFUSERS,
            "neuronx", TaskEngine.NEURONX,
            "openvino", TaskEngine.OPENVINO,
            "openvino-genai", TaskEngine.OPENVINO,
            "qnn_context_binary", TaskEngine.QNN,
            "qnn_dlc", TaskEngine.QNN,
            "vllm", TaskEngine.VLLM);

    private TaskCases() {}

    static void add(TruthRow row, MeasuredCases.Builder cases) {
        String id = row.id();
        if (row.text("note").startsWith("suspect")) {
            cases.doubt(id, "the row is marked suspect");
            return;
        }
        TaskEngine engine = ENGINES.get(row.text("engine"));
        if (engine == null) {
            cases.doubt(id, "no model of '" + row.text("engine") + "'");
            return;
        }
        if (BOTH.contains(row.text("model"))) {
            cases.doubt(id, "the row is for an image and a text together");
            return;
        }
        Optional<ModelEntry> model = cases.models().find(row.text("model"));
        if (model.isEmpty() || model.get().kind() == ModelKind.TEXT_GENERATION) {
            cases.refuseModel(row);
            return;
        }
        Optional<DeviceFigures> device = device(row, cases);
        if (device.isEmpty()) {
            cases.refuse(id, "unknown device '" + row.text("device") + "'");
            return;
        }
        TaskRequest request = request(row, TaskRequest.of(model.get().toSummary()));
        if (request.parts().isEmpty()) {
            cases.refuseModel(row);
            return;
        }
        Optional<MeasuredCase.Prediction> prediction = prediction(row, request, engine, device.get());
        if (prediction.isEmpty()) {
            cases.doubt(id, "the row does not state what was measured");
            return;
        }
        cases.addOfGroup(
                "task",
                new MeasuredCase(
                        id,
                        row.text("group_id"),
                        TaskModel.measured(request),
                        engine.label(),
                        row.number("value"),
                        1,
                        prediction.get()));
    }

    private static TaskRequest request(TruthRow row, TaskRequest usual) {
        String note = row.text("note");
        int usually = row.text("engine").startsWith("qnn")
                ? COMPILED.getOrDefault(row.text("model"), PHONE_TOKENS)
                : GRAPH_TOKENS;
        int tokens = row.count("input_len") > 0 ? row.count("input_len") : usually;
        Matcher size = SIZE.matcher(note);
        boolean isSized = size.find();
        TaskRequest request = usual.withTokens(tokens, 1)
                .withImages(
                        isSized ? Integer.parseInt(size.group(1)) : usual.width(),
                        isSized ? Integer.parseInt(size.group(2)) : usual.height(),
                        number(FRAMES, note).orElse(usual.frames()),
                        number(STEPS, note)
                                .orElse(usual.kind() == ModelKind.IMAGE_GENERATION ? GRAPH_STEPS : usual.steps()));
        return switch (row.text("weight_dtype")) {
            case "int8", "w8a8", "w8a16" -> request.withFormat(StandardFormat.INT8);
            case "int4" -> request.withFormat(StandardFormat.AWQ_INT4);
            default -> request.withFormat(StandardFormat.FP16);
        };
    }

    private static OptionalInt number(Pattern pattern, String note) {
        Matcher matcher = pattern.matcher(note);
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    private static Optional<MeasuredCase.Prediction> prediction(
            TruthRow row, TaskRequest request, TaskEngine engine, DeviceFigures device) {
        Matcher shared = SHARING.matcher(row.text("note"));
        TokenLayout layout = shared.find()
                ? new TokenLayout(Integer.parseInt(shared.group(1)), Integer.parseInt(shared.group(2)))
                : TokenLayout.ALONE;
        int batch = Math.max(1, row.count("batch"));
        int devices = Math.max(1, row.count("n_devices"));
        Matcher component = COMPONENT.matcher(row.text("note"));
        if (component.find()) {
            return part(component.group(1), request)
                    .map(name -> c -> 1e3 * single(new TaskModel(request, engine, device, layout, c), name));
        }
        return switch (row.text("metric")) {
            case "e2e_latency_s" -> Optional.of(c -> new TaskModel(request, engine, device, layout, c).seconds(batch));
            // A chip of Neuron has two cores, and each batch takes one.
            case "e2e_latency_ms" ->
                engine == TaskEngine.NEURONX
                        ? Optional.empty()
                        : Optional.of(c -> 1e3 * new TaskModel(request, engine, device, layout, c).seconds(batch));
            case "samples_s" ->
                Optional.of(c -> devices * batch / new TaskModel(request, engine, device, layout, c).seconds(batch));
            case "fps" ->
                Optional.of(c -> STREAMS / new TaskModel(request, engine, device, layout, c).seconds(STREAMS));
            case "ttft_ms" ->
                request.kind() == ModelKind.IMAGE_GENERATION || request.kind() == ModelKind.VIDEO_GENERATION
                        ? Optional.empty()
                        : Optional.of(c -> 1e3 * first(new TaskModel(request, engine, device, layout, c)));
            case "tpot_ms" ->
                request.kind() == ModelKind.SPEECH_RECOGNITION
                        ? Optional.of(c -> 1e3 * single(new TaskModel(request, engine, device, layout, c), "decoder"))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /// Returns the seconds until the first token: those of the encoder, and a step of a decoder.
    private static double first(TaskModel model) {
        return model.terms(1).stream()
                .mapToDouble(term -> single(model, term.what()))
                .sum();
    }

    /// Returns the seconds of one pass of a part, of one copy.
    private static double single(TaskModel model, String name) {
        List<StepTerm> terms = model.terms(1);
        for (StepTerm term : terms) {
            if (term.what().equals(name)) {
                return term.seconds() / model.passes(name);
            }
        }
        return terms.getFirst().seconds();
    }

    private static Optional<String> part(String component, TaskRequest request) {
        String wanted = switch (component) {
            case "text_encoder", "unet", "vae" -> component;
            default -> component.endsWith("Decoder") ? "decoder" : component.endsWith("Encoder") ? "encoder" : "";
        };
        return wanted.isEmpty()
                ? Optional.of(request.parts().getFirst().name())
                : request.parts().stream()
                        .map(part -> part.name())
                        .filter(wanted::equals)
                        .findFirst();
    }

    private static Optional<DeviceFigures> device(TruthRow row, MeasuredCases.Builder cases) {
        String name = row.text("device");
        return cases.knownDevice(name).or(() -> Edge.find(name));
    }

    /// Devices whose figures are good enough to compare models on one of them, and not to plan with.
    private static final class Edge {
        private static final List<CsvRow> ROWS =
                CsvTable.parse(CsvTable.resource(MeasuredTables.class, DEVICES)).rows();
        private static final long MOST = 1_000_000;

        static Optional<DeviceFigures> find(String name) {
            return ROWS.stream()
                    .filter(row -> row.require("device").equals(name))
                    .findFirst()
                    .map(row -> DeviceFigures.builder(name, DeviceFamily.OTHER)
                            .memory(Reading.known(Bytes.ofGib(16), STATED))
                            .bandwidth(Reading.known(new Bandwidth(number(row, "mem_bw_gbs")), STATED))
                            .half(Reading.known(new OperationRate(number(row, "fp16_tflops")), STATED))
                            .eightBit(Reading.known(new OperationRate(number(row, "int8_tops")), STATED))
                            .build());
        }

        private static double number(CsvRow row, String column) {
            return row.requirePositive(column, MOST);
        }
    }
}
