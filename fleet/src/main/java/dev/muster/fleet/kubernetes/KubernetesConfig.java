// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import java.net.URI;
import java.util.Map;

/// The access to a cluster. Immutable.
///
/// @param access the place of server and credentials
/// @param allowExec true if a program that a kubeconfig names may be run for credentials
/// @param allowInsecure true if a kubeconfig may ask not to check who answers
/// @param programVariables environment variables for that program, such as `HOME`; it gets no others
record KubernetesConfig(Access access, boolean allowExec, boolean allowInsecure, Map<String, String> programVariables) {
    /// Copies the variables.
    public KubernetesConfig {
        programVariables = Map.copyOf(programVariables);
    }

    /// The cluster of a kubeconfig's context; no program is run, and the server has to prove its identity.
    ///
    /// @param path the file, absolute
    /// @param context the context's name; blank for the current one
    public static KubernetesConfig ofKubeconfig(String path, String context) {
        return new KubernetesConfig(new Kubeconfig(path, context), false, false, Map.of());
    }

    /// The cluster that this process is a pod of.
    ///
    /// @param server the server, from `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`
    public static KubernetesConfig ofPod(URI server) {
        return new KubernetesConfig(new ServiceAccount(server, ServiceAccount.FOLDER), false, false, Map.of());
    }

    /// The same, with leave to run the program that a kubeconfig names.
    ///
    /// @param variables environment variables for it
    public KubernetesConfig withExec(Map<String, String> variables) {
        return new KubernetesConfig(access, true, allowInsecure, variables);
    }

    /// The same, with leave not to check who answers.
    public KubernetesConfig withInsecure() {
        return new KubernetesConfig(access, allowExec, true, programVariables);
    }

    /// The place of server and credentials.
    public sealed interface Access {}

    /// A file as `kubectl` reads it.
    ///
    /// @param path the file, absolute
    /// @param context the context's name; blank for the current one
    public record Kubeconfig(String path, String context) implements Access {}

    /// The files that every pod gets.
    ///
    /// @param server the server
    /// @param folder the folder of `token` and `ca.crt`, absolute
    public record ServiceAccount(URI server, String folder) implements Access {
        /// The folder that Kubernetes puts them in.
        public static final String FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
    }
}
