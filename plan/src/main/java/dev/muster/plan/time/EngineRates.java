// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// What an engine makes of a device: shares of the data sheet's peaks, and what it adds. Times in seconds.
///
/// @param memoryShare of the bandwidth, reading weights
/// @param kvShare of the bandwidth, reading the KV cache
/// @param groupShare how much of that is left where eight query heads share a key: 1 unless kernels read it for each
/// @param products how its matrix products go
/// @param experts how its products of routed experts go
/// @param attention operations per second that attention reaches in prefill
/// @param decodeAttention operations per second that attention reaches in decode
/// @param trafficBytes bytes for each token, layer and hidden number: norms, residuals, activations
/// @param logitBytes bytes for each sequence and row of the vocabulary
/// @param layers what each layer adds, by its kind
/// @param step for each step
/// @param sequence for each running sequence
/// @param prompts what steps with prompts add
/// @param links how its collectives go
/// @param stageLoss how much slower a stage gets with each doubling of stages
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
    /// The same with another time for each running sequence.
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
    /// @param launch for each kernel
    /// @param walk for each number along the inner side, which a kernel walks one after the other
    /// @param half operations per second with weights of 16 bits
    /// @param narrow operations per second with weights of the format
    /// @param quantizeBytes bytes for each input number where the format multiplies narrow numbers
    public record Products(double launch, double walk, double half, double narrow, double quantizeBytes) {}

    /// Products of routed experts, whose kernels depend on the format.
    ///
    /// @param launch for each layer
    /// @param memoryShare of the bandwidth
    /// @param arithmetic operations per second with many rows
    /// @param tileRows rows that padding adds to each expert that is touched
    /// @param bytes bytes for each token and number of both sides: sorting, scaling, combining
    /// @param width inner width that is lost to partial tiles
    /// @param skew how much longer the fullest device takes where experts are shared
    public record Experts(
            double launch,
            double memoryShare,
            double arithmetic,
            double tileRows,
            double bytes,
            double width,
            double skew) {}

    /// What layers add whatever they compute: launches, norms, rotations, routing.
    ///
    /// @param any each layer
    /// @param experts beyond that, with routed experts
    /// @param attention a launch of decode attention
    /// @param head each sequence and key head in it
    /// @param latent beyond that, where the KV cache is compressed
    /// @param sparse beyond that, where an indexer chooses tokens
    /// @param state beyond that, where a state is kept
    public record Layers(
            double any, double experts, double attention, double head, double latent, double sparse, double state) {}

    /// Steps with prompts, which no captured graph holds: what they add, and the least that layers take, whose launches
    /// come one after the other.
    ///
    /// @param step for each step
    /// @param layer the least of any layer
    /// @param latent beyond that, where the KV cache is compressed
    /// @param state beyond that, where a state is kept
    public record Prompts(double step, double layer, double latent, double state) {}

    /// Collectives.
    ///
    /// @param reduce for each over two devices
    /// @param linkShare of the link's bandwidth
    /// @param contention how much bandwidth a link without a switch loses as devices are added: the power of their
    ///     number
    public record Links(double reduce, double linkShare, double contention) {}
}
