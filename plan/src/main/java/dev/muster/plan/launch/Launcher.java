// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Finding;
import dev.muster.model.ModelDimension;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.TrainingPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Emits plans for the programs that run them: writes commands and files, and starts nothing. Immutable and safe to
/// share between threads.
///
/// @since 0.1
public final class Launcher {
    static final String SCRIPT_NAME = "launch.sh";
    private static final String NO_WRAPPER = "none";
    private static final int MAX_JOB_NAME = 40;

    private Launcher() {}

    /// Returns the files that start a serving plan, or the reason why a target cannot run it.
    ///
    /// @throws IllegalArgumentException if the model's source is nothing for a command line; the message says why
    public static LaunchAnswer emit(ServingPlan plan, LaunchTarget target) {
        return emit(plan, target, UnaryOperator.identity());
    }

    /// Returns the files that start a serving plan on chosen hosts, or the reason why a target cannot run it.
    ///
    /// @throws IllegalArgumentException if the model's source is nothing for a command line; the message says why
    /// @since 0.2
    public static LaunchAnswer emit(ServingPlan plan, LaunchTarget target, Site site) {
        return emit(plan, target, site::describe);
    }

    /// Returns the files that start a plan of a model that does not chat, or the reason why a target cannot run it.
    ///
    /// @throws IllegalArgumentException if the model's source is nothing for a command line; the message says why
    /// @since 0.3
    public static LaunchAnswer emit(TaskPlan plan, LaunchTarget target) {
        return emit(target, TaskFacts.of(plan));
    }

    /// Returns the files that start a deployment with the options chosen for its load, or the reason why a target
    /// cannot run it.
    ///
    /// @throws IllegalArgumentException if the model's source is nothing for a command line; the message says why
    public static LaunchAnswer emit(DeploymentPlan deployment, LaunchTarget target) {
        UnaryOperator<LaunchFacts> scheduled = facts -> ServingFacts.scheduled(facts, deployment);
        return deployment.isDisaggregated()
                ? Disaggregation.of(deployment)
                        .emit(
                                target,
                                (own, role) ->
                                        emit(deployment.plan(), own, facts -> role.apply(scheduled.apply(facts))))
                : emit(deployment.plan(), target, scheduled);
    }

    private static LaunchAnswer emit(ServingPlan plan, LaunchTarget target, UnaryOperator<LaunchFacts> more) {
        // Some engines run plans of others, and have rules of their own.
        ServingEngine engine = target.findEngine().orElse(plan.software());
        EngineRules rules = EngineRules.of(
                engine,
                plan.request().architecture(),
                plan.request().format(),
                plan.pool().device());
        ServingRequest request = plan.request();
        long most = request.architecture().find(ModelDimension.CONTEXT).orElse(Integer.MAX_VALUE);
        if (request.tokens() > most) {
            return refused(Cause.CONTEXT_TOO_LONG, request.model().name(), most, engine, request.tokens());
        }
        return ModelShape.of(request.architecture())
                .flatMap(shape -> rules.findRefusal(request).or(() -> rules.findBroken(shape, plan.layout())))
                .<LaunchAnswer>map(broken -> refused(
                        Cause.RULE_BROKEN,
                        broken.engine(),
                        broken.release(),
                        broken.sentence(),
                        broken.source(),
                        engine))
                .orElseGet(() -> emit(target, more.apply(ServingFacts.of(plan, engine, rules))));
    }

    /// Returns the files that start a plan over unlike devices, or the reason why a target cannot run it.
    ///
    /// @throws IllegalArgumentException if the model's source is nothing for a command line; the message says why
    public static LaunchAnswer emit(MixedPlan plan, LaunchTarget target) {
        return emit(target, ServingFacts.of(plan));
    }

    /// Returns the files that start a training plan, or the reason why a target cannot run it.
    ///
    /// @throws IllegalArgumentException if the model's source is nothing for a command line; the message says why
    public static LaunchAnswer emit(TrainingPlan plan, LaunchTarget target) {
        return emit(target, TrainingFacts.of(plan));
    }

    /// Returns the files that start a training plan on chosen hosts, or the reason why a target cannot run it.
    ///
    /// @throws IllegalArgumentException if the model's source is nothing for a command line; the message says why
    /// @since 0.2
    public static LaunchAnswer emit(TrainingPlan plan, LaunchTarget target, Site site) {
        return emit(target, site.describe(TrainingFacts.of(plan)));
    }

    /// Compares what an emitted file says at its top that it needs with a host, or returns nothing if it does not say
    /// so.
    ///
    /// @since 0.2
    public static Optional<List<Finding>> examine(String file, AcceleratorRegistry registry) {
        return LaunchHeader.find(file).map(header -> LaunchHeader.examine(header, registry));
    }

    /// Returns the release of a target whose options emitted launches use.
    public static String version(LaunchTarget target) {
        return LaunchTemplate.of(target).version();
    }

    /// Returns the files for some facts, or the reason why a target cannot run them.
    ///
    /// @throws IllegalArgumentException if the facts lack what every command needs, such as the hosts
    static LaunchAnswer emit(LaunchTarget target, LaunchFacts facts) {
        Optional<LaunchTarget.LaunchKind> purpose = facts.findPurpose();
        boolean wraps = target.kind() == LaunchTarget.LaunchKind.CLUSTER;
        if (!wraps && !purpose.equals(Optional.of(target.kind()))) {
            return refused(
                    target.kind() == LaunchTarget.LaunchKind.TRAINING ? Cause.TRAINS_ONLY : Cause.SERVES_ONLY,
                    target.display());
        }
        Optional<LaunchTarget> engine = wraps
                ? facts.find(LaunchFact.ENGINE)
                        .flatMap(LaunchTarget::find)
                        .filter(one -> purpose.equals(Optional.of(one.kind())))
                : Optional.of(target);
        if (engine.isEmpty()) {
            return refused(Cause.NO_TARGET, facts.find(LaunchFact.ENGINE_NAME).orElse(""));
        }
        LaunchShape shape = LaunchShape.of(facts);
        return shape.problem()
                .<LaunchAnswer>map(LaunchAnswer.Refused::new)
                .orElseGet(() -> emit(target, LaunchTemplate.of(engine.get()), facts, shape));
    }

    private static LaunchAnswer emit(
            LaunchTarget target, LaunchTemplate engine, LaunchFacts plan, LaunchShape planned) {
        // Kubernetes counts replicas itself; each of its groups is one.
        boolean single = target == LaunchTarget.KSERVE
                || (target == LaunchTarget.KUBERNETES && !DeviceNaming.takesWholeNodes(plan, planned));
        LaunchShape shape = single ? planned.single() : planned;
        LaunchFacts described = shape.describe(defaults(withRelease(plan, engine)));
        LaunchFacts facts = (target == engine.target()
                        ? described.with(LaunchFact.WRAPPER, NO_WRAPPER)
                        : described.withWrapper(target))
                .with(LaunchFact.GROUPS, single ? planned.replicas() : shape.groups());
        if (!engine.files(facts).isEmpty()) {
            facts = facts.with(LaunchFact.SETTINGS, 1);
        }
        Optional<String> refusal = refusal(engine, facts);
        if (refusal.isPresent()) {
            return refused(Cause.TARGET_LIMIT, refusal.get());
        }
        HostScript script = new HostScript(engine, facts, shape);
        if (target == engine.target()) {
            return new LaunchAnswer.Emitted(standalone(engine, facts, script));
        }
        LaunchTemplate wrapper = LaunchTemplate.of(target);
        LaunchFacts wrapped = withImage(engine, facts);
        return refusal(wrapper, wrapped)
                .<LaunchAnswer>map(limit -> refused(Cause.TARGET_LIMIT, limit))
                .orElseGet(() -> new LaunchAnswer.Emitted(clustered(wrapper, engine, wrapped, script)));
    }

    /// Returns the facts with the release that is started. A serving plan states that of the started engine, and a
    /// training plan that of the planned one, while another program may run it.
    private static LaunchFacts withRelease(LaunchFacts plan, LaunchTemplate engine) {
        boolean isOfEngine = ServingEngine.find(engine.target().label()).isPresent()
                || plan.find(LaunchFact.ENGINE)
                        .equals(Optional.of(engine.target().label()));
        return isOfEngine && plan.find(LaunchFact.RELEASE).isPresent()
                ? plan
                : plan.with(LaunchFact.RELEASE, engine.version());
    }

    /// Returns the jobs of a cluster. Slurm gives a job all hosts that it names, so each replica with hosts of its
    /// own becomes a job.
    private static List<Artifact> clustered(
            LaunchTemplate wrapper, LaunchTemplate engine, LaunchFacts facts, HostScript script) {
        int groups = facts.number(LaunchFact.GROUPS);
        Optional<List<String>> nodes = facts.findNames(LaunchFact.NODES);
        if (wrapper.target() != LaunchTarget.SLURM || groups == 1 || nodes.isEmpty()) {
            return new ClusterLaunch(wrapper, engine, facts, script).artifacts();
        }
        List<String> names = nodes.get();
        int size = names.size() / groups;
        List<Artifact> artifacts = new ArrayList<>();
        for (int group = 0; group < groups; group++) {
            List<String> own = names.subList(group * size, (group + 1) * size);
            LaunchFacts alone = facts.with(LaunchFact.GROUPS, 1).with(LaunchFact.NODES, own);
            for (Artifact artifact : new ClusterLaunch(wrapper, engine, alone, script).artifacts()) {
                artifacts.add(artifact.named((group + 1) + "-" + artifact.name()));
            }
        }
        return artifacts;
    }

    /// The hosts of a cluster that were chosen for a plan. Immutable.
    ///
    /// @param hosts host names; those of each replica stand together
    /// @param partition Slurm partition of the hosts; blank for the default one
    /// @param reservation Slurm reservation of the hosts; blank if there is none
    /// @param tolerations keys of the hosts' taints that are tolerated
    /// @param isShared true if others use the rest of their devices
    /// @since 0.2
    public record Site(
            List<String> hosts, String partition, String reservation, List<String> tolerations, boolean isShared) {
        private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._/-]*";

        /// Checks the names.
        ///
        /// @throws IllegalArgumentException without a host, or if a name is not one that schedulers give
        public Site {
            hosts = List.copyOf(hosts);
            tolerations = List.copyOf(tolerations);
            if (hosts.isEmpty()) {
                throw new IllegalArgumentException("a plan runs on at least one host");
            }
            Stream.of(hosts.stream(), tolerations.stream(), Stream.of(partition, reservation))
                    .flatMap(names -> names)
                    .filter(name -> !name.isEmpty() && !name.matches(NAME))
                    .findFirst()
                    .ifPresent(name -> {
                        throw new IllegalArgumentException("'" + name + "' is not a valid host name");
                    });
        }

        /// Returns a site of hosts without further facts.
        public static Site of(List<String> hosts) {
            return new Site(hosts, "", "", List.of(), false);
        }

        private LaunchFacts describe(LaunchFacts facts) {
            LaunchFacts placed = facts.with(LaunchFact.NODES, hosts);
            placed = partition.isBlank() ? placed : placed.with(LaunchFact.PARTITION, partition);
            placed = reservation.isBlank() ? placed : placed.with(LaunchFact.RESERVATION, reservation);
            placed = tolerations.isEmpty() ? placed : placed.with(LaunchFact.TOLERATIONS, tolerations);
            return isShared ? placed.with(LaunchFact.SHARED, 1) : placed;
        }
    }

    private static LaunchAnswer refused(Cause cause, Object... values) {
        return new LaunchAnswer.Refused(Shortfall.of(cause, values));
    }

    private static Optional<String> refusal(LaunchTemplate template, LaunchFacts facts) {
        return template.rows(TemplateRow.Part.REFUSE, facts).stream()
                .flatMap(row -> row.reason(facts).stream())
                .findFirst();
    }

    private static LaunchFacts defaults(LaunchFacts known) {
        LaunchFacts facts = known.find(LaunchFact.ROLE).isPresent() ? known : known.with(LaunchFact.ROLE, "both");
        LaunchFacts scripted =
                facts.find(LaunchFact.SCRIPT).isPresent() ? facts : facts.with(LaunchFact.SCRIPT, "train.py");
        LaunchFacts named =
                scripted.with(LaunchFact.JOB, job(facts.find(LaunchFact.MODEL).orElse("")));
        return DeviceNaming.findResource(facts)
                .map(resource -> named.with(LaunchFact.RESOURCE, resource))
                .orElse(named);
    }

    /// Returns a name that Slurm and Kubernetes accept: lower-case letters, digits and dashes, a letter first.
    private static String job(String model) {
        String last = model.substring(model.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        String clean = last.replaceAll("[^a-z0-9]+", "-").replaceAll("^[^a-z]+|-+$", "");
        String cut = clean.substring(0, Math.min(clean.length(), MAX_JOB_NAME)).replaceAll("-+$", "");
        return cut.isEmpty() ? "model" : cut;
    }

    private static LaunchFacts withImage(LaunchTemplate engine, LaunchFacts facts) {
        return engine.rows(TemplateRow.Part.IMAGE, facts).stream()
                .findFirst()
                .flatMap(row -> row.value().fill(facts))
                .map(image -> facts.with(LaunchFact.IMAGE, image))
                .orElse(facts);
    }

    /// Returns a script and the files that it needs.
    static List<Artifact> standalone(LaunchTemplate engine, LaunchFacts facts, HostScript script) {
        List<String> body = script.lines();
        List<String> lines = new ArrayList<>();
        lines.add("#!/bin/sh");
        lines.addAll(LaunchComment.title(engine, facts));
        lines.addAll(LaunchComment.where(engine, facts));
        lines.addAll(LaunchComment.requirements(engine, facts, body));
        List<ConfigFile> files = engine.files(facts);
        for (ConfigFile file : files) {
            file.reasons().forEach(reason -> lines.add("# " + reason));
        }
        lines.addAll(body);
        List<Artifact> artifacts = new ArrayList<>();
        artifacts.add(new Artifact(SCRIPT_NAME, Artifact.SHELL, String.join("\n", lines) + "\n"));
        artifacts.addAll(sideFiles(engine, engine, facts, files));
        return artifacts;
    }

    /// Returns the files that a script needs beside it.
    ///
    /// @param engine template of the program that is started
    /// @param template template that has the files
    static List<Artifact> sideFiles(
            LaunchTemplate engine, LaunchTemplate template, LaunchFacts facts, List<ConfigFile> files) {
        List<Artifact> artifacts = new ArrayList<>();
        String header = LaunchHeader.of(engine, facts) + "\n";
        files.forEach(file -> artifacts.add(file.toArtifact(header)));
        for (TemplateRow row : template.rows()) {
            if (row.part() == TemplateRow.Part.LINES) {
                hostLines(row, facts, header).ifPresent(artifacts::add);
            }
        }
        return artifacts;
    }

    private static Optional<Artifact> hostLines(TemplateRow row, LaunchFacts facts, String header) {
        if (!row.when().holds(facts)) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(header);
        row.reason(facts).ifPresent(reason -> text.append("# ").append(reason).append('\n'));
        for (int host = 0; host < facts.number(LaunchFact.HOSTS_TOGETHER); host++) {
            LaunchFacts own = facts.with(LaunchFact.HOST, host);
            text.append(row.value().fill(own).orElseThrow()).append('\n');
        }
        return Optional.of(new Artifact(row.command(), Artifact.PLAIN, text.toString()));
    }
}
