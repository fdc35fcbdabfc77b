// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.detect.host.Host;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.SourceReport;
import dev.muster.fleet.SyntheticFleet;
import dev.muster.fleet.file.FileSource;
import dev.muster.fleet.kubernetes.KubernetesConfig;
import dev.muster.fleet.kubernetes.KubernetesSource;
import dev.muster.fleet.prometheus.PrometheusConfig;
import dev.muster.fleet.prometheus.PrometheusSource;
import dev.muster.fleet.remote.MusterServerSource;
import dev.muster.fleet.remote.SshSource;
import dev.muster.fleet.slurm.SlurmSource;
import dev.muster.model.PlanException;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.report.text.Printable;
import java.io.File;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The values of `--source` of `muster fleet`, and the options of single sources.
final class FleetSourceOptions {
    static final OptionSpec ALLOW_EXEC =
            OptionSpec.flag("allow-exec", "a kubeconfig may name a program that is run for credentials");
    static final OptionSpec ALLOW_INSECURE =
            OptionSpec.flag("allow-insecure", "a kubeconfig may say that nobody checks who answers");
    static final OptionSpec PROMETHEUS_TOKEN =
            OptionSpec.value("prometheus-token-file", "FILE", "the bearer token for Prometheus");
    static final OptionSpec MUSTER_TOKEN =
            OptionSpec.value("muster-token-file", "FILE", "the token of 'muster serve' on other hosts");
    static final OptionSpec SSH_CONFIG =
            OptionSpec.value("ssh-config", "FILE", "the configuration of ssh instead of ~/.ssh/config");
    static final List<OptionSpec> ALL = List.of(ALLOW_EXEC, ALLOW_INSECURE, PROMETHEUS_TOKEN, MUSTER_TOKEN, SSH_CONFIG);

    private static final int MOST_TOKEN = 64 << 10;
    /// The variables that programs for credentials need to find their files; none of these is a secret, since command
    /// lines show them.
    private static final List<String> FOR_PROGRAMS = List.of(
            "HOME",
            "USER",
            "XDG_CONFIG_HOME",
            "AWS_PROFILE",
            "AWS_REGION",
            "AWS_DEFAULT_REGION",
            "AWS_CONFIG_FILE",
            "AWS_SHARED_CREDENTIALS_FILE",
            "CLOUDSDK_CONFIG",
            "AZURE_CONFIG_DIR");

    /// Opens a source.
    private interface Opening {
        /// @param rest text behind the colon; blank if there is none
        FleetSource open(String rest, Arguments arguments, Session session);
    }

    /// The sources by their first word: the one place where another is added.
    private static final Map<String, Opening> OPENINGS = Map.of(
            "slurm", (rest, _, session) -> slurm(rest, session.host()),
            "kubernetes", FleetSourceOptions::kubernetes,
            "prometheus", FleetSourceOptions::prometheus,
            "muster", FleetSourceOptions::muster,
            "ssh", FleetSourceOptions::ssh,
            "file", (rest, _, session) -> FileSource.of(path(rest), session.log()),
            "synthetic",
                    (rest, _, session) -> SyntheticFleet.parse(
                            rest, DeviceCatalogue.builtIn(), session.host().clock()));

    private FleetSourceOptions() {}

    /// Returns the source that a text names. One that cannot be opened is named when it is read, and the others go
    /// on.
    ///
    /// @param option the option that the text stands behind
    /// @throws UsageException if it names none, or is written wrongly
    static FleetSource open(OptionSpec option, String text, Arguments arguments, Session session) {
        int colon = text.indexOf(':');
        String word = colon < 0 ? text : text.substring(0, colon);
        Opening opening = OPENINGS.get(word);
        if (opening == null) {
            List<String> words = OPENINGS.keySet().stream().sorted().toList();
            throw new UsageException("--" + option.name() + " '" + Printable.of(text) + "' begins with no known word"
                    + UsageException.hintOrAll(word, words, "; words are "));
        }
        try {
            return opening.open(colon < 0 ? "" : text.substring(colon + 1), arguments, session);
        } catch (FleetException e) {
            return new UnopenedSource(text, e);
        } catch (IllegalArgumentException | PlanException e) {
            throw new UsageException("--" + option.name() + " " + word, e);
        }
    }

    /// A source that is named rightly and is not there.
    private record UnopenedSource(String name, FleetException reason) implements FleetSource {
        @Override
        public SourceReport read(Duration limit) {
            throw reason;
        }
    }

    private static FleetSource slurm(String rest, Host host) {
        Map<String, String> variables = host.variables();
        if (rest.isBlank()) {
            return SlurmSource.ofCommands(host.commands(), host.clock(), variables.getOrDefault("SLURM_CONF", ""));
        }
        URI server = URI.create(rest);
        if (server.getHost() == null
                || !List.of("http", "https").contains(server.getScheme())
                || server.getRawQuery() != null
                || server.getRawFragment() != null) {
            throw new IllegalArgumentException("the address of a slurmrestd is written as https://HOST:6820");
        }
        return SlurmSource.ofServer(
                server, variables.getOrDefault("USER", ""), variables.getOrDefault("SLURM_JWT", ""), host.clock());
    }

    private static FleetSource kubernetes(String context, Arguments arguments, Session session) {
        Host host = session.host();
        KubernetesConfig config;
        try {
            config = cluster(context, host);
        } catch (IllegalArgumentException e) {
            // What is wrong is where the cluster is looked for, not how the source is written.
            throw new FleetException("kubernetes: " + e.getMessage(), e);
        }
        if (arguments.has(ALLOW_EXEC)) {
            Map<String, String> variables = new HashMap<>();
            for (String name : FOR_PROGRAMS) {
                String value = host.variables().get(name);
                if (value != null) {
                    variables.put(name, value);
                }
            }
            config = config.withExec(variables);
        }
        return KubernetesSource.of(arguments.has(ALLOW_INSECURE) ? config.withInsecure() : config, host);
    }

    /// In the order in which kubectl looks.
    private static KubernetesConfig cluster(String context, Host host) {
        Map<String, String> variables = host.variables();
        String named = variables.getOrDefault("KUBECONFIG", "");
        if (named.contains(File.pathSeparator)) {
            throw new IllegalArgumentException("KUBECONFIG names several files; let it name the one that is meant");
        }
        if (!named.isBlank()) {
            return KubernetesConfig.ofKubeconfig(path(named).toAbsolutePath().toString(), context);
        }
        String usual = variables.getOrDefault("HOME", "") + "/.kube/config";
        if (host.files().exists(usual)) {
            return KubernetesConfig.ofKubeconfig(usual, context);
        }
        String server = variables.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        if (server.isBlank() || !context.isBlank()) {
            throw new IllegalArgumentException(
                    "there is no kubeconfig at " + usual + "; name one with the variable KUBECONFIG");
        }
        String address = server.contains(":") ? "[" + server + "]" : server;
        String port = variables.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        return KubernetesConfig.ofPod(URI.create("https://" + address + ":" + port));
    }

    private static FleetSource prometheus(String rest, Arguments arguments, Session session) {
        return PrometheusSource.of(
                new PrometheusConfig(URI.create(rest), token(arguments, PROMETHEUS_TOKEN)),
                session.host().clock());
    }

    private static FleetSource muster(String rest, Arguments arguments, Session session) {
        return MusterServerSource.of(
                URI.create(rest), token(arguments, MUSTER_TOKEN), session.host().clock());
    }

    private static String token(Arguments arguments, OptionSpec option) {
        return arguments
                .find(option)
                .map(file -> TextFile.read(file, MOST_TOKEN).strip())
                .orElse("");
    }

    private static FleetSource ssh(String rest, Arguments arguments, Session session) {
        Host host = session.host();
        List<String> options = new ArrayList<>();
        arguments
                .find(SSH_CONFIG)
                .map(file -> path(file).toAbsolutePath().toString())
                .ifPresent(file -> options.addAll(List.of("-F", file)));
        // Programs get no variables, so ssh has to be told where the agent is.
        String agent = host.variables().getOrDefault("SSH_AUTH_SOCK", "");
        if (agent.startsWith("/") && !agent.contains("%") && !agent.contains("$") && !agent.contains(" ")) {
            options.addAll(List.of("-o", "IdentityAgent=" + agent));
        }
        return SshSource.of(rest, options, host.commands(), host.clock(), session.log());
    }

    private static Path path(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a file is written as file:PATH");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("there is no such path", e);
        }
    }
}
