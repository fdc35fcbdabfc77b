// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import dev.muster.core.Gap;
import dev.muster.core.text.HostList;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.HostCommands;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.SourceKind;
import dev.muster.fleet.SourceReport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Hosts that the system's ssh can reach without a password, each asked for itself, all at once and by one deadline:
/// `muster detect` there, or the tools of vendors on hosts without Muster. A host that hangs, refuses or is not known
/// is
/// a gap. Nothing is installed, written or changed there. Safe to share between threads.
final class SshSource implements FleetSource {
    /// The most hosts of one source.
    public static final int MAX_HOSTS = 4_096;

    /// Each is a process here, which has to be looked after.
    private static final int MAX_AT_ONCE = 64;
    /// Of the time given, what hosts get: the rest is for ending what hangs.
    private static final double SHARE_OF_HOSTS = 0.9;

    private static final Duration MOST_TO_CONNECT = Duration.ofSeconds(10);

    private final String name;
    private final List<String> hosts;
    private final List<String> options;
    private final HostCommands commands;
    private final InstantSource clock;
    private final System.Logger log;

    private SshSource(
            String list, List<String> options, HostCommands commands, InstantSource clock, System.Logger log) {
        int at = list.indexOf('@');
        String user = at < 0 ? "" : list.substring(0, at);
        if (at >= 0 && !user.matches("[A-Za-z0-9_][A-Za-z0-9._-]*")) {
            throw new IllegalArgumentException("the user name before the @ is missing");
        }
        this.hosts = List.copyOf(new LinkedHashSet<>(HostList.expand(list.substring(at + 1))));
        if (hosts.isEmpty() || hosts.size() > MAX_HOSTS) {
            throw new IllegalArgumentException("hosts are written as ssh:node1,node2 or ssh:node[001-128], up to "
                    + MAX_HOSTS + " of them; there are " + hosts.size());
        }
        for (String host : hosts) {
            if (!host.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
                throw new IllegalArgumentException("'" + host + "' is not a host name");
            }
        }
        this.name = "ssh:" + list;
        this.options = new ArrayList<>(options);
        if (at >= 0) {
            this.options.addAll(List.of("-l", user));
        }
        this.commands = commands;
        this.clock = clock;
        this.log = log;
    }

    /// The source of some hosts; nothing is read yet.
    ///
    /// @param list the hosts as Slurm folds them, such as `gpu[001-128,130]`, perhaps behind `USER@`
    /// @param options further options of ssh, such as `-F FILE`
    /// @param commands the programs of this machine, of which ssh is one
    /// @param clock the time of observations
    /// @param log the log of detection
    /// @throws IllegalArgumentException if it is not a list of hosts, or of too many
    public static SshSource of(
            String list, List<String> options, HostCommands commands, InstantSource clock, System.Logger log) {
        return new SshSource(list, options, commands, clock, log);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public SourceReport read(Duration limit) {
        Instant now = clock.instant();
        Duration share = Duration.ofNanos((long) (limit.toNanos() * SHARE_OF_HOSTS));
        Deadline deadline = Deadline.in(share);
        Duration half = share.dividedBy(2);
        Duration toConnect = half.compareTo(MOST_TO_CONNECT) < 0 ? half : MOST_TO_CONNECT;
        Semaphore places = new Semaphore(MAX_AT_ONCE);
        List<HostReport> reports = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<SshHost.Result>> results = new ArrayList<>();
            for (String host : hosts) {
                SshHost asked = new SshHost(new SshConnection(commands, options, host, toConnect), clock, log);
                results.add(threads.submit(() -> read(asked, places, deadline)));
            }
            try {
                for (int i = 0; i < results.size(); i++) {
                    await(results.get(i), hosts.get(i), deadline, limit, reports, gaps);
                }
            } finally {
                results.forEach(result -> result.cancel(true));
            }
        }
        if (reports.isEmpty()) {
            throw new FleetException(name + ": no host answers: "
                    + String.join("; ", gaps.stream().limit(3).map(Gap::display).toList())
                    + (gaps.size() > 3 ? "; …" : ""));
        }
        return new SourceReport(name, SourceKind.HOST, now, reports, gaps);
    }

    private static SshHost.Result read(SshHost host, Semaphore places, Deadline deadline) throws InterruptedException {
        if (!places.tryAcquire(deadline.remaining().toMillis(), TimeUnit.MILLISECONDS)) {
            throw new FleetException("others took all the time; allow more time");
        }
        try {
            return host.read(deadline);
        } finally {
            places.release();
        }
    }

    private void await(
            Future<SshHost.Result> task,
            String host,
            Deadline deadline,
            Duration limit,
            List<HostReport> reports,
            List<Gap> gaps) {
        // What hangs is ended at the deadline, and says so itself a moment later.
        Duration left = deadline.remaining().plus(limit.dividedBy(20));
        try {
            SshHost.Result result = task.get(left.toNanos(), TimeUnit.NANOSECONDS);
            result.report().ifPresent(reports::add);
            gaps.addAll(result.gaps());
        } catch (TimeoutException _) {
            gaps.add(new Gap.Timeout("ssh " + host, limit.toMillis() / 1000.0));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String why = cause instanceof FleetException told ? String.valueOf(told.getMessage()) : cause.toString();
            gaps.add(new Gap.ProbeFailed("ssh " + host, why));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FleetException(name + ": reading was interrupted", e);
        }
    }
}
