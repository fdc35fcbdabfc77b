// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetListener;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.SourceReport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The nodes of a Kubernetes cluster, read through its API server: devices by extended resources, labels and
/// ResourceSlices, and the pods that hold them. Needs leave to list nodes; without leave to list pods or
/// ResourceSlices that is a gap. Followed, it watches, and tells of a change within a second or so.
///
/// Safe to share between threads.
final class KubernetesSource implements FleetSource {
    private final String name;
    private final AccessReader access;
    private final InstantSource clock;
    private final Provenance provenance;
    private final NodeReader nodes;

    private KubernetesSource(KubernetesConfig config, Host host) {
        this.access = new AccessReader(config, host.files(), host.commands());
        this.clock = host.clock();
        this.name = switch (config.access()) {
            case KubernetesConfig.Kubeconfig kubeconfig ->
                kubeconfig.context().isBlank() ? "kubernetes" : "kubernetes:" + kubeconfig.context();
            case KubernetesConfig.ServiceAccount _ -> "kubernetes";
        };
        this.provenance = Provenance.of(name, Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);
        this.nodes = new NodeReader(provenance);
    }

    /// The source of a cluster; nothing is read yet.
    ///
    /// @param config the access to the cluster
    /// @param host the host whose files and programs tell of credentials, and whose clock tells the time
    public static KubernetesSource of(KubernetesConfig config, Host host) {
        return new KubernetesSource(config, host);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public SourceReport read(Duration limit) {
        Deadline deadline = Deadline.in(limit);
        ClusterState state = newState();
        List<Gap> gaps = new ArrayList<>();
        try (KubernetesClient client = connect();
                ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Task<?>> lists = new ArrayList<>();
            for (ResourceKind<?> kind : kinds()) {
                lists.add(Task.start(kind, client, tasks, deadline));
            }
            try {
                for (Task<?> list : lists) {
                    list.await(this, state, gaps, limit, deadline);
                }
            } finally {
                lists.forEach(list -> list.result().cancel(true));
            }
        }
        gaps.addAll(state.gaps());
        return new SourceReport(name, clock.instant(), state.hosts(), gaps);
    }

    @Override
    public Following follow(FleetListener listener, Duration interval, Duration limit) {
        ClusterWatch watch = new ClusterWatch(name, newState(), this::connect, clock, listener, limit);
        watch.start(kinds());
        return watch;
    }

    private ClusterState newState() {
        return new ClusterState(name, provenance);
    }

    private KubernetesClient connect() {
        return new KubernetesClient(access.read());
    }

    private List<ResourceKind<?>> kinds() {
        return List.of(ResourceKind.nodes(nodes), ResourceKind.pods(), ResourceKind.slices(), ResourceKind.grants());
    }

    /// One list on its way.
    private record Task<T>(ResourceKind<T> kind, Future<ResourceList<T>> result) {
        static <T> Task<T> start(
                ResourceKind<T> kind, KubernetesClient client, ExecutorService tasks, Deadline deadline) {
            return new Task<>(kind, tasks.submit(() -> ResourceList.read(client, kind, deadline)));
        }

        /// Without nodes there is nothing to tell; without the others, less.
        void await(KubernetesSource source, ClusterState state, List<Gap> gaps, Duration limit, Deadline deadline) {
            String problem;
            try {
                ResourceList<T> list = result.get(deadline.remaining().toMillis(), TimeUnit.MILLISECONDS);
                kind.table().apply(state).putAll(list.objects());
                return;
            } catch (TimeoutException _) {
                problem = source.name + ": the list of " + kind.name() + " was not read within " + limit.toSeconds()
                        + " s";
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof AnswerException answer)) {
                    throw new IllegalStateException("reading " + kind.name() + " failed", e.getCause());
                }
                problem = answer.sentence();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FleetException(source.name + ": reading was interrupted", e);
            }
            if (kind.name().equals("nodes")) {
                throw new FleetException(problem);
            }
            gaps.add(new Gap.ProbeFailed(source.name, problem));
        }
    }
}
