// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Stands between probes and a host and remembers what they read of it. Safe to share between threads.
final class HostRecorder {
    private static final int MAX_LINKS = 40;

    private final Host host;
    private final Map<String, String> contents = new TreeMap<>();
    private final Map<String, String> links = new TreeMap<>();
    private final Set<String> seen = new HashSet<>();
    private final List<Run> runs = new ArrayList<>();

    HostRecorder(Host host) {
        this.host = host;
    }

    /// One run of a tool.
    ///
    /// @param argv program and arguments
    /// @param outcome the result of the command
    record Run(List<String> argv, CommandOutcome outcome) {}

    /// The host as probes see it while they are recorded. Native libraries leave nothing to record, so that there are
    /// none: probes ask tools instead.
    Host watched() {
        return new Host(
                host.system(),
                host.architecture(),
                new WatchedFiles(),
                new WatchedCommands(),
                HostLibraries.NONE,
                host.variables(),
                host.clock());
    }

    synchronized Map<String, String> contents() {
        return new TreeMap<>(contents);
    }

    synchronized Map<String, String> links() {
        return new TreeMap<>(links);
    }

    /// Files and folders that are there and of which nothing more was asked.
    synchronized Set<String> bare() {
        Set<String> bare = new HashSet<>(seen);
        bare.removeAll(contents.keySet());
        bare.removeAll(links.keySet());
        return bare;
    }

    synchronized List<Run> runs() {
        return List.copyOf(runs);
    }

    /// Follows a path link by link and remembers each.
    ///
    /// @return its target
    private synchronized String follow(String path) {
        String rest = path;
        String here = "";
        int followed = 0;
        while (!rest.isEmpty()) {
            int slash = rest.indexOf('/', 1);
            String part = slash < 0 ? rest : rest.substring(0, slash);
            rest = slash < 0 ? "" : rest.substring(slash);
            if (part.equals("/..")) {
                here = here.substring(0, Math.max(0, here.lastIndexOf('/')));
                continue;
            }
            String next = here + part;
            String target = links.get(next);
            if (target == null) {
                Optional<String> found =
                        seen.contains(next) ? Optional.empty() : host.files().findLink(next);
                target = found.orElse("");
                if (found.isPresent()) {
                    links.put(next, target);
                } else if (host.files().exists(next)) {
                    seen.add(next);
                }
            }
            if (target.isEmpty() || ++followed > MAX_LINKS) {
                here = next;
            } else if (target.startsWith("/")) {
                here = "";
                rest = target + rest;
            } else {
                rest = "/" + target + rest;
            }
        }
        return here;
    }

    private final class WatchedFiles implements HostFiles {
        @Override
        public HostAnswer<String> read(String path, int maxBytes) {
            HostAnswer<String> outcome = host.files().read(path, maxBytes);
            if (outcome instanceof HostAnswer.Found<String> content) {
                String place = follow(path);
                synchronized (HostRecorder.this) {
                    contents.put(place, content.content());
                }
            }
            return outcome;
        }

        @Override
        public HostAnswer<List<String>> list(String path) {
            HostAnswer<List<String>> outcome = host.files().list(path);
            if (outcome instanceof HostAnswer.Found(List<String> names)) {
                String place = follow(path);
                for (String name : names) {
                    follow(place + "/" + name);
                }
            }
            return outcome;
        }

        @Override
        public boolean exists(String path) {
            boolean there = host.files().exists(path);
            if (there) {
                follow(path);
            }
            return there;
        }

        @Override
        public Optional<String> findLink(String path) {
            return followed(path, host.files().findLink(path));
        }

        @Override
        public Optional<String> findRealPath(String path) {
            return followed(path, host.files().findRealPath(path));
        }

        private Optional<String> followed(String path, Optional<String> answer) {
            if (answer.isPresent()) {
                follow(path);
            }
            return answer;
        }
    }

    private final class WatchedCommands implements HostCommands {
        @Override
        public Optional<String> findPath(Tool tool) {
            return host.commands().findPath(tool);
        }

        @Override
        public Optional<String> findObjection(Tool tool) {
            return host.commands().findObjection(tool);
        }

        @Override
        public CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits) {
            CommandOutcome outcome = host.commands().run(tool, arguments, limits);
            if (!(outcome instanceof CommandOutcome.NotFound)) {
                List<String> argv = new ArrayList<>(List.of(tool.name()));
                argv.addAll(arguments);
                synchronized (HostRecorder.this) {
                    runs.add(new Run(argv, outcome));
                }
            }
            return outcome;
        }
    }
}
