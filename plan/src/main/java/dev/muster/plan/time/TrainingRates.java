// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.training.TrainingPrecision;
import java.util.Set;

/// The rates that a framework reaches on a device in training.
///
/// @param products operations per second of products of very large matrices
/// @param head operations per second of the head, which always computes in 16 bits
/// @param attention operations per second of attention
/// @param width hidden size at which products reach half of that
/// @param trafficBytes bytes of everything else, for each token, layer and number of the residual stream
/// @param expertWidth inner width at which experts reach half of what dense blocks do
/// @param expertBytes bytes that move for each token, chosen expert and number of the residual stream
/// @param experts speed of experts and sorting in a release, relative to others; 1 if it was never measured
/// @param expertLayer seconds that the host takes to launch a layer with experts, forward and backward
/// @param selective cost of selective recomputation, as a share of three passes
/// @param recompute cost of full recomputation, as a share of the third of a step that a forward pass counts as
/// @param scaleLoss loss with each doubling of the devices beyond eight
/// @param tensorExposed share of links within a replica that computation does not hide
/// @param replicaExposed share of links between replicas that computation does not hide
/// @param factor speed of the framework on the device, relative to all of the above
public record TrainingRates(
        double products,
        double head,
        double attention,
        double width,
        double trafficBytes,
        double expertWidth,
        double expertBytes,
        double experts,
        double expertLayer,
        double selective,
        double recompute,
        double scaleLoss,
        double tensorExposed,
        double replicaExposed,
        double factor) {
    private static final String NAME = "training";
    /// Frameworks on Megatron Core.
    private static final Set<String> MEGATRON_CORE = Set.of("megatron-lm", "megatron-bridge", "nemo", "nemo-mlperf");

    /// Returns the fitted rates of a framework on a device.
    ///
    /// @param framework such as `megatron-bridge` or `torchtitan`
    /// @param release release; blank for the newest
    /// @param precision precision of the matrix products
    public static TrainingRates of(
            String framework, String release, TrainingPrecision precision, DeviceFigures device, Coefficients c) {
        String family = device.family().label();
        String own = NAME + "/framework/" + framework;
        return new TrainingRates(
                peak(precision, device) * c.get(NAME + "/compute-share/" + precision.label()),
                device.half() * c.get(NAME + "/compute-share/bf16"),
                device.half()
                        * c.get(NAME + "/attention-share")
                        * c.factor(NAME + "/attention-share/family/" + family)
                        * c.factor(NAME + "/attention-share/generation/" + generation(device)),
                c.get(NAME + "/width"),
                c.get(NAME + "/traffic-bytes"),
                c.get(NAME + "/expert-width"),
                c.get(NAME + "/expert-bytes") * c.factor(NAME + "/expert-bytes/family/" + family),
                c.factor(NAME + "/experts/release/" + release),
                c.get(NAME + "/expert-layer")
                        * c.factor(NAME + "/expert-layer/" + framework)
                        * c.factor(NAME + "/expert-layer/release/" + release),
                c.get(NAME + "/selective"),
                c.get(NAME + "/recompute"),
                c.get(NAME + "/scale-loss"),
                c.get(NAME + "/tensor-exposed") * c.factor(NAME + "/tensor-exposed/" + framework),
                c.get(NAME + "/replica-exposed"),
                core(framework, precision, c)
                        * c.factor(own)
                        * c.factor(own + "+" + precision.label())
                        * c.factor(NAME + "/device/" + device.id() + "+" + precision.label())
                        * c.factor(NAME + "/family/" + family));
    }

    private static double core(String framework, TrainingPrecision precision, Coefficients c) {
        String name = NAME + "/core/megatron";
        return MEGATRON_CORE.contains(framework) ? c.factor(name) * c.factor(name + "+" + precision.label()) : 1;
    }

    /// Returns the generation: devices of one family, and of one major compute capability if it has any.
    private static String generation(DeviceFigures device) {
        String family = device.family().label();
        return device.computeCapability()
                .find()
                .map(capability -> family + "-" + capability.intValue())
                .orElse(family);
    }

    /// Returns the operations per second of the units that multiply in a precision, by the data sheet.
    public static double peak(TrainingPrecision precision, DeviceFigures device) {
        return switch (precision) {
            case FP8, MXFP8 -> device.eight();
            case NVFP4 -> device.four();
            case BF16 -> device.half();
        };
    }
}
