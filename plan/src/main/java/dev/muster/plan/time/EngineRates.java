// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// The rates that an engine reaches on a device: shares of the data sheet's peaks, and its overheads. Times in
/// seconds.
///
/// @param memoryShare of the bandwidth, reading weights
/// @param kvShare of the bandwidth, reading the KV cache
/// @param groupShare share of that with eight query heads for a key head: 1 unless kernels read the key for each
/// @param products rates of its matrix products
/// @param experts rates of its products of routed experts
/// @param attention operations per second that attention reaches in prefill
/// @param decodeAttention operations per second that attention reaches in decode
/// @param trafficBytes bytes for each token, layer and hidden number: norms, residuals, activations
/// @param logitBytes bytes for each sequence and row of the vocabulary
/// @param layers overheads of each layer, by its kind
/// @param step overhead of each step
/// @param sequence overhead of each running sequence
/// @param prompts overheads of steps with prompts
/// @param links rates of its collectives
/// @param stageLoss slowdown of a stage with each doubling of stages
public record EngineRates(
        double memoryShare,
        double kvShare,
        double groupShare,
        Products products,
        Experts experts,
        double attention,
        double decodeAttention,
        double trafficBytes,
        double logitBytes,
        Layers layers,
        double step,
        double sequence,
        Prompts prompts,
        Links links,
        double stageLoss) {
    public EngineRates withSequence(double seconds) {
        return new EngineRates(
                memoryShare,
                kvShare,
                groupShare,
                products,
                experts,
                attention,
                decodeAttention,
                trafficBytes,
                logitBytes,
                layers,
                step,
                seconds,
                prompts,
                links,
                stageLoss);
    }

    /// Matrix products outside of routed experts.
    ///
    /// @param launch overhead of each kernel
    /// @param walk time for each number along the inner dimension, which a kernel walks one after the other
    /// @param half operations per second with weights of 16 bits
    /// @param narrow operations per second with weights of the format
    /// @param quantizeBytes bytes for each input number if the format multiplies narrow numbers
    public record Products(double launch, double walk, double half, double narrow, double quantizeBytes) {}

    /// Products of routed experts, whose kernels depend on the format.
    ///
    /// @param launch overhead of each layer
    /// @param memoryShare of the bandwidth
    /// @param arithmetic operations per second with many rows
    /// @param tileRows padding rows for each expert that has tokens
    /// @param bytes bytes for each token and number of both sides: sorting, scaling, combining
    /// @param width inner width lost to partial tiles
    /// @param skew slowdown of the most loaded device under expert parallelism
    public record Experts(
            double launch,
            double memoryShare,
            double arithmetic,
            double tileRows,
            double bytes,
            double width,
            double skew) {}

    /// Overheads of layers for any computation: launches, norms, rotations, routing.
    ///
    /// @param any overhead of each layer
    /// @param experts beyond that, with routed experts
    /// @param attention a launch of decode attention
    /// @param head overhead of each sequence and key head in it
    /// @param latent beyond that, if the KV cache is compressed
    /// @param sparse beyond that, if an indexer chooses tokens
    /// @param state beyond that, if a state is kept
    public record Layers(
            double any, double experts, double attention, double head, double latent, double sparse, double state) {}

    /// Steps with prompts, which run without a captured graph: their overhead, and the lower bound of layers, whose
    /// launches come one after the other.
    ///
    /// @param step overhead of each step
    /// @param layer lower bound of any layer
    /// @param latent beyond that, if the KV cache is compressed
    /// @param state beyond that, if a state is kept
    public record Prompts(double step, double layer, double latent, double state) {}

    /// Collectives.
    ///
    /// @param reduce latency of each over two devices
    /// @param linkShare of the link's bandwidth
    /// @param contention loss of bandwidth of a link without a switch as devices are added: the power of their
    /// number
    public record Links(double reduce, double linkShare, double contention) {}
}
