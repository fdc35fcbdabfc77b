package dev.muster.plan.search;

import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.StepTime;

/// One way to serve a model.
///
/// @param pool the devices that there are
/// @param software the engine
/// @param layout how one copy of the model lies on devices
/// @param copies how many copies run beside each other
/// @param memory what each device holds
/// @param firstToken seconds until the first token, on an idle copy
/// @param perToken seconds between tokens, with all sequences running
/// @param tokensPerSecond output tokens per second of all copies
/// @param step where the time between tokens goes
/// @param isMeasured whether the engine was measured on such devices; where not, intervals are twice as wide
/// @since 0.1
public record ServingPlan(
        DevicePool pool,
        ServingSoftware software,
        StepLayout layout,
        int copies,
        DeviceMemoryUse memory,
        Estimate firstToken,
        Estimate perToken,
        Estimate tokensPerSecond,
        StepTime step,
        boolean isMeasured) {
    /// Devices that do something.
    public int devices() {
        return copies * layout.devices();
    }

    /// Devices that are left over.
    public int idle() {
        return pool.count() - devices();
    }
}
