// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// Reads certificates and private keys in PEM. Of keys, the three forms that kubeconfigs have: PKCS #8, and the
/// older ones of RSA (PKCS #1) and of elliptic curves (SEC 1), which are wrapped to become PKCS #8.
final class PemKeys {
    private static final String BEGIN = "-----BEGIN ";
    private static final String DASHES = "-----";
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int PARAMETERS = 0xA0;
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
    /// rsaEncryption and NULL.
    private static final byte[] RSA = {
        0x06, 0x09, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00
    };
    /// id-ecPublicKey.
    private static final byte[] EC = {0x06, 0x07, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x02, 0x01};

    private PemKeys() {}

    static List<Certificate> certificates(String pem) throws GeneralSecurityException {
        List<Certificate> certificates = new ArrayList<>();
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        for (Block block : blocks(pem)) {
            if (block.label().endsWith("CERTIFICATE")) {
                certificates.add(factory.generateCertificate(new ByteArrayInputStream(block.content())));
            }
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException("it has no certificate");
        }
        return certificates;
    }

    static PrivateKey key(String pem) throws GeneralSecurityException {
        for (Block block : blocks(pem)) {
            switch (block.label()) {
                case "PRIVATE KEY" -> {
                    return decoded(block.content());
                }
                case "RSA PRIVATE KEY" -> {
                    return decoded(wrapped(RSA, block.content()));
                }
                case "EC PRIVATE KEY" -> {
                    return decoded(wrapped(joined(EC, curve(block.content())), block.content()));
                }
                case "ENCRYPTED PRIVATE KEY" ->
                    throw new GeneralSecurityException("the private key has a pass phrase, which is not supported");
                default -> {}
            }
        }
        throw new GeneralSecurityException("it has no private key");
    }

    /// @param base64 the content, as it is written
    private record Block(String label, String base64) {
        byte[] content() throws GeneralSecurityException {
            try {
                return Base64.getMimeDecoder().decode(base64.getBytes(StandardCharsets.US_ASCII));
            } catch (IllegalArgumentException e) {
                throw new GeneralSecurityException("a block of PEM is not Base64", e);
            }
        }
    }

    private static List<Block> blocks(String pem) throws GeneralSecurityException {
        List<Block> blocks = new ArrayList<>();
        int at = pem.indexOf(BEGIN);
        while (at >= 0) {
            int labelEnd = pem.indexOf(DASHES, at + BEGIN.length());
            String label = labelEnd < 0 ? "" : pem.substring(at + BEGIN.length(), labelEnd);
            int end = pem.indexOf(DASHES + "END " + label + DASHES, at);
            if (labelEnd < 0 || end < labelEnd) {
                throw new GeneralSecurityException("a block of PEM has no end");
            }
            blocks.add(new Block(label, pem.substring(labelEnd + DASHES.length(), end)));
            at = pem.indexOf(BEGIN, end);
        }
        return blocks;
    }

    private static PrivateKey decoded(byte[] pkcs8) throws GeneralSecurityException {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
        for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException _) {
                // It is a key of another kind.
            }
        }
        throw new GeneralSecurityException("the private key is of no known kind");
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, joined(VERSION_0, element(SEQUENCE, algorithm), element(OCTETS, key)));
    }

    /// The curve's name in a SEC 1 key: version, key, then the parameters under a tag of their own.
    private static byte[] curve(byte[] sec1) throws GeneralSecurityException {
        int at = body(sec1, 0);
        while (at < sec1.length) {
            int start = body(sec1, at);
            int end = start + length(sec1, at);
            if (end > sec1.length || end <= at) {
                break;
            }
            if ((sec1[at] & 0xFF) == PARAMETERS) {
                return Arrays.copyOfRange(sec1, start, end);
            }
            at = end;
        }
        throw new GeneralSecurityException("the private key does not name its curve");
    }

    private static int body(byte[] der, int at) throws GeneralSecurityException {
        int first = lengthByte(der, at);
        return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
    }

    private static int length(byte[] der, int at) throws GeneralSecurityException {
        int first = lengthByte(der, at);
        if (first < 0x80) {
            return first;
        }
        int count = first & 0x7F;
        if (count > 3 || at + 2 + count > der.length) {
            throw new GeneralSecurityException("the private key is damaged");
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = (length << 8) | (der[at + 2 + i] & 0xFF);
        }
        return length;
    }

    private static int lengthByte(byte[] der, int at) throws GeneralSecurityException {
        if (at + 1 >= der.length) {
            throw new GeneralSecurityException("the private key is damaged");
        }
        return der[at + 1] & 0xFF;
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 4);
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else if (content.length < 0x100) {
            out.write(0x81);
            out.write(content.length);
        } else {
            out.write(0x82);
            out.write(content.length >> 8);
            out.write(content.length & 0xFF);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
