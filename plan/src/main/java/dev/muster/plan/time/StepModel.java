// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.StepCommunication.Axis;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.StepTerm.StepPart;
import dev.muster.plan.cost.StepTime;

/// The time of one step of a serving engine: some new tokens of some sequences, on devices that share the model.
///
/// Each kind of kernel has a small formula of its own: a launch, the bytes it moves and the operations it computes,
/// with a round corner. Products of experts pad rows to tiles; attention reads the KV cache in decode and computes in
/// prefill; collectives cost a fixed time and their bytes.
///
/// Immutable.
///
/// @param kvBytes bytes of one key or value
public record StepModel(
        ModelShape shape,
        WeightParts weights,
        DeviceFigures device,
        EngineRates rates,
        Parallelism layout,
        double kvBytes) {
    /// The additional latency of a collective between hosts: a prior, not fitted.
    private static final double NETWORK_LATENCY = 25e-6;
    /// Bytes of an activation.
    private static final double ACTIVATION_BYTES = 2;
    /// Prompt tokens of one step of engines.
    private static final double STEP_TOKENS = 8192;
    /// The least bytes of weights that are multiplied in 16 bits.
    private static final double NARROW_BYTES = 1.5;
    /// Serving engines keep states in 16 bits, [ModelShape#layerState()] counts 32.
    private static final double STATE_SHARE = 0.5;
    /// Tokens of a prompt that update a state together.
    private static final double STATE_CHUNK = 14;
    /// The exponent of the law by which experts are chosen.
    private static final double ROUTING = 0.9;
    /// The least inner width of a shared expert; smaller matrices are norms and biases.
    private static final double LEAST_SHARED = 128;
    /// The least number of query heads that a kernel computes for a key head.
    private static final double LEAST_GROUP = 8;

    /// Returns one pipeline stage, for a group of sequences of one replica.
    ///
    /// @param sequences sequences of the group
    /// @param tokens new tokens of each
    /// @param before context tokens of each
    public StepTime stage(double sequences, double tokens, double before) {
        return stage(sequences, tokens, before, StepLedger.NONE);
    }

    /// Returns one pipeline stage, for a group of sequences of one replica, and records its terms.
    ///
    /// @param sequences sequences of the group
    /// @param tokens new tokens of each
    /// @param before context tokens of each
    public StepTime stage(double sequences, double tokens, double before, StepLedger ledger) {
        double rows = sequences * tokens;
        double share = 1.0 / layout.pp();
        double products = products(rows, share, ledger);
        double experts = shape.expertLayers() > 0 ? experts(rows, share, ledger) : 0;
        double attention = tokens > 1
                ? prompt(sequences, tokens, before, share, ledger)
                : decode(sequences, before, share, ledger);
        double head = head(sequences, share, ledger);
        double host = host(sequences, tokens > 1, share, ledger);
        double links = links(rows, share, ledger);
        if (tokens > 1) {
            double rest = Math.max(0, promptFloor() - products - experts - head - host - links);
            fixed(StepPart.HOST, "launches of a prompt", rest, ledger);
            host += rest;
        }
        double loss = loss();
        ledger.stretch(loss);
        return new StepTime(products, experts, attention, head, host, links).times(loss);
    }

    private double loss() {
        return layout.pp() == 1 ? 1 : Math.pow(1 + rates.stageLoss(), Math.log(layout.pp()) / Math.log(2));
    }

    /// Returns the part of a stage that depends on its rows, of prefill and decode alike: products, experts,
    /// collectives.
    public double rowSeconds(double rows) {
        double share = 1.0 / layout.pp();
        double experts = shape.expertLayers() > 0 ? experts(rows, share, StepLedger.NONE) : 0;
        return loss() * (products(rows, share, StepLedger.NONE) + experts + links(rows, share, StepLedger.NONE));
    }

    /// Returns the part of a stage that depends on the number of sequences in decode with any context: logits,
    /// sampling, host.
    public double sequenceSeconds(double sequences) {
        double share = 1.0 / layout.pp();
        return loss() * (head(sequences, share, StepLedger.NONE) + host(sequences, false, share, StepLedger.NONE));
    }

    /// Returns the attention of a stage to the contexts of sequences in decode.
    public double decodeSeconds(double sequences, double before) {
        return loss() * decode(sequences, before, 1.0 / layout.pp(), StepLedger.NONE);
    }

    /// Returns the attention of a stage to a piece of a prompt.
    public double promptSeconds(double before, double tokens) {
        return loss() * prompt(1, tokens, before, 1.0 / layout.pp(), StepLedger.NONE);
    }

    private double products(double rows, double share, StepLedger ledger) {
        double kernels = shape.pairs() * share;
        double inner = shape.heads() * shape.valueSize() / layout.tp();
        double width = (shape.feedForward() > 0 ? shape.feedForward() : shape.expertSize()) / layout.tp();
        int projections = shape.isLatent() ? 4 : 2;
        return product(
                        StepPart.PRODUCTS,
                        "attention projections",
                        weights.attention(),
                        rows,
                        share,
                        kernels * projections,
                        kernels * (shape.hidden() + inner),
                        ledger)
                + product(
                        StepPart.PRODUCTS,
                        "feed-forward blocks",
                        weights.dense(),
                        rows,
                        share,
                        (2 * blocks() + shape.expertLayers()) * share,
                        (blocks() * (shape.hidden() + width) + shape.expertLayers() * shape.hidden()) * share,
                        ledger)
                + traffic(rows, share, ledger);
    }

    /// Returns the layers with a feed-forward block that every token passes: all if there is a shared expert, else
    /// those without experts. Those with experts have one more product, the router.
    private double blocks() {
        double plain = shape.pairs() - shape.expertLayers();
        double known = shape.hidden()
                * (plain * shape.matrices() * shape.feedForward() + shape.expertLayers() * shape.experts());
        double shared = weights.dense().elements() - known;
        return shared > shape.expertLayers() * shape.hidden() * LEAST_SHARED ? shape.pairs() : plain;
    }

    private double traffic(double rows, double share, StepLedger ledger) {
        double bytes = rows * shape.pairs() * share * shape.hidden() * rates.trafficBytes();
        double seconds = bytes / device.bandwidth();
        ledger.add(StepPart.PRODUCTS, "norms and activations", bytes, device.bandwidth(), 0, 0, 0, seconds);
        return seconds;
    }

    private double host(double sequences, boolean isPrompt, double share, StepLedger ledger) {
        EngineRates.Layers each = rates.layers();
        double layers = shape.pairs() * each.any() * share;
        double experts = shape.expertLayers() * each.experts() * share;
        double step = rates.step() + (isPrompt ? rates.prompts().step() : 0);
        double scheduled = sequences * layout.attentionDp() * rates.sequence();
        fixed(StepPart.HOST, "each layer", layers, ledger);
        fixed(StepPart.HOST, "each layer with experts", experts, ledger);
        fixed(StepPart.HOST, "each step", step, ledger);
        fixed(StepPart.HOST, "each sequence", scheduled, ledger);
        return layers + experts + step + scheduled;
    }

    /// Returns the lower bound of a stage with prompts without their attention: it has no captured graph, and its
    /// launches come one after the other.
    public double promptFloor() {
        EngineRates.Prompts prompts = rates.prompts();
        double latent = shape.isLatent() ? shape.fullLayers() * prompts.latent() : 0;
        double states = shape.stateLayers() * prompts.state();
        return (shape.pairs() * prompts.layer() + latent + states) / layout.pp();
    }

    private static void fixed(StepPart part, String what, double seconds, StepLedger ledger) {
        ledger.add(part, what, 0, 0, 0, 0, seconds, seconds);
    }

    /// Returns the bytes of KV cache and states that a device holds of one sequence.
    public double sequenceBytes(double tokens) {
        double cache = shape.keptNumbers(tokens) * kvBytes / kvSharers();
        return (cache + shape.stateBytes() / layout.tp()) / layout.pp();
    }

    /// Returns the seconds of one stage for each prompt, if an engine fills its steps with prompts.
    public double promptSeconds(double tokens) {
        double prompts = promptsOfStep(tokens);
        return stage(prompts, tokens, 0).seconds() / prompts;
    }

    /// Returns the number of prompts that an engine puts into one step.
    public double promptsOfStep(double tokens) {
        return Math.max(1, Math.floor(STEP_TOKENS / tokens));
    }

    /// Returns the number of devices that divide the KV cache: one for a latent one, else by heads.
    public double kvSharers() {
        return shape.isLatent() ? 1 : Math.min(layout.tp(), shape.kvHeads());
    }

    /// Returns the time of products of all layers of a stage with the same part of the weights.
    ///
    /// @param share share of the part that the stage holds
    /// @param kernels number of products
    /// @param walk sum of their inner dimensions
    private double product(
            StepPart step,
            String what,
            WeightParts.Part part,
            double rows,
            double share,
            double kernels,
            double walk,
            StepLedger ledger) {
        if (part.elements() == 0) {
            return 0;
        }
        boolean isNarrow = part.bytes() < NARROW_BYTES * part.elements();
        double bytes = part.bytes() / layout.tp() * share;
        double byteRate = device.bandwidth() * rates.memoryShare();
        double operations = 2 * rows * part.elements() / layout.tp() * share;
        double rate = isNarrow ? rates.products().narrow() : rates.products().half();
        double quantized = isNarrow ? rates.products().quantizeBytes() * rows * walk / device.bandwidth() : 0;
        double fixed = kernels * rates.products().launch() + quantized;
        double corner = round(
                bytes / byteRate, operations / rate, walk * rates.products().walk());
        double seconds = fixed + corner;
        ledger.add(step, what, bytes, byteRate, operations, rate, fixed, seconds);
        return seconds;
    }

    /// Returns the smooth maximum of three.
    private static double round(double x, double y, double z) {
        return Math.sqrt(x * x + y * y + z * z);
    }

    private static double round(double x, double y) {
        return Math.cbrt(x * x * x + y * y * y);
    }

    private double head(double sequences, double share, StepLedger ledger) {
        double bytes = sequences * rates.logitBytes() * shape.vocabulary() / layout.tp() * share;
        double sampling = bytes / device.bandwidth();
        ledger.add(StepPart.HEAD, "sampling", bytes, device.bandwidth(), 0, 0, 0, sampling);
        return product(StepPart.HEAD, "logits", weights.head(), sequences, share, share, share * shape.hidden(), ledger)
                + sampling;
    }

    /// Returns the time of all layers with experts. Tokens of all replicas meet here; devices share the experts or
    /// each matrix of them.
    private double experts(double rows, double share, StepLedger ledger) {
        EngineRates.Experts kernel = rates.experts();
        double all = rows * layout.attentionDp();
        double chosen = shape.activeExperts() / shape.experts();
        double touched = touched(all * chosen);
        double devices = Math.max(layout.ep(), layout.tp() * layout.attentionDp());
        double cut = devices / layout.ep();
        double width = shape.expertSize() / cut;
        double layers = shape.expertLayers() * share;
        double skew = layout.ep() > 1 ? kernel.skew() : 1;
        double bytes = touched * weights.experts().bytes() / devices * share;
        double byteRate = device.bandwidth() * kernel.memoryShare();
        // Rows of tokens, and padding of the last tile of each expert.
        double padded = all * chosen + touched * kernel.tileRows();
        double operations = 2 * padded * weights.experts().elements() / devices * share;
        double rate = kernel.arithmetic() * width / (width + kernel.width());
        double sorted = kernel.bytes()
                * all
                * shape.activeExperts()
                / layout.ep()
                * (shape.hidden() + width)
                * layers
                / device.bandwidth();
        double fixed = layers * kernel.launch() + sorted;
        double seconds = fixed + round(bytes / byteRate, skew * operations / rate);
        ledger.add(StepPart.EXPERTS, "routed experts", bytes, byteRate, operations, rate, fixed, seconds);
        return seconds;
    }

    /// Returns the share of experts that are used, for a number of tokens for each. Routing is skewed: some experts
    /// get many tokens, and fewer are used than by chance (a power law, as measured of real traffic).
    private static double touched(double tokensOfExpert) {
        return 1 - Math.pow(1 + tokensOfExpert / ROUTING, -ROUTING);
    }

    private double decode(double sequences, double before, double share, StepLedger ledger) {
        EngineRates.Layers each = rates.layers();
        double held = sequences * shape.keptTokens(before) * share;
        double bytes = sequences * shape.keptNumbers(before) * share * kvBytes / kvSharers();
        double byteRate = device.bandwidth() * rates.kvShare() * groupShare();
        double numbers = shape.isLatent()
                ? shape.heads() / layout.tp() * (shape.latentSize() + shape.latentRank())
                : Math.max(LEAST_GROUP, shape.heads() / shape.kvHeads())
                        * (shape.kvHeads() / kvSharers())
                        * (shape.keySize() + shape.valueSize());
        double rate = shape.isLatent() ? rates.attention() : rates.decodeAttention();
        double operations = 2 * held * numbers;
        double heads = shape.isLatent() ? 0 : shape.kvHeads() / kvSharers();
        double fixed = (shape.fullLayers() + shape.localLayers())
                        * share
                        * (each.attention() + sequences * heads * each.head())
                + (shape.isLatent() ? shape.fullLayers() * each.latent() * share : 0)
                + shape.sparseLayers() * each.sparse() * share;
        double seconds = fixed + round(bytes / byteRate, operations / rate);
        ledger.add(StepPart.ATTENTION, "KV cache", bytes, byteRate, operations, rate, fixed, seconds);
        return seconds + states(2 * sequences, share, ledger);
    }

    /// Returns the time of states, which are read and written in one piece, as weights are.
    ///
    /// @param passes number of reads and writes of a state
    private double states(double passes, double share, StepLedger ledger) {
        if (shape.stateLayers() == 0) {
            return 0;
        }
        double bytes = passes * STATE_SHARE * shape.stateBytes() * share / layout.tp();
        double byteRate = device.bandwidth() * rates.memoryShare();
        double fixed = shape.stateLayers() * rates.layers().state() * share;
        double seconds = fixed + bytes / byteRate;
        ledger.add(StepPart.ATTENTION, "states", bytes, byteRate, 0, 0, fixed, seconds);
        return seconds;
    }

    private double groupShare() {
        if (rates.groupShare() == 1) {
            return 1;
        }
        double group = shape.isLatent() ? 1 : shape.heads() / shape.kvHeads();
        return Math.pow(rates.groupShare(), Math.log(group) / Math.log(8));
    }

    private double prompt(double sequences, double tokens, double before, double share, StepLedger ledger) {
        double pairs = sequences * shape.attentionPairs(before, tokens) * share;
        double operations = 2 * pairs * shape.heads() * (shape.keySize() + shape.valueSize()) / layout.tp();
        double seconds = operations / rates.attention();
        ledger.add(StepPart.ATTENTION, "queries and keys", 0, 0, operations, rates.attention(), 0, seconds);
        return seconds + states(2 * sequences * tokens / STATE_CHUNK, share, ledger);
    }

    /// Returns the time of links of all layers: two all-reduces for each with TP, two all-to-alls with EP.
    private double links(double rows, double share, StepLedger ledger) {
        double bytes = rows * shape.hidden() * ACTIVATION_BYTES;
        double links = 0;
        if (layout.tp() > 1) {
            double sums = shape.pairs() * 2 * share;
            links += collective(Axis.TP, Collective.ALL_REDUCE, sums, bytes, layout.tp(), ledger);
        }
        if (layout.attentionDp() > 1) {
            double replicas = layout.ep() * (1 - Math.pow(1 - 1.0 / layout.ep(), shape.activeExperts()));
            double exchanges = shape.expertLayers() * 2 * share;
            links += collective(Axis.EP, Collective.ALL_TO_ALL, exchanges, bytes * replicas, layout.ep(), ledger);
        }
        if (layout.pp() > 1) {
            recordSend(bytes / layout.tp(), ledger);
        }
        return links;
    }

    /// Records the sends to the next stage, whose time is part of [EngineRates#stageLoss()]; ranks of TP send a piece
    /// each.
    private void recordSend(double bytes, StepLedger ledger) {
        double measured = device.collectiveSeconds(Collective.SEND, layout.pp(), bytes, device.isNetworked());
        double believed =
                rates.links().reduce() + bytes / (device.link() * rates.links().linkShare());
        double seconds = Double.isNaN(measured) ? believed : measured;
        ledger.communicate(Axis.PP, Collective.SEND, layout.pp(), bytes, 1, false, seconds, 0);
    }

    /// @param bytes bytes of the buffer of each
    private double collective(
            Axis axis, Collective collective, double count, double bytes, int devices, StepLedger ledger) {
        // An all-reduce is a reduce-scatter and an all-gather.
        double moved = collective == Collective.ALL_REDUCE ? 2 * bytes : bytes;
        double sent = count * moved * (devices - 1) / devices;
        String what = axis == Axis.TP ? "TP all-reduce" : "EP all-to-all";
        double measured = device.collectiveSeconds(collective, devices, bytes, device.isNetworked());
        if (!Double.isNaN(measured)) {
            double seconds = count * measured;
            ledger.add(StepTerm.StepPart.LINKS, what, sent, sent / seconds, 0, 0, 0, seconds);
            ledger.communicate(axis, collective, devices, bytes, count, false, seconds, seconds);
            return seconds;
        }
        EngineRates.Links link = rates.links();
        double alone = device.link() * link.linkShare();
        double rate = device.isSwitched() ? alone : alone * Math.pow(2.0 / devices, link.contention());
        // A switch serves all at once; over a bus each waits for the others.
        double latency = link.reduce() * (device.isSwitched() ? 1 : devices / 2.0)
                + (device.isNetworked() ? NETWORK_LATENCY : 0);
        double fixed = count * latency;
        double seconds = fixed + sent / rate;
        ledger.add(StepTerm.StepPart.LINKS, what, sent, rate, 0, 0, fixed, seconds);
        ledger.communicate(axis, collective, devices, bytes, count, false, seconds, seconds);
        return seconds;
    }
}
