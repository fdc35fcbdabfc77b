// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.detect.host.Host;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.fleet.FleetException;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessReaderTest {
    private static final String CONFIG = """
            current-context: one
            contexts:
            - name: one
              context:
                cluster: c
                user: u
            - name: two
              context: {cluster: gone}
            clusters:
            - name: c
              cluster:
                server: https://kube.example:6443
                certificate-authority: pki/ca.crt
            users:
            - name: u
              user: USER
            """;

    @TempDir
    Path folder;

    private Path write(String user) throws IOException {
        Files.createDirectories(folder.resolve("pki"));
        Files.writeString(folder.resolve("pki/ca.crt"), "authority");
        return Files.writeString(folder.resolve("config"), CONFIG.replace("USER", user));
    }

    private ClusterAccess read(KubernetesConfig config) {
        Host host = Host.live(OperatingSystem.LINUX, "amd64", Map.of(), InstantSource.fixed(Instant.EPOCH));
        return new AccessReader(config, host.files(), host.commands()).read();
    }

    private ClusterAccess read(String user) throws IOException {
        return read(KubernetesConfig.ofKubeconfig(write(user).toString(), ""));
    }

    @Test
    void filesAreNamedFromTheKubeconfigsFolder() throws Exception {
        Files.writeString(folder.resolve("token"), "t\n");
        ClusterAccess access = read("{tokenFile: token}");
        assertThat(access.name()).isEqualTo("one");
        assertThat(access.server()).hasToString("https://kube.example:6443");
        assertThat(access.authorities()).isEqualTo("authority");
        assertThat(access.credential().token()).isEqualTo("t");
        assertThat(access.toString()).doesNotContain("token=t");
    }

    @Test
    void dataStandsInTheFile() throws Exception {
        String data = Base64.getEncoder().encodeToString("pem".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        ClusterAccess access = read("{client-certificate-data: " + data + ", client-key-data: " + data + "}");
        assertThat(access.credential()).isEqualTo(new ClusterAccess.Credential("", "pem", "pem"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{exec: {command: aws}} | wants to run aws for credentials; programs are run only if that is accepted (option allow-exec)",
                "{auth-provider: {name: gcp}} | has an auth-provider, which Kubernetes itself gave up in 1.26",
                "{username: a, password: b} | has a user name and password",
                "{client-certificate: gone.crt} | gone.crt not found",
                "{client-certificate-data: '%%%%A'} | client-certificate-data is not Base64"
            })
    void whatCannotBeUsedIsSaid(String user, String sentence) throws Exception {
        assertThatThrownBy(() -> read(user)).isInstanceOf(FleetException.class).hasMessageContaining(sentence);
    }

    @Test
    void contextsThatAreMissingAreSaidWithThoseThatAreThere() throws Exception {
        String path = write("{token: t}").toString();
        assertThatThrownBy(() -> read(KubernetesConfig.ofKubeconfig(path, "three")))
                .hasMessage("kubeconfig " + path + " has no context 'three'; it has one, two");
        assertThatThrownBy(() -> read(KubernetesConfig.ofKubeconfig(path, "two")))
                .hasMessage("kubeconfig " + path + " has no cluster 'gone'; it has c");
    }

    @Test
    void aTokenIsNotSentInTheOpen() throws Exception {
        Path path = write("{token: t}");
        Files.writeString(path, Files.readString(path).replace("https://", "http://"));
        assertThatThrownBy(() -> read(KubernetesConfig.ofKubeconfig(path.toString(), "")))
                .hasMessageContaining("a token would go there without encryption");
    }

    @Test
    void textThatIsNoYamlIsSaidWithItsPlace() throws Exception {
        Path path = Files.writeString(folder.resolve("config"), "a: [b\nc: d");
        assertThatThrownBy(() -> read(KubernetesConfig.ofKubeconfig(path.toString(), "")))
                .hasMessageContaining("is not YAML: line 2, column");
        assertThatThrownBy(() -> read(KubernetesConfig.ofKubeconfig(folder + "/gone", "")))
                .hasMessage("file " + folder + "/gone not found");
    }

    @Test
    void aPodHasItsFiles() throws Exception {
        Files.writeString(folder.resolve("token"), "t\n");
        Files.writeString(folder.resolve("ca.crt"), "authority");
        KubernetesConfig config = new KubernetesConfig(
                new KubernetesConfig.ServiceAccount(URI.create("https://10.0.0.1:443"), folder.toString()),
                false,
                false,
                Map.of());
        assertThat(read(config).credential().token()).isEqualTo("t");
    }

    @Test
    @Needs(Need.POSIX)
    void aProgramGivesCredentialsWhereItMay() throws Exception {
        Path program = program("""
                #!/bin/sh
                case $KUBERNETES_EXEC_INFO in *kube.example:6443*) ;; *) exit 3 ;; esac
                echo "{\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"$1-$WORD-$HOME\\"}}"
                """);
        KubernetesConfig config = KubernetesConfig.ofKubeconfig(
                        write("{exec: {command: " + program + ", args: [get], env: [{name: WORD, value: a b}]}}")
                                .toString(),
                        "")
                .withExec(Map.of("HOME", "/home/me"));
        assertThat(read(config).credential().token()).isEqualTo("get-a b-/home/me");
    }

    @Test
    @Needs(Need.POSIX)
    void aProgramThatFailsIsSaid() throws Exception {
        Path program = program("#!/bin/sh\necho 'log in first' >&2\nexit 7\n");
        KubernetesConfig config = KubernetesConfig.ofKubeconfig(
                        write("{exec: {command: ./" + program.getFileName() + "}}")
                                .toString(),
                        "")
                .withExec(Map.of());
        assertThatThrownBy(() -> read(config)).hasMessageContaining("it ended with 7, log in first");
        KubernetesConfig missing = KubernetesConfig.ofKubeconfig(
                        write("{exec: {command: no-such-program-anywhere}}").toString(), "")
                .withExec(Map.of());
        assertThatThrownBy(() -> read(missing)).hasMessageContaining("which is not installed");
    }

    private Path program(String text) throws IOException {
        Path program = Files.writeString(folder.resolve("plugin"), text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return program;
    }
}
