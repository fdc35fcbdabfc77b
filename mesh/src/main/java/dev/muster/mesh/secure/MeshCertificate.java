// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/// The least certificate that TLS takes: it carries a public key of Ed25519 and says nothing else that counts.
/// Its dates are those of every time, since members compare the key and clocks of hosts may be wrong. The same
/// key always gives the same bytes.
final class MeshCertificate {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;
    /// 1.3.101.112, Ed25519 (RFC 8410).
    private static final byte[] ED25519 = {0x2b, 0x65, 0x70};
    /// 2.5.4.3, the common name.
    private static final byte[] COMMON_NAME = {0x55, 0x04, 0x03};

    private static final int LONG_FORM = 0x80;
    private static final int BYTE_BITS = 8;

    private MeshCertificate() {}

    static X509Certificate of(KeyPair keys) throws GeneralSecurityException {
        byte[] algorithm = der(SEQUENCE, der(OBJECT_IDENTIFIER, ED25519));
        byte[] name = der(
                SEQUENCE,
                der(SET, der(SEQUENCE, der(OBJECT_IDENTIFIER, COMMON_NAME), der(UTF8_STRING, ascii("muster mesh")))));
        byte[] always = der(
                SEQUENCE,
                der(GENERALIZED_TIME, ascii("19700101000000Z")),
                der(GENERALIZED_TIME, ascii("99991231235959Z")));
        byte[] content = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, new byte[] {2})),
                der(INTEGER, new byte[] {1}),
                algorithm,
                name,
                always,
                name,
                keys.getPublic().getEncoded());
        byte[] all = der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[] {0}, sign(keys, content)));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(all));
    }

    private static byte[] sign(KeyPair keys, byte[] content) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(keys.getPrivate());
        signature.update(content);
        return signature.sign();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length >= 1 << BYTE_BITS) {
            out.write(LONG_FORM | 2);
            out.write(length >> BYTE_BITS);
        } else if (length >= LONG_FORM) {
            out.write(LONG_FORM | 1);
        }
        out.write(length);
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
