// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Keys that `keytool` of the running Java makes anew: `server`; `authority` with `client`, which it signed; and
/// `stranger`, which is not signed by the authority.
final class TestKeys {
    private static final String PASSWORD = "synthetic-password";

    private final KeyStore keys;

    private TestKeys(KeyStore keys) {
        this.keys = keys;
    }

    static TestKeys make(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        pair(folder, "server", "-ext", "san=ip:127.0.0.1,dns:localhost");
        pair(folder, "authority", "-ext", "bc:c");
        pair(folder, "client", "-signer", "authority");
        pair(folder, "stranger");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(folder.resolve("keys.p12"))) {
            keys.load(stream, PASSWORD.toCharArray());
        }
        return new TestKeys(keys);
    }

    private static void pair(Path folder, String name, String... more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair"));
        words.addAll(List.of("-alias", name, "-dname", "CN=" + name, "-keyalg", "EC", "-groupname", "secp256r1"));
        words.addAll(List.of("-keystore", "keys.p12", "-storetype", "PKCS12", "-storepass", PASSWORD));
        words.addAll(List.of("-validity", "2"));
        words.addAll(List.of(more));
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("keytool: " + Files.readString(folder.resolve("keytool.log")));
        }
    }

    byte[] certificate(String name) throws GeneralSecurityException {
        return pem("CERTIFICATE", keys.getCertificate(name).getEncoded());
    }

    byte[] key(String name) throws GeneralSecurityException {
        return pem("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
    }

    private static byte[] pem(String what, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return ("-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /// Returns the TLS of a client that trusts `server` and shows the certificate of that name; blank for none.
    SSLContext context(String client) throws GeneralSecurityException, IOException {
        KeyStore trusted = empty();
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        KeyManager[] shown = new KeyManager[0];
        if (!client.isEmpty()) {
            KeyStore own = empty();
            char[] password = PASSWORD.toCharArray();
            own.setKeyEntry(client, keys.getKey(client, password), password, keys.getCertificateChain(client));
            KeyManagerFactory factory = KeyManagerFactory.getInstance("NewSunX509");
            factory.init(own, password);
            shown = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown, trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
