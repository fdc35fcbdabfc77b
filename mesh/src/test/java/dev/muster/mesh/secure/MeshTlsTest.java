// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.muster.mesh.store.Secret;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

class MeshTlsTest {
    private static final Secret SECRET = Secret.of("a secret of these tests alone");
    private static final Secret OTHER = Secret.of("another secret altogether");

    private static X509Certificate certificate(Secret secret) {
        return MeshTls.of(secret.derive(MeshTls.LABEL)).certificate();
    }

    @Test
    void theSameSecretGivesTheSameCertificateOnEveryHost() throws Exception {
        X509Certificate certificate = certificate(SECRET);
        assertThat(certificate.getEncoded()).isEqualTo(certificate(SECRET).getEncoded());
        assertThat(certificate.getPublicKey().getEncoded())
                .isNotEqualTo(certificate(OTHER).getPublicKey().getEncoded());
        assertThatCode(() -> certificate.verify(certificate.getPublicKey())).doesNotThrowAnyException();
    }

    /// A host whose clock is wrong is a member like others.
    @Test
    void noClockMakesTheCertificateInvalid() {
        for (String time : List.of("1970-01-01T00:00:00Z", "2026-11-17T00:00:00Z", "9999-12-31T23:59:59Z")) {
            assertThatCode(() -> certificate(SECRET).checkValidity(Date.from(Instant.parse(time))))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void nothingButTheNewestProtocolWithBothEndsKnownIsSpoken() {
        MeshTls tls = MeshTls.of(SECRET.derive(MeshTls.LABEL));
        SSLEngine server = tls.engine(false);
        assertThat(server.getEnabledProtocols()).containsExactly("TLSv1.3");
        assertThat(tls.engine(true).getEnabledProtocols()).containsExactly("TLSv1.3");
        assertThat(server.getEnabledCipherSuites()).allMatch(suite -> suite.startsWith("TLS_AES_"));
        assertThat(server.getNeedClientAuth()).isTrue();
    }
}
