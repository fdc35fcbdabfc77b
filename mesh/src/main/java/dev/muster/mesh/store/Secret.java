// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// The secret that the members of a mesh share. It proves who they are and never travels. Immutable; it does
/// not show itself in texts.
///
/// @since 0.1
public final class Secret {
    /// Characters or bytes that a secret has at least.
    public static final int MIN_BYTES = 16;

    private static final int MAX_BYTES = 1_024;
    private static final int RANDOM_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    /// Bytes of a proof.
    static final int PROOF_BYTES = 32;

    private static final int DERIVED_BYTES = 32;

    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /// A secret from text, as it stands in an environment variable.
    ///
    /// @throws IllegalArgumentException if it is shorter than [#MIN_BYTES], or absurdly long
    public static Secret of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a secret has " + MIN_BYTES + " to " + MAX_BYTES + " bytes, not " + bytes.length);
        }
        return new Secret(bytes);
    }

    /// The text of a new secret that cannot be guessed, for [#of].
    public static String randomText() {
        return HexFormat.of().formatHex(randomBytes(RANDOM_BYTES));
    }

    /// Bytes that cannot be guessed.
    public static byte[] randomBytes(int count) {
        byte[] random = new byte[count];
        new SecureRandom().nextBytes(random);
        return random;
    }

    /// Proves the knowledge of the secret for these parts.
    public byte[] prove(byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes, ALGORITHM));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /// A key of 32 bytes that cannot be derived without the secret, by HKDF-SHA256.
    ///
    /// @param label purpose of the key; another one gives another key
    /// @param parts other values that it depends on, such as numbers that both ends of a connection made up
    public byte[] derive(String label, byte[]... parts) {
        ByteArrayOutputStream info = new ByteArrayOutputStream();
        info.writeBytes(label.getBytes(StandardCharsets.UTF_8));
        for (byte[] part : parts) {
            info.write(0);
            info.writeBytes(part);
        }
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(
                            HKDFParameterSpec.ofExtract().addIKM(bytes).thenExpand(info.toByteArray(), DERIVED_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HKDF-SHA256", e);
        }
    }

    /// Reports whether a proof is the right one, in a time that does not depend on where it differs.
    public static boolean isSame(byte[] proof, byte[] expected) {
        return MessageDigest.isEqual(proof, expected);
    }

    @Override
    public String toString() {
        return "Secret[hidden]";
    }
}
