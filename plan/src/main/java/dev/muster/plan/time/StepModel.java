package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.StepTime;

/// How long one step of a serving engine takes: some new tokens of some sequences, on devices that share the model.
///
/// Products follow a roofline of weights read and operations done, whose corner is round; attention reads keys and
/// values when it decodes and computes when it reads a prompt; collectives cost a fixed time and their bytes.
///
/// Immutable.
///
/// @param kvBytes bytes of one key or value
/// @since 0.1
public record StepModel(
        ModelShape shape,
        WeightParts weights,
        DeviceFigures device,
        EngineRates rates,
        StepLayout layout,
        double kvBytes) {
    /// What a collective waits longer when it leaves a machine: a belief, not fitted.
    private static final double NETWORK_LATENCY = 25e-6;
    /// Activations travel in 16 bits.
    private static final double ACTIVATION_BYTES = 2;
    /// Prompt tokens that engines put into one step.
    private static final double STEP_TOKENS = 8192;

    /// One pipeline stage, for a group of sequences of one replica.
    ///
    /// @param sequences sequences of the group
    /// @param tokens new tokens of each
    /// @param before tokens that each holds already
    public StepTime stage(double sequences, double tokens, double before) {
        return stage(sequences, tokens, before, StepLedger.NONE);
    }

    /// One pipeline stage, for a group of sequences of one replica, with a ledger that takes its terms
    /// down.
    ///
    /// @param sequences sequences of the group
    /// @param tokens new tokens of each
    /// @param before tokens that each holds already
    public StepTime stage(double sequences, double tokens, double before, StepLedger ledger) {
        double rows = sequences * tokens;
        double share = 1.0 / layout.stages();
        double slow = 1 + rates.tensorLoss() * (layout.tensor() - 1) / shape.hidden();
        double products = product(
                        StepTerm.Part.PRODUCTS,
                        "attention projections",
                        weights.attention(),
                        rows,
                        slow * share,
                        ledger)
                + product(StepTerm.Part.PRODUCTS, "feed-forward blocks", weights.dense(), rows, slow * share, ledger)
                + traffic(rows, share, ledger);
        double experts = shape.expertLayers() > 0 ? experts(rows, share, ledger) : 0;
        double attention = tokens > 1
                ? prompt(sequences, tokens, before, share, ledger)
                : decode(sequences, before, share, ledger);
        double head = head(sequences, share, ledger);
        double host = host(sequences, tokens > 1, share, ledger);
        double links = links(rows, share, ledger);
        double loss = Math.pow(1 + rates.stageLoss(), Math.log(layout.stages()) / Math.log(2));
        ledger.stretch(loss);
        return new StepTime(products, experts, attention, head, host, links).times(loss);
    }

    private double traffic(double rows, double share, StepLedger ledger) {
        double bytes = rows * shape.pairs() * share * shape.hidden() * rates.trafficBytes();
        double seconds = bytes / device.bandwidth();
        ledger.add(StepTerm.Part.PRODUCTS, "norms and activations", bytes, device.bandwidth(), 0, 0, 0, seconds);
        return seconds;
    }

    private double host(double sequences, boolean isPrompt, double share, StepLedger ledger) {
        double layers = shape.pairs() * (rates.layer() + (isPrompt ? rates.promptLayer() : 0)) * share;
        double experts = shape.expertLayers() * rates.expertLayer() * share;
        double scheduled = sequences * layout.attentionReplicas() * rates.sequence();
        fixed(StepTerm.Part.HOST, "each layer", layers, ledger);
        fixed(StepTerm.Part.HOST, "each layer with experts", experts, ledger);
        fixed(StepTerm.Part.HOST, "each step", rates.step(), ledger);
        fixed(StepTerm.Part.HOST, "each sequence", scheduled, ledger);
        return layers + experts + rates.step() + scheduled;
    }

    private static void fixed(StepTerm.Part part, String what, double seconds, StepLedger ledger) {
        ledger.add(part, what, 0, 0, 0, 0, seconds, seconds);
    }

    /// Bytes of keys, values and states that a device holds of one sequence.
    public double sequenceBytes(double tokens) {
        double cache = shape.keptNumbers(tokens) * kvBytes / kvSharers();
        return (cache + shape.stateBytes() / layout.tensor()) / layout.stages();
    }

    /// Seconds of one stage for each prompt, where an engine fills its steps with prompts.
    public double promptSeconds(double tokens) {
        double prompts = promptsOfStep(tokens);
        return stage(prompts, tokens, 0).seconds() / prompts;
    }

    /// Prompts of so many tokens that an engine puts into one step.
    public double promptsOfStep(double tokens) {
        return Math.max(1, Math.floor(STEP_TOKENS / tokens));
    }

    /// Devices that the KV cache is divided among: a latent one not at all, others by heads.
    public double kvSharers() {
        return shape.isLatent() ? 1 : Math.min(layout.tensor(), shape.kvHeads());
    }

    /// @param factor how much of it the stage does, and how much slower than alone
    private double product(
            StepTerm.Part step, String what, WeightParts.Part part, double rows, double factor, StepLedger ledger) {
        if (part.elements() == 0) {
            return 0;
        }
        double bytes = part.bytes() / layout.tensor();
        double byteRate = device.bandwidth() * rates.memoryShare();
        double operations = 2 * rows * part.elements() / layout.tensor();
        double rate = rates.arithmetic() * rows / (rows + rates.halfRows());
        double seconds = Smooth.max(bytes / byteRate, operations / rate) * factor;
        ledger.add(step, what, bytes * factor, byteRate, operations * factor, rate, 0, seconds);
        return seconds;
    }

    private double head(double sequences, double share, StepLedger ledger) {
        double bytes = sequences * rates.logitBytes() * shape.vocabulary() / layout.tensor() * share;
        double sampling = bytes / device.bandwidth();
        ledger.add(StepTerm.Part.HEAD, "sampling", bytes, device.bandwidth(), 0, 0, 0, sampling);
        return product(StepTerm.Part.HEAD, "logits", weights.head(), sequences, share, ledger) + sampling;
    }

    /// All layers with experts. Tokens of all replicas meet here; devices share the experts or each matrix of them.
    private double experts(double rows, double share, StepLedger ledger) {
        double all = rows * layout.attentionReplicas();
        double chosen = shape.activeExperts() / shape.experts();
        double touched = 1 - Math.pow(1 - chosen, all);
        double devices = Math.max(layout.expert(), layout.tensor());
        double cut = layout.expert() > 1 ? 1 : layout.tensor();
        double rowsOfExpert = all * chosen / touched;
        double width = shape.expertSize() / cut;
        double bytes = touched * weights.experts().bytes() / devices * share;
        double byteRate = device.bandwidth() * rates.memoryShare();
        double operations = 2 * all * chosen * weights.experts().elements() / devices * share;
        double rate = rates.arithmetic()
                * width
                / (width + rates.expertWidth())
                * rowsOfExpert
                / (rowsOfExpert + rates.halfRows());
        double seconds = Smooth.max(bytes / byteRate, operations / rate);
        ledger.add(StepTerm.Part.EXPERTS, "routed experts", bytes, byteRate, operations, rate, 0, seconds);
        double sorted = all
                * shape.activeExperts()
                / devices
                * rates.expertBytes()
                * shape.hidden()
                * shape.expertLayers()
                * share;
        double sorting = sorted / device.bandwidth();
        ledger.add(StepTerm.Part.EXPERTS, "sorting and combining", sorted, device.bandwidth(), 0, 0, 0, sorting);
        return seconds + sorting;
    }

    private double decode(double sequences, double before, double share, StepLedger ledger) {
        double held = sequences * shape.keptTokens(before) * share;
        double bytes = sequences * shape.keptNumbers(before) * share * kvBytes / kvSharers();
        double byteRate = device.bandwidth() * rates.kvShare() * groupShare();
        double operations = shape.isLatent()
                ? 2 * held * shape.heads() * (shape.latentSize() + shape.latentRank()) / layout.tensor()
                : 0;
        double memory = bytes / byteRate;
        double seconds = shape.isLatent() ? Smooth.max(memory, operations / rates.attention()) : memory;
        double rate = shape.isLatent() ? rates.attention() : 0;
        ledger.add(StepTerm.Part.ATTENTION, "KV cache", bytes, byteRate, operations, rate, 0, seconds);
        return seconds + states(sequences, share, ledger);
    }

    /// States are read and written with each token, in one piece as weights are.
    private double states(double sequences, double share, StepLedger ledger) {
        if (shape.stateBytes() == 0) {
            return 0;
        }
        double bytes = 2 * sequences * shape.stateBytes() * share / layout.tensor();
        double byteRate = device.bandwidth() * rates.memoryShare();
        ledger.add(StepTerm.Part.ATTENTION, "states", bytes, byteRate, 0, 0, 0, bytes / byteRate);
        return bytes / byteRate;
    }

    private double groupShare() {
        double group = shape.isLatent() ? 1 : shape.heads() / shape.kvHeads();
        return Math.pow(rates.groupShare(), Math.log(group) / Math.log(8));
    }

    private double prompt(double sequences, double tokens, double before, double share, StepLedger ledger) {
        double pairs = sequences * shape.attentionPairs(before, tokens) * share;
        double operations = 2 * pairs * shape.heads() * (shape.keySize() + shape.valueSize()) / layout.tensor();
        double seconds = operations / rates.attention();
        ledger.add(StepTerm.Part.ATTENTION, "queries and keys", 0, 0, operations, rates.attention(), 0, seconds);
        return seconds;
    }

    /// All layers: two all-reduces for each with TP, two all-to-alls with EP.
    private double links(double rows, double share, StepLedger ledger) {
        double bytes = rows * shape.hidden() * ACTIVATION_BYTES;
        double links = 0;
        if (layout.tensor() > 1) {
            double sums = shape.pairs() * 2 * share;
            links += collective("TP all-reduce", sums, 2 * bytes, layout.tensor(), ledger);
        }
        if (layout.attentionReplicas() > 1) {
            double replicas = layout.expert() * (1 - Math.pow(1 - 1.0 / layout.expert(), shape.activeExperts()));
            double exchanges = shape.expertLayers() * 2 * share;
            links += collective("EP all-to-all", exchanges, bytes * replicas, layout.expert(), ledger);
        }
        return links;
    }

    /// @param bytes bytes of each: twice those of a sum, once those of an exchange
    private double collective(String what, double count, double bytes, int devices, StepLedger ledger) {
        double alone = device.link() * rates.linkShare();
        double rate = device.isSwitched() ? alone : alone * Math.pow(2.0 / devices, rates.contention());
        double latency = rates.reduce() * Math.sqrt(devices / 2.0) + (device.isNetworked() ? NETWORK_LATENCY : 0);
        double fixed = count * latency;
        double sent = count * bytes * (devices - 1) / devices;
        double seconds = fixed + sent / rate;
        ledger.add(StepTerm.Part.LINKS, what, sent, rate, 0, 0, fixed, seconds);
        return seconds;
    }
}
