// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The secret of clients. Browsers get a cookie that is made of it and does not tell it. Immutable; its text form
/// does not show it.
///
/// @since 0.2
public final class AccessToken {
    /// The fewest characters of a token that people choose: 128 bits of base64 have as many.
    public static final int LEAST_CHARACTERS = 22;

    private static final int MOST_CHARACTERS = 512;
    private static final int BYTES = 32;

    private final String text;
    private final String cookie;

    private AccessToken(String text) {
        this.text = text;
        this.cookie = HexFormat.of().formatHex(hmac(text, "muster cookie"));
    }

    /// Returns a token of 256 random bits.
    public static AccessToken random(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new AccessToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /// Returns the token that a file holds; blanks and line ends around it do not count.
    ///
    /// @throws ServerException if it is too short to be a secret, too long, or has characters that a header cannot
    /// carry
    public static AccessToken of(String text) {
        String token = text.strip();
        if (token.length() < LEAST_CHARACTERS || token.length() > MOST_CHARACTERS) {
            throw new ServerException("a token has " + LEAST_CHARACTERS + " to " + MOST_CHARACTERS
                    + " characters; generate one with 'openssl rand -hex 32'");
        }
        if (!token.matches("[A-Za-z0-9._~+/=-]+")) {
            throw new ServerException(
                    "a token consists of letters, digits and - . _ ~ + / =; generate one with 'openssl rand "
                            + "-hex 32'");
        }
        return new AccessToken(token);
    }

    /// Returns the secret itself, to be shown once to the user who started the server.
    public String reveal() {
        return text;
    }

    String cookie() {
        return cookie;
    }

    /// Reports whether a text is the token, in constant time.
    boolean isShown(String shown) {
        return same(text, shown);
    }

    /// Reports whether a text is the cookie, in constant time.
    boolean isCookie(String shown) {
        return same(cookie, shown);
    }

    /// Compares digests of one length, so that not even the token's length leaks.
    private static boolean same(String secret, String shown) {
        return MessageDigest.isEqual(hmac(secret, "compare" + secret), hmac(secret, "compare" + shown));
    }

    private static byte[] hmac(String key, String message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(message.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    @Override
    public String toString() {
        return "a token";
    }
}
