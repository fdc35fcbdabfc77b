// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.HostMemory;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.cost.StepTime;
import java.util.List;
import java.util.Optional;

/// A model split by layers over unlike devices, and perhaps the host, under llama.cpp.
///
/// @param request the request
/// @param host usable memory of the host
/// @param placements content of each device, in the order of the layers; the host first if it is used
/// @param idle names of unused devices, because they would slow the model down
/// @param hostExperts number of first layers whose experts are on the host; 0 for none
/// @param timeToFirstToken seconds until the first token
/// @param timePerOutputToken seconds between tokens, with all sequences running
/// @param tokensPerSecond output tokens per second of all sequences
/// @param prefillTokensPerSecond prompt tokens per second
/// @param step parts of the time between tokens
/// @param isMeasured true if llama.cpp was measured on all of the devices; otherwise intervals are twice as wide
/// @param usesHost true if the host holds layers or experts; then intervals are twice as wide again, which is an
/// estimate
/// @since 0.1
public record MixedPlan(
        ServingRequest request,
        HostMemory host,
        List<Placement> placements,
        List<String> idle,
        int hostExperts,
        Estimate timeToFirstToken,
        Estimate timePerOutputToken,
        Estimate tokensPerSecond,
        Estimate prefillTokensPerSecond,
        StepTime step,
        boolean isMeasured,
        boolean usesHost) {
    /// Copies both lists.
    public MixedPlan {
        placements = List.copyOf(placements);
        idle = List.copyOf(idle);
    }

    /// The content of one device.
    ///
    /// @param member the device; empty for the host
    /// @param device display name
    /// @param isHost true if it is the host
    /// @param firstLayer its first layer, from 0
    /// @param layers number of layers it holds
    /// @param hasHead true if it holds the output projection
    /// @param expertsElsewhere layers among them whose routed experts are on the host
    /// @param memory its memory use
    public record Placement(
            Optional<PlannedDevice> member,
            String device,
            boolean isHost,
            int firstLayer,
            int layers,
            boolean hasHead,
            int expertsElsewhere,
            DeviceMemoryUse memory) {}

    /// Returns the devices in use, in the order of the layers.
    public List<PlannedDevice> members() {
        return placements.stream()
                .flatMap(placement -> placement.member().stream())
                .toList();
    }

    /// Returns the number of devices in use, without the host.
    public int devices() {
        return (int)
                placements.stream().filter(placement -> !placement.isHost()).count();
    }

    /// Returns the layers on devices, as llama.cpp counts them: the head is one of them.
    public int deviceLayers() {
        return placements.stream()
                .filter(placement -> !placement.isHost())
                .mapToInt(placement -> placement.layers() + (placement.hasHead() ? 1 : 0))
                .sum();
    }
}
