// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;

/// The rates that llama.cpp reaches on a device: shares of the data sheet's peaks, and times, for weights of a number
/// of bits.
///
/// Each is a coefficient of all devices, times the factor of the family, times that of the backend if it is not the
/// vendor's own.
///
/// @param bits the class of kernels, such as `4-bit`
record LlamaRates(DeviceFigures device, LlamaBuild build, String bits, Coefficients c) {
    static final String NAME = "llama.cpp";
    /// Width of the heads of most models.
    private static final double USUAL_WIDTH = 128;
    /// The range of compute capabilities with matrix instructions of their own.
    private static final double OWN_INSTRUCTIONS = 9;

    private static final double COMMON_INSTRUCTIONS = 12;

    double weights() {
        return device.bandwidth() * of("memory-share", "/" + bits) * ofDevice("decode");
    }

    /// Returns the rate at which routed experts are read: some backends have no kernel of their own for a few rows of
    /// them.
    double experts() {
        String name = "expert-memory-share/" + bits;
        return weights() * ofFamily(name) * ofBackend(name);
    }

    double keys() {
        return device.bandwidth() * of("kv-share", "/" + build.era()) * ofDevice("decode");
    }

    /// Returns the time of a layer on the host. CUDA replays a graph for one sequence, and launches each kernel for
    /// more.
    double layer(boolean isBatch) {
        return of("layer", "/" + build.era()) + (isBatch ? of("batch-layer", "") : 0);
    }

    double expertLayer() {
        return of("expert-layer", "");
    }

    /// Returns the operations per second of products with few rows, or with enough to fill tiles.
    double rows(boolean isVector) {
        return device.half() * of(isVector ? "vector-share" : "tile-share", "");
    }

    /// Returns the operations per second of experts, with the few rows that each gets of a batch.
    double expertRows() {
        return device.half() * of("expert-share", "");
    }

    /// Returns the operations per second of products with a prompt: a share of the peak, or the limit set by power.
    double prompt() {
        double peak = of("compute-share", "/" + bits)
                * device.halfSums()
                * instructions()
                * c.factor(NAME + "/prefill/era/" + build.era())
                * ofDevice("prefill");
        if (device.family() == DeviceFamily.APPLE || device.power().isEmpty()) {
            return peak;
        }
        return Smooth.min(peak, device.power().get() * of("flops-per-joule", "/" + bits));
    }

    /// Returns the share left on Hopper and data-centre Blackwell, which reach their peak only with instructions that
    /// llama.cpp does not use.
    private double instructions() {
        double capability = device.computeCapability().find().orElse(0.0);
        return capability >= OWN_INSTRUCTIONS && capability < COMMON_INSTRUCTIONS
                ? c.get(NAME + "/common-instructions")
                : 1;
    }

    /// Returns the share of that that experts reach with many rows.
    double promptExperts() {
        return prompt() * of("prefill-expert-share", "/" + bits);
    }

    /// Returns the padding rows of an expert's product: tiles are not full. Weights of 16 bits go through the tiles
    /// of a library, expert by expert.
    double padding() {
        return c.get(NAME + "/expert-padding/" + bits);
    }

    /// Returns the operations per second of attention. Kernels of some families cache less of wide heads.
    ///
    /// @param width mean width of a key and a value
    double attention(double width) {
        double narrowing = of("attention-narrowing", "");
        return device.half() * of("attention-share", "") * Math.pow(USUAL_WIDTH / width, narrowing);
    }

    double scoreBytes() {
        return of("score-bytes", "");
    }

    double microBatchLayer() {
        return of("micro-batch-layer", "");
    }

    /// Returns the name of the factor between the device and its family.
    String deviceName(String what) {
        return NAME + "/" + what + "/device/" + device.id();
    }

    /// Returns the factors between generation and family, and between the device and both.
    private double ofDevice(String what) {
        return c.factor(deviceName(what))
                * device.computeCapability()
                        .find()
                        .map(capability -> c.factor(NAME + "/" + what + "/capability/" + capability))
                        .orElse(1.0);
    }

    private double of(String what, String variant) {
        String name = NAME + "/" + what + variant;
        return c.get(name) * ofFamily(what + variant) * ofBackend(what + variant);
    }

    private double ofFamily(String what) {
        return c.factor(NAME + "/" + what + "/family/" + family());
    }

    private double ofBackend(String what) {
        return build.backend().isEmpty() ? 1 : c.factor(NAME + "/" + what + "/backend/" + build.backend());
    }

    /// Returns the family; RDNA 4, which has units for 8-bit floats, has a multiple of the peak of RDNA 3, and
    /// kernels that do not use it.
    private String family() {
        boolean isRdna4 = device.family() == DeviceFamily.AMD_GDDR && device.leastFloatBits() <= 8;
        return isRdna4 ? "amd-rdna4" : device.family().label();
    }
}
