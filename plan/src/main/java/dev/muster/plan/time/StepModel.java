package dev.muster.plan.time;

/// How long one step of a serving engine takes: some new tokens of some sequences, on devices that share the model.
///
/// Products follow a roofline of weights read and operations done, whose corner is round; attention reads keys and
/// values when it decodes and computes when it reads a prompt; collectives cost a fixed time and their bytes.
///
/// Immutable.
///
/// @since 0.1
public final class StepModel {
    /// Activations travel in 16 bits.
    private static final double ACTIVATION_BYTES = 2;
    /// Prompt tokens that engines put into one step.
    private static final double STEP_TOKENS = 8192;

    private final ModelShape shape;
    private final WeightParts weights;
    private final DeviceFigures device;
    private final EngineRates rates;
    private final StepLayout layout;
    private final double kvBytes;

    /// A model on devices.
    ///
    /// @param kvBytes bytes of one key or value
    public StepModel(
            ModelShape shape,
            WeightParts weights,
            DeviceFigures device,
            EngineRates rates,
            StepLayout layout,
            double kvBytes) {
        this.shape = shape;
        this.weights = weights;
        this.device = device;
        this.rates = rates;
        this.layout = layout;
        this.kvBytes = kvBytes;
    }

    /// One pipeline stage, for a group of sequences of one replica.
    ///
    /// @param sequences sequences of the group
    /// @param tokens new tokens of each
    /// @param before tokens that each holds already
    public StepTime stage(double sequences, double tokens, double before) {
        double rows = sequences * tokens;
        double share = 1.0 / layout.stages();
        double split = layout.tensor();
        double slow = 1 + rates.tensorLoss() * (split - 1) / shape.hidden();
        double products = (product(weights.attention(), rows) + product(weights.dense(), rows)) * slow * share
                + rows * shape.layers() * share * shape.hidden() * rates.trafficBytes() / device.bandwidth();
        double experts = shape.expertLayers() > 0 ? experts(rows) * share : 0;
        double attention = (tokens > 1 ? prompt(sequences, tokens, before) : decode(sequences, before)) * share;
        double head = head(sequences) * share;
        double host = (shape.layers() * (rates.layer() + (tokens > 1 ? rates.promptLayer() : 0))
                                + shape.expertLayers() * rates.expertLayer())
                        * share
                + rates.step()
                + sequences * layout.replicas() * rates.sequence();
        double links = links(rows) * share;
        double loss = Math.pow(1 + rates.stageLoss(), Math.log(layout.stages()) / Math.log(2));
        return new StepTime(products, experts, attention, head, host, links).times(loss);
    }

    /// Bytes of keys and values that a device holds of one sequence.
    public double sequenceBytes(double tokens) {
        return shape.keptTokens(tokens) * shape.kvNumbers() * kvBytes / kvSharers() / layout.stages();
    }

    /// Seconds of one stage for each prompt, where an engine fills its steps with prompts.
    public double promptSeconds(double tokens) {
        double prompts = Math.max(1, Math.floor(STEP_TOKENS / tokens));
        return stage(prompts, tokens, 0).seconds() / prompts;
    }

    /// Devices that keys and values are divided among: compressed ones not at all, others by heads.
    private double kvSharers() {
        return shape.isLatent() ? 1 : Math.min(layout.tensor(), shape.kvHeads());
    }

    private double product(WeightParts.Part part, double rows) {
        if (part.elements() == 0) {
            return 0;
        }
        double memory = part.bytes() / layout.tensor() / (device.bandwidth() * rates.memoryShare());
        double arithmetic =
                2 * rows * part.elements() / layout.tensor() / rates.arithmetic() * (rows + rates.halfRows()) / rows;
        return Smooth.max(memory, arithmetic);
    }

    private double head(double sequences) {
        double sampling = sequences * rates.logitBytes() * shape.vocabulary() / layout.tensor() / device.bandwidth();
        return product(weights.head(), sequences) + sampling;
    }

    /// All layers with experts. Tokens of all replicas meet here; devices share the experts or each matrix of them.
    private double experts(double rows) {
        double all = rows * layout.replicas();
        double chosen = shape.activeExperts() / shape.experts();
        double touched = 1 - Math.pow(1 - chosen, all);
        double devices = Math.max(layout.expert(), layout.tensor());
        double cut = layout.expert() > 1 ? 1 : layout.tensor();
        double rowsOfExpert = all * chosen / touched;
        double width = shape.expertSize() / cut;
        double memory = touched * weights.experts().bytes() / devices / (device.bandwidth() * rates.memoryShare());
        double arithmetic = 2
                * all
                * chosen
                * weights.experts().elements()
                / devices
                / (rates.arithmetic() * width / (width + rates.expertWidth()))
                * (rowsOfExpert + rates.halfRows())
                / rowsOfExpert;
        double sorting = all
                * shape.activeExperts()
                / devices
                * rates.expertBytes()
                * shape.hidden()
                / device.bandwidth()
                * shape.expertLayers();
        return Smooth.max(memory, arithmetic) + sorting;
    }

    private double decode(double sequences, double before) {
        double held = sequences * shape.keptTokens(before);
        double memory = held
                * shape.kvNumbers()
                * kvBytes
                / kvSharers()
                / (device.bandwidth() * rates.kvShare() * groupShare());
        if (!shape.isLatent()) {
            return memory;
        }
        double operations = 2 * held * shape.heads() * (shape.latentSize() + shape.latentRank()) / layout.tensor();
        return Smooth.max(memory, operations / rates.attention());
    }

    private double groupShare() {
        double group = shape.isLatent() ? 1 : shape.heads() / shape.kvHeads();
        return Math.pow(rates.groupShare(), Math.log(group) / Math.log(8));
    }

    private double prompt(double sequences, double tokens, double before) {
        double pairs = sequences * shape.attentionPairs(before, tokens);
        return 2 * pairs * shape.heads() * (shape.keySize() + shape.valueSize()) / layout.tensor() / rates.attention();
    }

    /// All layers: two sums for each where devices share matrices, two exchanges where they share experts.
    private double links(double rows) {
        double bytes = rows * shape.hidden() * ACTIVATION_BYTES;
        double links = 0;
        if (layout.tensor() > 1) {
            links += shape.layers() * 2 * collective(bytes, layout.tensor(), 2);
        }
        if (layout.replicas() > 1) {
            double copies = layout.expert() * (1 - Math.pow(1 - 1.0 / layout.expert(), shape.activeExperts()));
            links += shape.expertLayers() * 2 * collective(bytes * copies, layout.expert(), 1);
        }
        return links;
    }

    /// @param passes how often each byte goes over the link: twice for a sum, once for an exchange
    private double collective(double bytes, int devices, double passes) {
        double alone = device.link() * rates.linkShare();
        double rate = device.isSwitched() ? alone : alone * Math.pow(2.0 / devices, rates.contention());
        return rates.reduce() * Math.sqrt(devices / 2.0) + bytes * passes * (devices - 1) / devices / rate;
    }
}
