// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.StepTime;
import java.util.Optional;

/// The step times of llama.cpp: one sequence or a few, on devices that each hold some layers.
///
/// Its kernels differ from those of serving engines: products with few rows read weights at a share of the bandwidth
/// that depends on the kind of memory and the bits of the weights, and more devices add memory but no speed to one
/// sequence.
public final class LlamaCppModel {
    /// Bytes of a number of the KV cache: f16, the default of its engine.
    public static final int KV_BYTES = 2;

    private static final String NAME = LlamaRates.NAME;
    private static final double MICRO_BATCH = LlamaBuild.MICRO_BATCH;
    /// The largest number of rows for vector kernels; more rows are multiplied by kernels that fill tiles.
    private static final double MAX_VECTOR_ROWS = 8;

    private static final double TILE_ROWS = 32;
    /// The skew of routing: the power of the law of the experts' popularity (real traffic).
    private static final double CROWDING = 0.9;
    /// The number of passes over a layer's state for each token: gathered, advanced, copied back, each read and
    /// written.
    private static final double STATE_PASSES = 6;
    /// The matrices of an expert.
    private static final double MATRICES = 3;
    /// The matrices of attention.
    private static final double ATTENTION_MATRICES = 4;
    /// Bytes of the compute buffer for each token of a micro-batch and number of the residual stream.
    private static final double HIDDEN_BYTES = 20;
    /// Bytes of the compute buffer for each token and row of the vocabulary.
    private static final double LOGIT_BYTES = 4;
    /// The memory of the driver's context.
    private static final double CONTEXT_BYTES = 0.5 * (1L << 30);

    private final ModelShape shape;
    private final WeightParts weights;
    private final DeviceFigures device;
    private final int devices;
    private final Coefficients c;
    private final LlamaBuild build;
    /// Mean bytes of a weight of the whole model, outside of routed experts and of them: layers of unlike types share
    /// kernels.
    private final double denseBytes;

    private final double expertBytes;
    private final LlamaRates rates;
    /// The kernels of a processor, if the device is one.
    private final Optional<CpuKernels> cpu;
    /// Kernels that depend on the weight format, if those of the device were measured.
    private final Optional<LlamaKernels> kernels;

    /// Creates a model on devices.
    ///
    /// @param devices devices that each hold an equal part of the layers
    /// @param isFlash true if the build's attention does not write scores to memory, as all since 2025
    public LlamaCppModel(
            ModelShape shape,
            WeightParts weights,
            DeviceFigures device,
            int devices,
            boolean isFlash,
            Coefficients coefficients) {
        this(shape, weights, device, devices, isFlash, Optional.empty(), coefficients);
    }

    /// Creates a model on devices, its weights in a format: processors have kernels for each.
    ///
    /// @param devices devices that each hold an equal part of the layers
    /// @param isFlash true if the build's attention does not write scores to memory, as all since 2025
    /// @param format the format's name, if it is known
    public LlamaCppModel(
            ModelShape shape,
            WeightParts weights,
            DeviceFigures device,
            int devices,
            boolean isFlash,
            Optional<String> format,
            Coefficients coefficients) {
        this(shape, weights, device, devices, new LlamaBuild(isFlash, "", MICRO_BATCH, false), format, coefficients);
    }

    /// Creates a model on devices that each hold an equal part of the layers, in some build.
    ///
    /// @param format the format's name, if it is known
    public LlamaCppModel(
            ModelShape shape,
            WeightParts weights,
            DeviceFigures device,
            int devices,
            LlamaBuild build,
            Optional<String> format,
            Coefficients coefficients) {
        this.shape = shape;
        this.weights = weights;
        this.device = device;
        this.devices = devices;
        this.c = coefficients;
        double each = weights.bitsOfEach();
        this.build = build;
        this.denseBytes = (weights.attention().bytes() + weights.dense().bytes())
                / (weights.attention().elements() + weights.dense().elements());
        this.expertBytes =
                weights.experts().bytes() / Math.max(1, weights.experts().elements());
        // The class of kernels: that of most weights.
        this.rates = new LlamaRates(device, build, each > 12 ? "16-bit" : each > 7 ? "8-bit" : "4-bit", coefficients);
        this.cpu = device.family() == DeviceFamily.CPU
                ? Optional.of(CpuKernels.of(device, format, each, coefficients))
                : Optional.empty();
        this.kernels = LlamaKernels.of(device, build, format, each, coefficients);
    }

    private LlamaCppModel(LlamaCppModel whole, ModelPart part) {
        this.shape = part.shape();
        this.weights = part.weights();
        this.device = whole.device;
        this.devices = 1;
        this.c = whole.c;
        this.build = whole.build;
        this.denseBytes = whole.denseBytes;
        this.expertBytes = whole.expertBytes;
        // Kernels are those of the whole model, as in the rows that the coefficients were fitted to.
        this.rates = whole.rates;
        this.cpu = whole.cpu;
        this.kernels = whole.kernels;
    }

    /// Returns a decode step of some sequences.
    ///
    /// @param sequences number of sequences
    /// @param before context tokens of each
    public StepTime decode(double sequences, double before) {
        return decode(sequences, before, StepLedger.NONE);
    }

    /// Returns a decode step of some sequences and records its terms.
    ///
    /// @param sequences number of sequences
    /// @param before context tokens of each
    public StepTime decode(double sequences, double before, StepLedger ledger) {
        if (kernels.isPresent()) {
            return decode(kernels.get(), sequences, before, ledger);
        }
        double rate = weightRate();
        double dense = weights.attention().bytes() + weights.dense().bytes();
        double elements = weights.attention().elements() + weights.dense().elements();
        double products = product(StepTerm.StepPart.PRODUCTS, "products", dense, rate, sequences, elements, ledger);
        double head = product(
                StepTerm.StepPart.HEAD,
                "logits",
                weights.head().bytes(),
                rate,
                sequences,
                weights.head().elements(),
                ledger);
        double experts =
                shape.expertLayers() == 0 ? 0 : experts(sequences, cpu.isPresent() ? rate : rates.experts(), ledger);
        double kv = keys(sequences, before, rate, ledger) + states(sequences, rate, ledger);
        double layers = shape.pairs() * (cpu.isPresent() ? cpu.get().layer() : rates.layer(sequences > 1));
        double expertLayers = cpu.isPresent() ? 0 : shape.expertLayers() * rates.expertLayer();
        double step = stepSeconds();
        double hops = (devices - 1) * c.get(NAME + "/hop");
        ledger.add(StepTerm.StepPart.HOST, "each layer", 0, 0, 0, 0, layers, layers);
        ledger.add(StepTerm.StepPart.HOST, "each layer with experts", 0, 0, 0, 0, expertLayers, expertLayers);
        ledger.add(StepTerm.StepPart.HOST, "each step", 0, 0, 0, 0, step, step);
        ledger.add(StepTerm.StepPart.LINKS, "from device to device", 0, 0, 0, 0, hops, hops);
        return new StepTime(products, experts, kv, head, layers + expertLayers + step, hops);
    }

    /// Returns a decode step with kernels that depend on the weight format.
    private StepTime decode(LlamaKernels by, double sequences, double before, StepLedger ledger) {
        double products = product(by, weights.attention(), sequences, 1, ledger)
                + product(by, weights.dense(), sequences, 1, ledger);
        double head = by.seconds(weights.head(), sequences) + by.logits(sequences, shape.vocabulary());
        ledger.add(StepTerm.StepPart.HEAD, "logits", weights.head().bytes(), 0, 0, 0, 0, head);
        double experts = experts(by, sequences, 1, ledger);
        double kv = keys(sequences, before, by.weightRate(), ledger) + states(sequences, by.weightRate(), ledger);
        double layers = shape.pairs() * by.layer(sequences, denseMatrices()) + shape.expertLayers() * by.expertLayer();
        double hops = devices > 1 ? (devices - 1) * hopSeconds() : 0;
        ledger.add(StepTerm.StepPart.HOST, "each layer", 0, 0, 0, 0, layers, layers);
        ledger.add(StepTerm.StepPart.HOST, "each step", 0, 0, 0, 0, stepSeconds(), stepSeconds());
        ledger.add(StepTerm.StepPart.LINKS, "from device to device", 0, 0, 0, 0, hops, hops);
        return new StepTime(products, experts, kv, head, layers + stepSeconds(), hops);
    }

    private static double product(
            LlamaKernels by, WeightParts.Part part, double rows, double times, StepLedger ledger) {
        double seconds = times * by.seconds(part, rows);
        double bytes = times * part.bytes();
        double operations = 2 * times * rows * part.elements();
        ledger.add(StepTerm.StepPart.PRODUCTS, "products", bytes, 0, operations, 0, 0, seconds);
        return seconds;
    }

    private double experts(LlamaKernels by, double rows, double times, StepLedger ledger) {
        if (shape.expertLayers() == 0) {
            return 0;
        }
        double chosen = shape.activeExperts() / shape.experts();
        double matrices = MATRICES * shape.experts() * shape.expertLayers();
        double seconds = times * by.experts(weights.experts(), rows, chosen, touched(rows), matrices);
        double bytes = times * Math.min(1, rows * chosen) * weights.experts().bytes();
        ledger.add(StepTerm.StepPart.EXPERTS, "routed experts", bytes, 0, 0, 0, 0, seconds);
        return seconds;
    }

    /// Returns the share of a dense layer's matrices that layers have outside of routed experts: attention alone.
    private double denseMatrices() {
        double attention = ATTENTION_MATRICES / (ATTENTION_MATRICES + MATRICES);
        return 1 - shape.expertLayers() / shape.pairs() * (1 - attention);
    }

    private double weightRate() {
        return cpu.isPresent() ? device.bandwidth() * cpu.get().memoryShare() : rates.weights();
    }

    /// Returns the time of reading the KV cache; a processor takes longer to multiply with it.
    private double keys(double sequences, double before, double byteRate, StepLedger ledger) {
        double kept = sequences * shape.keptNumbers(before);
        double bytes = kept * KV_BYTES;
        if (cpu.isPresent() && bytes > 0) {
            // Each number of a key or a value meets the queries of its group; a latent one those of all heads.
            double queries = shape.isLatent() ? shape.heads() : shape.heads() / shape.kvHeads();
            double operations = 2 * kept * queries;
            double rate = cpu.get().attention(1);
            double seconds = Smooth.max(bytes / byteRate, operations / rate);
            ledger.add(StepTerm.StepPart.ATTENTION, "KV cache", bytes, byteRate, operations, rate, 0, seconds);
            return seconds;
        }
        double rate = kernels.isPresent() ? kernels.get().keys() : rates.keys();
        ledger.add(StepTerm.StepPart.ATTENTION, "KV cache", bytes, rate, 0, 0, 0, bytes / rate);
        return bytes / rate;
    }

    /// Returns the time of states, which are read and written with each token, in one piece as weights are.
    private double states(double sequences, double byteRate, StepLedger ledger) {
        double bytes = STATE_PASSES * sequences * shape.stateBytes();
        if (bytes > 0) {
            ledger.add(StepTerm.StepPart.ATTENTION, "states", bytes, byteRate, 0, 0, 0, bytes / byteRate);
        }
        return bytes / byteRate;
    }

    private double product(
            StepTerm.StepPart part,
            String what,
            double bytes,
            double byteRate,
            double rows,
            double elements,
            StepLedger ledger) {
        double operations = cpu.isPresent() ? 2 * rows * elements : operations(rows, elements);
        double rate = cpu.isPresent() ? cpu.get().products(rows) : rates.rows(rows <= MAX_VECTOR_ROWS);
        double seconds = Smooth.max(bytes / byteRate, operations / rate);
        ledger.add(part, what, bytes, byteRate, operations, rate, 0, seconds);
        return seconds;
    }

    private double experts(double sequences, double byteRate, StepLedger ledger) {
        double bytes = touched(sequences) * weights.experts().bytes();
        double chosen = sequences * shape.activeExperts() / shape.experts();
        double operations = sequences <= 1 && cpu.isEmpty()
                ? 0
                : 2 * chosen * weights.experts().elements();
        double rate = cpu.isPresent() ? cpu.get().products(1) : rates.expertRows();
        double seconds = Smooth.max(bytes / byteRate, operations / rate);
        ledger.add(StepTerm.StepPart.EXPERTS, "routed experts", bytes, byteRate, operations, rate, 0, seconds);
        return seconds;
    }

    /// Returns the share of experts that some rows use. Routing is skewed: tokens crowd at some experts.
    private double touched(double rows) {
        double chosen = shape.activeExperts() / shape.experts();
        if (build.isEven()) {
            return 1 - Math.pow(1 - chosen, rows);
        }
        return rows <= 1 ? chosen : 1 - Math.pow(1 + rows * chosen / CROWDING, -CROWDING);
    }

    /// Returns the operations of products that do more than read: those of several rows, padded to whole tiles.
    private static double operations(double rows, double elements) {
        double padded = rows <= MAX_VECTOR_ROWS ? rows : Math.ceil(rows / TILE_ROWS) * TILE_ROWS;
        return rows <= 1 ? 0 : 2 * padded * elements;
    }

    /// Returns the bytes of KV cache and states of one sequence on all devices.
    public double sequenceBytes(double tokens) {
        return shape.sequenceBytes(tokens, KV_BYTES);
    }

    /// Returns the bytes that each device takes beside weights and cache.
    public double workspace() {
        return MICRO_BATCH * (shape.hidden() * HIDDEN_BYTES + shape.vocabulary() * LOGIT_BYTES) + CONTEXT_BYTES;
    }

    /// Returns a decode step of some layers of the model on this device, without the overhead of a whole step. Its
    /// steps do not know what is paid once for each step.
    ///
    /// @param part the layers, perhaps with the head
    public StepTime decodePart(ModelPart part, double sequences, double before) {
        StepTime step = new LlamaCppModel(this, part).decode(sequences, before);
        return new StepTime(
                step.products(), step.experts(), step.attention(), step.head(), step.host() - stepSeconds(), 0);
    }

    /// Returns a prompt's time in some layers of the model on this device, without another device beside it.
    ///
    /// @param part the layers, perhaps with the head
    public StepTime prefillPart(ModelPart part, double tokens, double before) {
        return new LlamaCppModel(this, part).prefill(tokens, before);
    }

    /// Returns the bytes of KV cache that some layers hold of one sequence.
    ///
    /// @param part the layers
    public double sequenceBytes(ModelPart part, double tokens) {
        return new LlamaCppModel(this, part).sequenceBytes(tokens);
    }

    public double stepSeconds() {
        if (kernels.isPresent()) {
            return kernels.get().step();
        }
        return cpu.isPresent() ? cpu.get().step() : c.get(NAME + "/step");
    }

    /// Returns the time in which the server samples, one sequence after the other, and prepares a step of several.
    public double samplingSeconds(double sequences) {
        return sequences > 1
                ? c.get(NAME + "/server-batch") + sequences * shape.vocabulary() * c.get(NAME + "/sampling-of-many")
                : sequences * shape.vocabulary() * c.get(NAME + "/sampling");
    }

    /// Returns the time in which the server keeps the cache of a request in memory of the host; a processor's is there.
    public double keepingSeconds(double tokens) {
        return cpu.isPresent() ? 0 : sequenceBytes(tokens) / c.get(NAME + "/keeping");
    }

    /// Returns the time of a step's transfer from one device to the next.
    public double hopSeconds() {
        return c.get(NAME + "/hop");
    }

    /// Returns the bytes of the compute buffer of a device with layers.
    public double layerBuffer() {
        return MICRO_BATCH * shape.hidden() * HIDDEN_BYTES;
    }

    /// Returns the bytes of the logits, on the device with the head.
    public double logitBuffer() {
        return MICRO_BATCH * shape.vocabulary() * LOGIT_BYTES;
    }

    /// Returns the bytes that the driver takes on each device.
    public double contextBytes() {
        return CONTEXT_BYTES;
    }

    /// Returns the number of micro-batches of a prompt.
    public static double microBatches(double tokens) {
        return Math.ceil(tokens / MICRO_BATCH);
    }

    /// Returns the time of a prompt whose micro-batches follow each other through unlike devices.
    ///
    /// @param sum seconds of all devices one after the other
    /// @param slowest seconds of the slowest of them
    public double pipelined(double sum, double slowest, double tokens) {
        double micro = microBatches(tokens);
        double ideal = micro * sum / (sum + (micro - 1) * slowest);
        return sum / (1 + c.get(NAME + "/pipeline-share") * (ideal - 1));
    }

    public boolean isMeasured() {
        return c.has(rates.deviceName("decode"));
    }

    /// Returns a prompt of one sequence.
    public StepTime prefill(double tokens, double before) {
        return prefill(tokens, before, StepLedger.NONE);
    }

    /// Returns a prompt of one sequence and records its terms.
    public StepTime prefill(double tokens, double before, StepLedger ledger) {
        double micro = Math.ceil(tokens / build.microBatch());
        double rows = tokens / micro;
        double products = kernels.isPresent()
                ? product(kernels.get(), weights.attention(), rows, micro, ledger)
                        + product(kernels.get(), weights.dense(), rows, micro, ledger)
                : promptProducts(tokens, micro, ledger);
        double experts = shape.expertLayers() == 0
                ? 0
                : kernels.isPresent()
                        ? experts(kernels.get(), rows, micro, ledger)
                        : promptExperts(tokens, micro, ledger);
        double layer = kernels.isPresent()
                ? kernels.get().layer(rows, denseMatrices()) + kernels.get().traffic(rows, shape.hidden())
                : cpu.isPresent() ? cpu.get().layer() : rates.microBatchLayer();
        double step = kernels.map(LlamaKernels::promptStep).orElse(0.0);
        double host = micro * (step + shape.pairs() * layer);
        ledger.add(StepTerm.StepPart.HOST, "each micro-batch and layer", 0, 0, 0, 0, host, host);
        double attention = promptAttention(shape.attentionPairs(before, tokens), ledger);
        StepTime alone = new StepTime(products, experts, attention, 0, host, 0);
        if (devices == 1) {
            return alone;
        }
        double factor = 1 / speedUp(micro);
        ledger.stretch(factor);
        return alone.times(factor);
    }

    private double promptRate() {
        return cpu.isPresent() ? cpu.get().products(MICRO_BATCH) : rates.prompt();
    }

    /// Returns the time of products, with weights read once for each micro-batch.
    private double promptProducts(double tokens, double micro, StepLedger ledger) {
        double elements = weights.attention().elements() + weights.dense().elements();
        double bytes = micro * elements * denseBytes;
        double operations = 2 * tokens * elements;
        double seconds = promptMax(bytes / weightRate(), operations / promptRate());
        ledger.add(StepTerm.StepPart.PRODUCTS, "products", bytes, weightRate(), operations, promptRate(), 0, seconds);
        return seconds;
    }

    /// Returns the longer time; a processor takes so long for a prompt that it never waits for weights.
    private double promptMax(double reading, double computing) {
        return cpu.isPresent() ? computing : Smooth.max(reading, computing);
    }

    /// Returns the time of experts: those that a micro-batch uses are read once for it, and their tiles are not full.
    private double promptExperts(double tokens, double micro, StepLedger ledger) {
        double chosen = shape.activeExperts() / shape.experts();
        double touched = touched(tokens / micro);
        double rows = tokens / micro * chosen / touched;
        double padded = cpu.isPresent() ? rows : rows + rates.padding();
        double bytes = micro * touched * weights.experts().elements() * expertBytes;
        double byteRate = cpu.isPresent() ? weightRate() : rates.experts();
        double operations = 2 * micro * touched * padded * weights.experts().elements();
        double rate =
                cpu.isPresent() ? promptRate() * c.get(NAME + "/prefill-expert-share/4-bit") : rates.promptExperts();
        double seconds = promptMax(bytes / byteRate, operations / rate);
        ledger.add(StepTerm.StepPart.EXPERTS, "routed experts", bytes, byteRate, operations, rate, 0, seconds);
        return seconds;
    }

    /// Returns the time of attention. Builds that write scores to memory are bound by it, not by operations.
    /// Compressed keys are used as they are.
    private double promptAttention(double pairs, StepLedger ledger) {
        if (!build.isFlash()) {
            double bytes = pairs * shape.heads() * rates.scoreBytes();
            double seconds = bytes / device.bandwidth();
            ledger.add(StepTerm.StepPart.ATTENTION, "scores", bytes, device.bandwidth(), 0, 0, 0, seconds);
            return seconds;
        }
        double widths =
                shape.isLatent() ? shape.latentSize() + shape.latentRank() : shape.keySize() + shape.valueSize();
        double operations = 2 * pairs * shape.heads() * widths;
        double rate = kernels.isPresent()
                ? kernels.get().attention(widths / 2)
                : cpu.isPresent() ? cpu.get().attention(MICRO_BATCH) : rates.attention(widths / 2);
        double seconds = operations / rate;
        ledger.add(StepTerm.StepPart.ATTENTION, "queries and keys", 0, 0, operations, rate, 0, seconds);
        return seconds;
    }

    /// Returns the speed-up of micro-batches that follow each other through the devices.
    private double speedUp(double micro) {
        double ideal = micro * devices / (micro + devices - 1);
        return 1 + c.get(NAME + "/pipeline-share") * (ideal - 1);
    }
}
