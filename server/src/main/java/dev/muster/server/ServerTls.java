// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// The TLS configuration: a certificate with its key, and the authority of client certificates. Immutable.
///
/// @since 0.2
public final class ServerTls {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]{1,65536})-----END PRIVATE KEY-----");
    private static final List<String> KEY_KINDS = List.of("RSA", "EC", "EdDSA");
    private static final byte[] PROOF = "muster".getBytes(StandardCharsets.US_ASCII);
    private static final char[] NO_PASSWORD = new char[0];

    private final KeyStore keys;
    private final Optional<KeyStore> clients;

    private ServerTls(KeyStore keys, Optional<KeyStore> clients) {
        this.keys = keys;
        this.clients = clients;
    }

    /// Creates a configuration from PEM texts.
    ///
    /// @param certificate the server's certificate, followed by its chain
    /// @param key its private key, in PKCS #8 without a password
    /// @param clientAuthority authority that signed the certificates of clients; empty if none are required
    /// @throws ServerException if one of them is none
    public static ServerTls of(byte[] certificate, byte[] key, Optional<byte[]> clientAuthority) {
        try {
            KeyStore keys = empty();
            Certificate[] chain = certificates(certificate, "--tls-cert").toArray(new Certificate[0]);
            PrivateKey secret = privateKey(key);
            if (!fits(secret, chain[0].getPublicKey())) {
                throw new ServerException("--tls-key is not the key of the certificate in --tls-cert");
            }
            keys.setKeyEntry("server", secret, NO_PASSWORD, chain);
            Optional<KeyStore> clients = Optional.empty();
            if (clientAuthority.isPresent()) {
                KeyStore trusted = empty();
                int number = 0;
                for (Certificate each : certificates(clientAuthority.get(), "--tls-client-ca")) {
                    trusted.setCertificateEntry("client" + number++, each);
                }
                clients = Optional.of(trusted);
            }
            return new ServerTls(keys, clients);
        } catch (GeneralSecurityException | IOException e) {
            throw new ServerException("the certificates cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static Collection<? extends Certificate> certificates(byte[] pem, String option) {
        try {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
            if (!found.isEmpty()) {
                return found;
            }
        } catch (GeneralSecurityException _) {
            // told below
        }
        throw new ServerException(option + " contains no certificate; give a PEM file with BEGIN CERTIFICATE");
    }

    private static PrivateKey privateKey(byte[] pem) {
        Matcher block = KEY.matcher(new String(pem, StandardCharsets.ISO_8859_1));
        if (block.find()) {
            try {
                byte[] bytes = Base64.getMimeDecoder().decode(block.group(1));
                for (String kind : KEY_KINDS) {
                    Optional<PrivateKey> key = privateKey(kind, bytes);
                    if (key.isPresent()) {
                        return key.get();
                    }
                }
            } catch (IllegalArgumentException _) {
                // told below
            }
        }
        throw new ServerException(
                "--tls-key contains no readable private key: it must be PEM with BEGIN PRIVATE KEY and "
                        + "without a password; convert it with 'openssl pkcs8 -topk8 -nocrypt'");
    }

    /// Reports whether a private key fits a public one. Otherwise every connection would fail without a clear reason.
    private static boolean fits(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
            return false;
        }
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(PROOF);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(PROOF);
        try {
            return signature.verify(signed);
        } catch (SignatureException _) {
            return false; // of another length
        }
    }

    private static Optional<PrivateKey> privateKey(String kind, byte[] bytes) {
        try {
            return Optional.of(KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(bytes)));
        } catch (GeneralSecurityException _) {
            return Optional.empty(); // of another kind
        }
    }

    /// Reports whether clients must have a certificate.
    public boolean demandsCertificate() {
        return clients.isPresent();
    }

    SslContextFactory.Server toFactory() {
        SslContextFactory.Server factory = new SslContextFactory.Server();
        factory.setKeyStore(keys);
        factory.setKeyStorePassword("");
        factory.setKeyManagerPassword("");
        factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        factory.setSniRequired(false);
        if (clients.isPresent()) {
            factory.setTrustStore(clients.get());
            factory.setNeedClientAuth(true);
        }
        return factory;
    }
}
