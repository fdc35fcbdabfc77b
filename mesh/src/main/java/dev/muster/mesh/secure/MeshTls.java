// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// TLS 1.3 between those who know the secret of a mesh. Java's TLS takes no shared secrets, so the secret becomes a key
/// pair, the same for all members: the holder of the private key knows the secret, and each end shows the other that it
/// has it. Session keys are agreed upon anew for each connection, so who learns the secret later cannot read what was
/// recorded before. Safe for use by many threads.
public final class MeshTls {
    /// The label of the seed.
    public static final String LABEL = "muster mesh tls identity 1";

    private static final String PROTOCOL = "TLSv1.3";
    /// The first is as fast as the second where both were measured, and both are faster than ChaCha20.
    private static final String[] SUITES = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};

    private final SSLContext context;
    private final X509Certificate certificate;

    private MeshTls(SSLContext context, X509Certificate certificate) {
        this.context = context;
        this.certificate = certificate;
    }

    /// The TLS of those who derive the same 32 bytes from their secret.
    public static MeshTls of(byte[] seed) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
            generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
            KeyPair keys = generator.generateKeyPair();
            X509Certificate certificate = MeshCertificate.of(keys);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(
                    new KeyManager[] {new OneKey(keys.getPrivate(), certificate)},
                    new TrustManager[] {new OneTrusted(keys.getPublic().getEncoded())},
                    new SecureRandom());
            return new MeshTls(context, certificate);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no TLS 1.3 with Ed25519", e);
        }
    }

    X509Certificate certificate() {
        return certificate;
    }

    SSLEngine engine(boolean connects) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(connects);
        engine.setEnabledProtocols(new String[] {PROTOCOL});
        engine.setEnabledCipherSuites(SUITES);
        if (!connects) {
            engine.setNeedClientAuth(true);
        }
        return engine;
    }

    /// Hands out what a key is to be made of.
    private static final class Seed extends SecureRandom {
        private static final long serialVersionUID = 1;

        private final byte[] seed;

        Seed(byte[] seed) {
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(byte[] bytes) {
            if (bytes.length != seed.length) {
                throw new IllegalStateException("a key of Ed25519 is made of " + seed.length + " bytes");
            }
            System.arraycopy(seed, 0, bytes, 0, seed.length);
        }
    }

    /// Shows the key of the mesh to every peer.
    private static final class OneKey extends X509ExtendedKeyManager {
        private static final String ALIAS = "mesh";

        private final PrivateKey key;
        private final X509Certificate certificate;

        OneKey(PrivateKey key, X509Certificate certificate) {
            this.key = key;
            this.certificate = certificate;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return ALIAS;
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return ALIAS;
        }

        @Override
        public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {certificate};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }
    }

    /// Trusts the key of the mesh alone, not the rest of a certificate: names, dates and issuers do not count.
    private static final class OneTrusted extends X509ExtendedTrustManager {
        private final byte[] key;

        OneTrusted(byte[] key) {
            this.key = Arrays.copyOf(key, key.length);
        }

        private void requireKey(X509Certificate[] chain) throws CertificateException {
            if (chain.length != 1
                    || !MessageDigest.isEqual(chain[0].getPublicKey().getEncoded(), key)) {
                throw new CertificateException("the key is not that of this mesh");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            requireKey(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            requireKey(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            requireKey(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            requireKey(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            requireKey(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            requireKey(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
