// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.training.TrainingPrecision;
import java.util.Set;

/// What a framework makes of a device in training.
///
/// @param products operations per second of products, in matrices without end
/// @param head operations per second of the head, which computes in 16 bits whatever the layers do
/// @param attention operations per second of attention
/// @param width hidden size at which products reach half of that
/// @param trafficBytes bytes of everything else, for each token, layer and number of the residual stream
/// @param expertWidth inner width at which experts reach half of what dense blocks do
/// @param expertBytes bytes that move for each token, chosen expert and number of the residual stream
/// @param experts how many times as fast a release computes and sorts experts; 1 where it was never measured
/// @param expertLayer seconds that the host takes to launch a layer with experts, forward and backward
/// @param selective what selective recomputation adds, as a share of three passes
/// @param recompute what full recomputation adds, as a share of the third of a step that a forward pass counts as
/// @param scaleLoss what each doubling of the devices beyond eight costs
/// @param tensorExposed the part of links within a copy that computation does not hide
/// @param replicaExposed the part of links between replicas that computation does not hide
/// @param factor how much faster than all that the framework is on the device
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

    /// What is fitted for a framework on a device.
    ///
    /// @param framework such as `megatron-bridge` or `torchtitan`
    /// @param release its release; blank for the newest
    /// @param precision what products compute in
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

    /// What frameworks on one core have in common.
    private static double core(String framework, TrainingPrecision precision, Coefficients c) {
        String name = NAME + "/core/megatron";
        return MEGATRON_CORE.contains(framework) ? c.factor(name) * c.factor(name + "+" + precision.label()) : 1;
    }

    /// Devices whose kernels are written alike: of one family, and of one major compute capability where it has any.
    private static String generation(DeviceFigures device) {
        String family = device.family().label();
        return device.computeCapability()
                .find()
                .map(capability -> family + "-" + capability.intValue())
                .orElse(family);
    }

    /// Operations per second of the units that multiply in a precision, by the data sheet.
    public static double peak(TrainingPrecision precision, DeviceFigures device) {
        return switch (precision) {
            case FP8, MXFP8 -> device.eight();
            case NVFP4 -> device.four();
            case BF16 -> device.half();
        };
    }
}
