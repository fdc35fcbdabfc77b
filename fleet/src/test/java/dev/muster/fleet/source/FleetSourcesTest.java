// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.detect.host.Host;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.FleetReader;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import dev.muster.fleet.file.TokenFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetSourcesTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);
    private static final Host HOST = Host.live(OperatingSystem.LINUX, "amd64", Map.of("HOME", "/nowhere"), CLOCK);
    private static final System.Logger LOG = System.getLogger("test");
    private static final FleetSourceContext CONTEXT = FleetSourceContext.of(HOST, LOG);

    /// The source `rack` is one file in a package of its own, and a line in `META-INF/services`.
    @Test
    void aSourceThatAUserAddsListsItsHosts() {
        FleetSource rack = FleetSources.open("rack:3", CONTEXT);
        Fleet fleet = FleetReader.of(List.of(rack)).read(LIMIT);
        assertThat(fleet.hosts()).extracting(FleetHost::name).containsExactly("rack1", "rack2", "rack3");
        assertThat(fleet.hosts()).allSatisfy(host -> assertThat(host.free()).hasSize(1));
    }

    @Test
    void everySourceIsFoundByItsScheme() {
        assertThat(FleetSources.all())
                .extracting(FleetSourceProvider::scheme)
                .containsExactly("slurm", "kubernetes", "prometheus", "muster", "ssh", "file", "synthetic", "rack");
        assertThat(FleetSources.all()).allSatisfy(provider -> {
            assertThat(provider.usage()).startsWith(provider.scheme());
            assertThat(FleetSources.find(provider.scheme() + ":x")).containsInstanceOf(provider.getClass());
        });
        assertThat(FleetSources.find("slurmy")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "slurm:ftp://host | the address of a slurmrestd is written as https://HOST:6820",
                "file: | a file is written as file:PATH",
                "synthetic:3xnothing-like-it:8 | nothing-like-it",
                "prometheus:ftp://host | 'ftp://host'",
                "muster:host | the address of a server is written as https://HOST:9470",
                "rack:0 | '0' is not a number of hosts from 1 to 9",
                "cloud:1 | unknown fleet source 'cloud'"
            })
    void wrongTextIsRefused(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetSources.open(text, CONTEXT))
                .withMessageContaining(message);
    }

    @Test
    void aSourceThatIsNotThereFailsWhenItIsRead() {
        FleetSource source = FleetSources.open("kubernetes:prod", CONTEXT);
        assertThat(source.name()).isEqualTo("kubernetes:prod");
        assertThatThrownBy(() -> source.read(LIMIT))
                .isInstanceOf(FleetException.class)
                .hasMessage("kubernetes: no kubeconfig at /nowhere/.kube/config; set KUBECONFIG to its path");
    }

    @Test
    void aTokenComesFromTheFileOfItsOption(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), " secret\n");
        FleetSourceProvider.SourceOption option =
                FleetSources.find("prometheus").orElseThrow().options().getFirst();
        FleetSourceContext context =
                new FleetSourceContext(HOST, LOG, Map.of("prometheus-token-file", file.toString()));
        assertThat(TokenFile.read(context, option)).isEqualTo("secret");
        assertThat(TokenFile.read(CONTEXT, option)).isEmpty();
        Files.delete(file);
        assertThatThrownBy(() -> TokenFile.read(context, option)).hasMessage("file '" + file + "' not found");
    }
}
