package dev.muster.plan.serving;

import dev.muster.plan.serving.ServingSimulation.Figures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A deployment that was played through under load: how its replicas are laid out, the options of its engine, and what
/// clients see.
///
/// @param simulation the plan of its replicas, and what the load does to them
/// @param options options of the engine that are not its defaults, by its own names
/// @param missed objectives that it does not keep
/// @since 0.1
public record DeploymentPlan(
        ServingSimulation simulation, Map<String, String> options, List<ServiceLevel.Objective> missed) {
    /// Copies options and objectives.
    public DeploymentPlan {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        missed = List.copyOf(missed);
    }

    /// How the replicas are laid out.
    public ServingPlan plan() {
        return simulation.plan();
    }

    /// What clients see.
    public Figures figures() {
        return simulation.figures();
    }

    /// Whether prefill and decode are apart.
    public boolean isDisaggregated() {
        return simulation.decodeReplicas() > 0;
    }

    /// Whether it keeps all objectives and refuses no request.
    public boolean isAccepted() {
        return missed.isEmpty() && simulation.rejected() == 0;
    }

    /// Output tokens per second for each device.
    public double tokensPerSecondPerDevice() {
        return figures().tokensPerSecond() / plan().devices();
    }

    /// Interactivity: tokens per second that a user sees, by the median time per output token; 0 where no answer has
    /// two tokens.
    public double tokensPerSecondPerUser() {
        double each = figures().timePerOutputToken().p50();
        return each == 0 ? 0 : 1 / each;
    }

    /// Those of several that no other beats in tokens per second of each user and of each device, the most interactive
    /// first. Deployments that refuse a request are not among them.
    public static List<DeploymentPlan> front(List<DeploymentPlan> plans) {
        List<DeploymentPlan> sorted = new ArrayList<>(plans);
        sorted.removeIf(plan -> plan.simulation.rejected() > 0);
        sorted.sort(Comparator.comparingDouble(DeploymentPlan::tokensPerSecondPerUser)
                .thenComparingDouble(DeploymentPlan::tokensPerSecondPerDevice)
                .reversed());
        List<DeploymentPlan> front = new ArrayList<>();
        double most = 0;
        for (DeploymentPlan plan : sorted) {
            if (plan.tokensPerSecondPerDevice() > most) {
                most = plan.tokensPerSecondPerDevice();
                front.add(plan);
            }
        }
        return front;
    }
}
