// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.fleet.FleetException;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// The trusted certificates of a cluster, and this client's own certificate.
final class ClusterTls {
    private static final char[] NO_PASSWORD = {};

    private ClusterTls() {}

    /// @throws FleetException if certificates or key cannot be read
    static SSLContext context(ClusterAccess access) {
        String part = "certificate-authority";
        try {
            TrustManager[] trusted = access.isUnchecked()
                    ? new TrustManager[] {new AnyCertificate()}
                    : access.authorities().isBlank() ? null : trusting(access.authorities());
            part = "client certificate";
            KeyManager[] own = access.credential().certificate().isBlank() ? null : proving(access.credential());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own, trusted, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new FleetException(
                    "kubernetes:" + access.name() + ": the " + part + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trusting(String pem) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        int number = 0;
        for (Certificate certificate : PemKeys.certificates(pem)) {
            store.setCertificateEntry("authority " + number++, certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager[] proving(ClusterAccess.Credential credential)
            throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        List<Certificate> chain = PemKeys.certificates(credential.certificate());
        store.setKeyEntry("client", PemKeys.key(credential.key()), NO_PASSWORD, chain.toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    /// For clusters whose kubeconfig says insecure-skip-tls-verify, with the user's leave alone. An extended
    /// one: of the plain ones Java checks the host's name by itself.
    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
