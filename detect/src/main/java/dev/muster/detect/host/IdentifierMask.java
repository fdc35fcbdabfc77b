// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Replaces what identifies a machine, its owner or its devices by made-up values of the same form. The same value
/// becomes the same mask everywhere in one recording, so that sources can still be matched; two recordings have
/// nothing in common.
final class IdentifierMask {
    /// UUIDs, with or without a prefix such as `GPU-`.
    private static final Pattern UUID =
            Pattern.compile("\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b");
    /// Instance ids of clouds.
    private static final Pattern INSTANCE = Pattern.compile("\\bi-[0-9a-f]{8,17}\\b");
    /// Hardware addresses of Ethernet and InfiniBand.
    private static final Pattern ADDRESS = Pattern.compile(
            "\\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\\b" + "|\\b(?:[0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4}\\b");
    /// Serial numbers as tools print them: an element, a JSON member, or a line `Serial Number : …`.
    private static final Pattern SERIAL = Pattern.compile(
            "(?i)(<(?:serial|board_part_number|gpu_part_number)>|\"[^\"]*(?:serial|unique[_ ]id)[^\"]*\"\\s*:\\s*\""
                    + "|serial(?: number)?\\s*:\\s*|unique[_ ]id\\s*:?\\s+)([^<\"\\s]+)");
    /// Names and command lines of programs that use a device.
    private static final Pattern PROGRAM = Pattern.compile("(<process_name>)([^<]+)");
    /// The same in the table of `nvidia-smi`: GPU, instances where it knows them, process, kind, name, memory.
    private static final Pattern PROGRAM_ROW = Pattern.compile(
            "(?m)^(\\|\\s+\\d+\\s+(?:\\S+\\s+\\S+\\s+)?\\d+\\s+[MCG+]+\\s+)(\\S.*?)(?=\\s+(?:\\d+MiB|N/A)\\s*\\|)");
    /// Files whose whole content is an identifier, or the name of a program.
    private static final Pattern WHOLE = Pattern.compile(
            "/proc/[0-9]+/comm|.*/(?:serial|serial_number|product_serial|board_serial|chassis_serial|product_uuid|unique_id|fru_id"
                    + "|node_guid|sys_image_guid|machine-id|address)");

    private final byte[] salt;

    /// @param salt differs from recording to recording
    IdentifierMask(byte[] salt) {
        this.salt = salt.clone();
    }

    /// The text of a file or stream with its identifiers replaced.
    ///
    /// @param path the file; blank for a stream
    String mask(String path, String text) {
        if (WHOLE.matcher(path).matches()) {
            return replaced(text);
        }
        String masked = every(UUID, text);
        masked = every(INSTANCE, masked);
        masked = every(ADDRESS, masked);
        masked = second(SERIAL, masked);
        masked = second(PROGRAM, masked);
        return second(PROGRAM_ROW, masked);
    }

    private String every(Pattern pattern, String text) {
        return pattern.matcher(text).replaceAll(match -> replaced(match.group()));
    }

    private String second(Pattern pattern, String text) {
        return pattern.matcher(text)
                .replaceAll(match ->
                        Matcher.quoteReplacement(match.group(1)) + Matcher.quoteReplacement(replaced(match.group(2))));
    }

    /// Digits become other digits and letters other letters; everything else stays, so that the form stays.
    private String replaced(String value) {
        byte[] noise = digest(value.strip());
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            int n = Byte.toUnsignedInt(noise[i % noise.length]) + i;
            char c = value.charAt(i);
            if (c >= '0' && c <= '9') {
                text.append((char) ('0' + n % 10));
            } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
                text.append((char) ((c >= 'a' ? 'a' : 'A') + n % 6));
            } else if (Character.isLetter(c)) {
                text.append('x');
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private byte[] digest(String value) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            return digest.digest(value.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
