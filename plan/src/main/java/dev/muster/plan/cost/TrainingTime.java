// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import java.util.LinkedHashMap;
import java.util.Map;

/// The parts of the time of training: seconds of one device for each token. Their sum is the whole.
///
/// @param products products of matrices that every token passes, head included
/// @param attention attention
/// @param experts products and moves of routed experts
/// @param traffic memory traffic without computation
/// @param host waiting for the host to launch kernels
/// @param links exposed communication within a replica
/// @param bubble waiting for the pipeline to fill and drain, and for its fullest stage
/// @param optimizer the optimizer's step
/// @param replicas exposed communication between replicas
/// @param offload moves to the host and back, and the optimizer's step there
/// @param scale loss to the slowest of many devices
/// @since 0.1
public record TrainingTime(
        double products,
        double attention,
        double experts,
        double traffic,
        double host,
        double links,
        double bubble,
        double optimizer,
        double replicas,
        double offload,
        double scale) {
    /// Returns a copy with another time for offload.
    public TrainingTime withOffload(double seconds) {
        return new TrainingTime(
                products, attention, experts, traffic, host, links, bubble, optimizer, replicas, seconds, scale);
    }

    /// Returns the seconds of each part.
    public Map<StepTerm.StepPart, Double> shares() {
        Map<StepTerm.StepPart, Double> shares = new LinkedHashMap<>();
        shares.put(StepTerm.StepPart.PRODUCTS, products);
        shares.put(StepTerm.StepPart.ATTENTION, attention);
        shares.put(StepTerm.StepPart.EXPERTS, experts);
        shares.put(StepTerm.StepPart.TRAFFIC, traffic);
        shares.put(StepTerm.StepPart.HOST, host);
        shares.put(StepTerm.StepPart.LINKS, links);
        shares.put(StepTerm.StepPart.PIPELINE, bubble);
        shares.put(StepTerm.StepPart.OPTIMIZER, optimizer);
        shares.put(StepTerm.StepPart.REPLICAS, replicas);
        shares.put(StepTerm.StepPart.OFFLOAD, offload);
        shares.put(StepTerm.StepPart.STRAGGLERS, scale);
        return shares;
    }

    /// Returns the total.
    public double seconds() {
        return products + attention + experts + traffic + host + links + bubble + optimizer + replicas + offload
                + scale;
    }
}
