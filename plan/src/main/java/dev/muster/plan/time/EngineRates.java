package dev.muster.plan.time;

/// What an engine makes of a device: shares of the data sheet's peaks, and what it adds. Times in seconds.
///
/// @param memoryShare of the bandwidth, reading weights
/// @param kvShare of the bandwidth, reading the KV cache
/// @param groupShare how much of that is left where eight query heads share a key: 1 unless kernels read it for each
/// @param arithmetic operations per second that its products reach with many rows
/// @param attention operations per second that its attention reaches
/// @param halfRows rows at which a product reaches half of that
/// @param expertWidth inner width at which experts reach half of it
/// @param expertBytes bytes for each token, expert and hidden number: sorting, scaling, combining
/// @param trafficBytes bytes for each token, layer and hidden number: norms, residuals, activations
/// @param logitBytes bytes for each sequence and row of the vocabulary
/// @param layer for each layer
/// @param promptLayer for each layer of a step that reads prompts, beyond that
/// @param expertLayer for each layer with experts, beyond that
/// @param step for each step
/// @param sequence for each running sequence
/// @param tensorLoss how much slower products get for each device that shares them, times the hidden size
/// @param reduce for each collective over two devices
/// @param linkShare of the link's bandwidth
/// @param contention how much bandwidth a link without a switch loses as devices are added: the power of their number
/// @param stageLoss how much slower a stage gets with each doubling of stages
/// @since 0.1
public record EngineRates(
        double memoryShare,
        double kvShare,
        double groupShare,
        double arithmetic,
        double attention,
        double halfRows,
        double expertWidth,
        double expertBytes,
        double trafficBytes,
        double logitBytes,
        double layer,
        double promptLayer,
        double expertLayer,
        double step,
        double sequence,
        double tensorLoss,
        double reduce,
        double linkShare,
        double contention,
        double stageLoss) {}
