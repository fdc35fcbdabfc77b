// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.core.Reading;
import dev.muster.plan.answer.Estimate;
import dev.muster.plan.answer.PlannedDevice;
import dev.muster.plan.answer.Rental;
import dev.muster.plan.cost.MeshAxis;
import dev.muster.plan.cost.StageLayers;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingTime;
import java.util.List;

/// One way to train a model.
///
/// @param request what was asked
/// @param cluster the devices that there are
/// @param software the framework
/// @param run how the model lies on devices, and in what pieces it works
/// @param layers layers of the model
/// @param memory what the fullest device holds
/// @param peak all of it, with the bounds that measurements of such peaks tell
/// @param tokensPerSecond tokens per second of all devices
/// @param stepSeconds seconds of a step
/// @param utilization useful operations over what the devices could do with 16-bit numbers
/// @param time where the time goes
/// @param isMeasured whether the framework was measured on such devices; where not, bounds are twice as wide
/// @param joulesPerToken what its devices draw for each token; waiting counts as idle
/// @param rental the cheapest machines on demand that have its devices
/// @since 0.1
public record TrainingPlan(
        TrainingRequest request,
        TrainingCluster cluster,
        TrainingFramework software,
        TrainingRun run,
        int layers,
        TrainingMemoryUse memory,
        Estimate peak,
        Estimate tokensPerSecond,
        Estimate stepSeconds,
        double utilization,
        TrainingTime time,
        boolean isMeasured,
        Reading<Estimate> joulesPerToken,
        Reading<Rental> rental) {
    /// The same with a speed that measured runs corrected.
    ///
    /// @param factor how many times as fast
    /// @param width what its interval is multiplied with, in logarithms
    public TrainingPlan withCorrectedSpeed(double factor, double width) {
        return new TrainingPlan(
                request,
                cluster,
                software,
                run,
                layers,
                memory,
                peak,
                tokensPerSecond.corrected(factor, width),
                stepSeconds.corrected(1 / factor, width),
                utilization * factor,
                time,
                isMeasured,
                joulesPerToken,
                rental);
    }

    /// Devices that do something.
    public int devices() {
        return (int) run.devices();
    }

    /// Whether it fits, but the interval of its peak reaches beyond the device.
    public boolean isTight() {
        return memory.fits() && peak.p90() > memory.capacity();
    }

    /// Devices that are left over.
    public int idle() {
        return cluster.devices() - devices();
    }

    /// The devices that do something, of one machine where it is counted several times.
    public List<PlannedDevice> members() {
        List<PlannedDevice> all = cluster.pool().members();
        return all.subList(0, Math.min(devices() / hosts(), all.size()));
    }

    /// Machines that do something: as few as hold the devices of the plan with as many on each.
    public int hosts() {
        int hosts = Math.ceilDiv(devices(), cluster.perHost());
        while (devices() % hosts != 0) {
            hosts++;
        }
        return hosts;
    }

    /// Which layers each stage holds.
    public StageLayers stageLayers() {
        return new StageLayers(layers, (int) run.stages());
    }

    /// The first layer of a stage.
    ///
    /// @param stage from 0; the number of stages for where the model ends
    public int firstLayer(int stage) {
        return stageLayers().first(stage);
    }

    /// The mesh of its devices, the outermost axis first.
    public List<MeshAxis> mesh() {
        MeshAxis replicas = new MeshAxis("dp", (int) run.replicas());
        MeshAxis stages = new MeshAxis("pp", (int) run.stages());
        MeshAxis context = new MeshAxis("cp", (int) run.context());
        MeshAxis tensor = new MeshAxis("tp", (int) run.tensor());
        return run.order() == Order.REPLICAS_FIRST
                ? List.of(stages, replicas, context, tensor)
                : List.of(replicas, stages, context, tensor);
    }
}
