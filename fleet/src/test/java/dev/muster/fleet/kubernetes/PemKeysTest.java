// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.testing.Needs;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys as OpenSSL writes them in all the forms that kubeconfigs have.
@Needs(programs = "openssl")
class PemKeysTest {
    @TempDir
    Path folder;

    private String openssl(String file, String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("log")))
                .isZero();
        return Files.readString(folder.resolve(file));
    }

    @Test
    void readsTheThreeForms() throws Exception {
        String rsa = openssl("rsa", "openssl", "genrsa", "-traditional", "-out", "rsa", "2048");
        String ec = openssl("ec", "openssl", "ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", "ec");
        assertThat(rsa).contains("BEGIN RSA PRIVATE KEY");
        assertThat(ec).contains("BEGIN EC PRIVATE KEY");
        for (String name : List.of("rsa", "ec")) {
            String newer = openssl("new", "openssl", "pkcs8", "-topk8", "-nocrypt", "-in", name, "-out", "new");
            PrivateKey key = PemKeys.key(Files.readString(folder.resolve(name)));
            assertThat(key.getAlgorithm()).isEqualToIgnoringCase(name);
            assertThat(secret(key)).isEqualTo(secret(PemKeys.key(newer)));
        }
    }

    private static BigInteger secret(PrivateKey key) {
        return switch (key) {
            case RSAPrivateKey rsa -> rsa.getPrivateExponent();
            case ECPrivateKey ec -> ec.getS();
            default -> throw new AssertionError(key);
        };
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        String locked = openssl(
                "locked",
                "openssl",
                "genpkey",
                "-algorithm",
                "EC",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-aes256",
                "-pass",
                "pass:word",
                "-out",
                "locked");
        assertThatThrownBy(() -> PemKeys.key(locked))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("pass phrase");
        assertThatThrownBy(() -> PemKeys.key("")).hasMessage("it has no private key");
        assertThatThrownBy(() -> PemKeys.certificates("x")).hasMessage("it has no certificate");
        assertThatThrownBy(() -> PemKeys.key("-----BEGIN EC PRIVATE KEY-----\nMA==\n-----END EC PRIVATE KEY-----"))
                .isInstanceOf(GeneralSecurityException.class);
        assertThatThrownBy(() -> PemKeys.key("-----BEGIN PRIVATE KEY-----\n")).hasMessage("a block of PEM has no end");
    }
}
