package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;

/// What a framework makes of a device in training.
///
/// @param products operations per second of products, in matrices without end
/// @param head operations per second of the head, which computes in 16 bits whatever the layers do
/// @param attention operations per second of attention
/// @param width hidden size at which products reach half of that
/// @param trafficBytes bytes of everything else, for each token, layer and number of the residual stream
/// @param expertWidth inner width at which experts reach half of what dense blocks do
/// @param expertBytes bytes that move for each token, chosen expert and number of the residual stream
/// @param expertLayer seconds that the host takes to launch a layer with experts, forward and backward
/// @param selective what selective recomputation adds, as a share of three passes
/// @param scaleLoss what each doubling of the devices beyond eight costs
/// @param tensorExposed the part of links within a copy that computation does not hide
/// @param replicaExposed the part of links between replicas that computation does not hide
/// @param factor how much faster than all that the framework is on the device
/// @since 0.1
public record TrainingRates(
        double products,
        double head,
        double attention,
        double width,
        double trafficBytes,
        double expertWidth,
        double expertBytes,
        double expertLayer,
        double selective,
        double scaleLoss,
        double tensorExposed,
        double replicaExposed,
        double factor) {
    private static final String NAME = "training";

    /// What is fitted for a framework on a device.
    ///
    /// @param framework such as `megatron-bridge` or `torchtitan`
    /// @param release its release; blank for the newest
    /// @param precision what products compute in: `bf16`, `fp8`, `mxfp8` or `nvfp4`
    public static TrainingRates of(
            String framework, String release, String precision, DeviceFigures device, Coefficients c) {
        String family = device.family().label();
        String own = NAME + "/framework/" + framework;
        return new TrainingRates(
                peak(precision, device) * c.get(NAME + "/compute-share/" + precision),
                device.half() * c.get(NAME + "/compute-share/bf16"),
                device.half() * c.get(NAME + "/attention-share") * c.factor(NAME + "/attention-share/family/" + family),
                c.get(NAME + "/width"),
                c.get(NAME + "/traffic-bytes"),
                c.get(NAME + "/expert-width"),
                c.get(NAME + "/expert-bytes"),
                c.get(NAME + "/expert-layer")
                        * c.factor(NAME + "/expert-layer/" + framework)
                        * c.factor(NAME + "/expert-layer/release/" + release),
                c.get(NAME + "/selective"),
                c.get(NAME + "/scale-loss"),
                c.get(NAME + "/tensor-exposed"),
                c.get(NAME + "/replica-exposed"),
                c.factor(own)
                        * c.factor(own + "+" + precision)
                        * c.factor(NAME + "/device/" + device.id() + "+" + precision)
                        * c.factor(NAME + "/family/" + family));
    }

    /// Operations per second of the units that multiply in a precision, by the data sheet.
    ///
    /// @param precision `bf16`, `fp8`, `mxfp8` or `nvfp4`
    public static double peak(String precision, DeviceFigures device) {
        return switch (precision) {
            case "fp8", "mxfp8" -> device.eight();
            case "nvfp4" -> device.four();
            default -> device.half();
        };
    }
}
