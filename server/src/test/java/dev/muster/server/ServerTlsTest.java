// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerTlsTest {
    private static final byte[] NOTHING = "nothing".getBytes(StandardCharsets.UTF_8);

    @Test
    void saysWhatIsNoCertificate() {
        assertThatThrownBy(() -> ServerTls.of(NOTHING, NOTHING, Optional.empty()))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("--tls-cert contains no certificate");
    }

    @Test
    void tokensThatAreNoSecretsAreRefused() {
        assertThatThrownBy(() -> AccessToken.of("short")).isInstanceOf(ServerException.class);
        assertThatThrownBy(() -> AccessToken.of("a token with blanks in it, long enough"))
                .isInstanceOf(ServerException.class);
    }
}
