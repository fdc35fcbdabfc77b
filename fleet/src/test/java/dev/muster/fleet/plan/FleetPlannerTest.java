// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import static dev.muster.fleet.plan.Fleets.held;
import static dev.muster.fleet.plan.Fleets.host;
import static dev.muster.fleet.plan.Fleets.in;
import static dev.muster.fleet.plan.Fleets.restricted;
import static dev.muster.fleet.plan.Fleets.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.DeviceId;
import dev.muster.fleet.Claim;
import dev.muster.fleet.Domain;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FleetPlannerTest {
    private static final ServingChoices USUAL = ServingChoices.USUAL;

    private static ServingRequest request(String model) {
        ModelSummary summary =
                ModelCatalogue.builtIn().find(model).orElseThrow().toSummary();
        return ServingRequest.of(summary).withGoal(ServingGoal.DEVICES);
    }

    private static FleetAnswer<ServingPlan> serve(List<FleetHost> hosts, Admission admission, String model) {
        return FleetPlanner.of(Fleets.of(hosts), admission).serve(request(model), USUAL, 0);
    }

    private static List<String> names(FleetAnswer<?> answer) {
        return answer.hosts().stream().map(share -> share.host().name()).toList();
    }

    @Test
    void takesOneHostWhereOneHoldsTheModel() {
        List<FleetHost> hosts = List.of(host("a", "H100 SXM", 80, 8), host("b", "H100 SXM", 80, 8));

        FleetAnswer<ServingPlan> answer = serve(hosts, Admission.DEFAULT, "llama-3.1-70b");

        assertThat(answer.isFeasible()).isTrue();
        assertThat(names(answer)).hasSize(1);
        assertThat(answer.hosts().getFirst().devices())
                .hasSize(answer.answer().findFirst().orElseThrow().devices())
                .contains(new DeviceId("cuda:0"));
    }

    @Test
    void takesSeveralHostsForALargeModelAndKeepsThemUnderOneLeaf() {
        List<FleetHost> hosts = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            hosts.add(in(
                    host("n" + i, "H100 SXM", 80, 8), new Domain(Domain.DomainKind.LEAF, i % 2 == 0 ? "even" : "odd")));
        }
        hosts.add(in(host("n12", "H100 SXM", 80, 8), new Domain(Domain.DomainKind.LEAF, "even")));

        FleetAnswer<ServingPlan> answer = serve(hosts, Admission.DEFAULT, "llama-3.1-405b");

        assertThat(answer.isFeasible()).isTrue();
        assertThat(answer.hosts().size()).isGreaterThan(1);
        // Both leaves have enough; the one with fewer hosts is taken, and the larger one stays whole.
        assertThat(answer.domains()).containsExactly(new Domain(Domain.DomainKind.LEAF, "odd"));
    }

    @Test
    void warnsWhereAReplicaSpansNvlinkDomains() {
        List<FleetHost> hosts = IntStream.range(0, 6)
                .mapToObj(i -> in(host("n" + i, "H100 SXM", 80, 8), new Domain(Domain.DomainKind.NVLINK, "d" + i)))
                .toList();

        FleetAnswer<ServingPlan> answer = serve(hosts, Admission.DEFAULT, "llama-3.1-405b");

        assertThat(answer.answer().notes()).anyMatch(note -> note.topic() == PlanNote.Topic.SPREAD_REPLICA);
    }

    @Test
    void leavesOutWhatIsHeldDownReservedTaintedOrInAnotherPartition() {
        FleetHost down = with(
                host("down", "H100 SXM", 80, 8),
                new HostState(HostState.HostStateKind.DOWN, "DOWN*", ""),
                List.of(),
                List.of());
        FleetHost reserved = restricted(
                host("reserved", "H100 SXM", 80, 8),
                new Restriction(Restriction.RestrictionKind.RESERVATION, "maint", ""));
        FleetHost tainted = restricted(
                host("tainted", "H100 SXM", 80, 8),
                new Restriction(Restriction.RestrictionKind.TAINT, "nvidia.com/gpu", "present:NoSchedule"));
        FleetHost wished = restricted(
                host("wished", "H100 SXM", 80, 8),
                new Restriction(Restriction.RestrictionKind.TAINT, "busy", "true:PreferNoSchedule"),
                new Restriction(Restriction.RestrictionKind.PARTITION, "batch", ""));
        FleetHost held = held(host("held", "H100 SXM", 80, 8), 8);
        List<FleetHost> hosts = List.of(down, reserved, tainted, held, wished);

        FleetAnswer<ServingPlan> usual = serve(hosts, Admission.DEFAULT, "llama-3.1-8b");
        Admission tolerant = new Admission("", "", Set.of("nvidia.com/gpu"));
        Admission elsewhere = new Admission("debug", "", Set.of());

        assertThat(names(usual)).containsExactly("wished");
        assertThat(usual.refused())
                .containsOnlyKeys("down", "reserved: maint", "tainted: nvidia.com/gpu", "no device is free");
        assertThat(serve(hosts, tolerant, "llama-3.1-8b")
                        .considered()
                        .getFirst()
                        .free())
                .isEqualTo(2);
        assertThat(serve(hosts, elsewhere, "llama-3.1-8b").isFeasible()).isFalse();
        assertThat(serve(hosts, new Admission("batch", "", Set.of()), "llama-3.1-8b")
                        .isFeasible())
                .isTrue();
    }

    @Test
    void fillsHostsThatHaveLessToSpareFirst() {
        List<FleetHost> hosts = List.of(host("whole", "H100 SXM", 80, 8), held(host("rest", "H100 SXM", 80, 8), 7));

        assertThat(names(serve(hosts, Admission.DEFAULT, "llama-3.1-8b"))).containsExactly("rest");
    }

    @Test
    void usesNoDeviceThatAClaimNames() {
        FleetHost host = host("a", "H100 SXM", 80, 2);
        FleetHost half = with(
                host, host.state(), List.of(new Claim("job 1", "", 1, List.of(new DeviceId("cuda:0")))), List.of());

        FleetAnswer<ServingPlan> answer = serve(List.of(half), Admission.DEFAULT, "llama-3.1-8b");

        assertThat(answer.hosts().getFirst().devices()).containsExactly(new DeviceId("cuda:1"));
        assertThat(answer.site(Admission.DEFAULT).isShared()).isTrue();
    }

    @Test
    void namesItsHostsToSlurmAndKubernetes() {
        List<FleetHost> hosts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            hosts.add(restricted(
                    host("n" + i, "H100 SXM", 80, 8),
                    new Restriction(Restriction.RestrictionKind.TAINT, "gpu", "NoSchedule")));
        }
        Admission admission = new Admission("", "", Set.of("gpu"));
        FleetAnswer<ServingPlan> answer = serve(hosts, admission, "llama-3.1-405b");
        ServingPlan plan = answer.answer().findFirst().orElseThrow();
        String nodes = String.join(",", names(answer));

        assertThat(emitted(plan, LaunchTarget.SLURM, answer, admission))
                .contains("#SBATCH --nodelist=" + nodes)
                .contains("#SBATCH --nodes=" + answer.hosts().size())
                .contains("--exclusive");
        assertThat(emitted(plan, LaunchTarget.KUBERNETES, answer, admission))
                .contains("matchFields:", "key: metadata.name")
                .contains(names(answer).toArray(String[]::new))
                .contains("tolerations:", "key: gpu", "operator: Exists");
    }

    @Test
    void aHostWithAJobThatHoldsNoDeviceIsNotAskedForAlone() {
        for (boolean shared : new boolean[] {false, true}) {
            List<FleetHost> hosts = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                FleetHost host = host("n" + i, "H100 SXM", 80, 8);
                hosts.add(shared ? held(host, 0) : host);
            }
            FleetAnswer<ServingPlan> answer = serve(hosts, Admission.DEFAULT, "llama-3.1-405b");
            ServingPlan plan = answer.answer().findFirst().orElseThrow();
            assertThat(emitted(plan, LaunchTarget.SLURM, answer, Admission.DEFAULT)
                            .contains("--exclusive"))
                    .isEqualTo(!shared);
        }
    }

    private static String emitted(
            ServingPlan plan, LaunchTarget target, FleetAnswer<ServingPlan> answer, Admission admission) {
        LaunchAnswer launch = Launcher.emit(plan, target, answer.site(admission));
        return ((LaunchAnswer.Emitted) launch).artifacts().getFirst().text();
    }

    @Test
    void takesTheLeastFormOfADeviceThatItsSchedulerCallsByAShortWord() {
        List<FleetHost> hosts = List.of(Fleets.called("a", "h100", 2));

        FleetAnswer<ServingPlan> answer = serve(hosts, Admission.DEFAULT, "llama-3.1-8b");

        assertThat(answer.isFeasible()).isTrue();
        assertThat(answer.answer().findFirst().orElseThrow().pool().name()).isEqualTo("H100 SXM5 80GB");
        assertThat(answer.answer().notes()).contains(PlanNote.of(PlanNote.Topic.LEAST_FORM, "h100", "H100 SXM5 80GB"));
    }

    @Test
    void saysWhyNothingIsLeft() {
        FleetAnswer<ServingPlan> answer =
                serve(List.of(held(host("a", "H100 SXM", 80, 8), 8)), Admission.DEFAULT, "llama-3.1-8b");

        assertThat(answer.isFeasible()).isFalse();
        assertThat(answer.refused()).containsEntry("no device is free", 1);
    }

    @Test
    void countsReplicasThatFitBesideEachOther() {
        List<FleetHost> hosts = IntStream.range(0, 10)
                .mapToObj(i -> host("n" + i, "H100 SXM", 80, 8))
                .toList();
        List<ServingRequest> models = List.of(request("llama-3.1-8b"), request("llama-3.1-70b"));

        Capacity capacity = FleetPlanner.of(Fleets.of(hosts), Admission.DEFAULT).capacity(models, USUAL);

        int set = capacity.models().stream()
                .mapToInt(model -> model.places().getFirst().devices())
                .sum();
        assertThat(capacity.freeDevices()).isEqualTo(80);
        assertThat(capacity.sets()).isPositive().isLessThanOrEqualTo(80 / set);
        assertThat(capacity.bound()).isGreaterThanOrEqualTo(capacity.sets());
        assertThat(capacity.models())
                .allSatisfy(model -> assertThat(model.problem()).isEmpty());
    }

    @Test
    void saysWhichModelFitsNowhere() {
        List<FleetHost> hosts = List.of(host("a", "H100 SXM", 80, 1));

        Capacity capacity = FleetPlanner.of(Fleets.of(hosts), Admission.DEFAULT)
                .capacity(List.of(request("llama-3.1-8b"), request("llama-3.1-405b")), USUAL);

        assertThat(capacity.sets()).isZero();
        assertThat(capacity.models().get(1).problem().orElseThrow().cause()).isEqualTo(Shortfall.Cause.DOES_NOT_FIT);
    }
}
