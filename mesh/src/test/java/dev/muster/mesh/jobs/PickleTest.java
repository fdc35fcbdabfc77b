// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.json.DocumentException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Pickles, made by Python's `pickle` where they are long.
class PickleTest {
    /// The flight recorder of a rank that waits in call 2, protocol 2.
    static final byte[] WAITING = decode("""
            gAJ9cQAoWAcAAAB2ZXJzaW9ucQFYBAAAADIuMTBxAlgMAAAAbmNjbF92ZXJzaW9ucQNYBgAAADIuMjguOXEEWAkAAABwZ19jb25m
            aWdxBX1xBlgBAAAAMHEHfXEIKFgEAAAAbmFtZXEJaAdYBAAAAGRlc2NxClgKAAAAZGVmYXVsdF9wZ3ELWAUAAAByYW5rc3EMWAkA
            AABbMCwgMSwgMl1xDXVzWAcAAABlbnRyaWVzcQ5dcQ8ofXEQKFgGAAAAZnJhbWVzcRFdcRIofXETKGgJWAcAAAB3cmFwcGVycRRY
            CAAAAGZpbGVuYW1lcRVYPwAAAC91c3IvbGliL3B5dGhvbjMvZGlzdC1wYWNrYWdlcy90b3JjaC9kaXN0cmlidXRlZC9jMTBkX2xv
            Z2dlci5weXEWWAQAAABsaW5lcRdLUXV9cRgoaAlYBAAAAHN0ZXBxGWgVWAgAAAB0cmFpbi5weXEaaBdLKXVlWAkAAAByZWNvcmRf
            aWRxG0sAWAUAAABwZ19pZHEcSwBYDQAAAHByb2Nlc3NfZ3JvdXBxHWgHaAuGcR5YEQAAAGNvbGxlY3RpdmVfc2VxX2lkcR9LAVgK
            AAAAcDJwX3NlcV9pZHEgSwBYBQAAAG9wX2lkcSFLAVgOAAAAcHJvZmlsaW5nX25hbWVxIlgOAAAAbmNjbDpicm9hZGNhc3RxI1gP
            AAAAdGltZV9jcmVhdGVkX25zcSSKCAEg2oQfhHkYWAsAAABpbnB1dF9zaXplc3ElXXEmXXEnSwphYVgMAAAAaW5wdXRfZHR5cGVz
            cShdcSlYBQAAAEZsb2F0cSphWAUAAABzdGF0ZXErWAkAAABjb21wbGV0ZWRxLFgGAAAAaXNfcDJwcS2JWAcAAAByZXRpcmVkcS6I
            WAoAAAB0aW1lb3V0X21zcS9KwCcJAHV9cTAoaBFdcTEofXEyKGgJaBRoFWgWaBdLUXV9cTMoaAloGWgVaBpoF0spdWVoG0sBaBxL
            AGgdaB5oH0sCaCBLAGghSwJoIlgPAAAAbmNjbDphbGxfcmVkdWNlcTRoJIoIAiDahB+EeRhoJV1xNV1xNihLBE0ABGVhaChdcTdo
            KmFoK1gHAAAAc3RhcnRlZHE4aC2JaC6JaC9KwCcJAHVldS4=
            """);
    /// That of a rank that has not come to call 2, protocol 4.
    static final byte[] BEHIND = decode("""
            gASVHgIAAAAAAAB9lCiMB3ZlcnNpb26UjAQyLjEwlIwMbmNjbF92ZXJzaW9ulIwGMi4yOC45lIwJcGdfY29uZmlnlH2UjAEwlH2U
            KIwEbmFtZZRoB4wEZGVzY5SMCmRlZmF1bHRfcGeUjAVyYW5rc5SMCVswLCAxLCAyXZR1c4wHZW50cmllc5RdlH2UKIwGZnJhbWVz
            lF2UKH2UKGgJjAd3cmFwcGVylIwIZmlsZW5hbWWUjD8vdXNyL2xpYi9weXRob24zL2Rpc3QtcGFja2FnZXMvdG9yY2gvZGlzdHJp
            YnV0ZWQvYzEwZF9sb2dnZXIucHmUjARsaW5llEtRdX2UKGgJjARzdGVwlGgVjAh0cmFpbi5weZRoF0spdWWMCXJlY29yZF9pZJRL
            AIwFcGdfaWSUSwCMDXByb2Nlc3NfZ3JvdXCUaAdoC4aUjBFjb2xsZWN0aXZlX3NlcV9pZJRLAYwKcDJwX3NlcV9pZJRLAIwFb3Bf
            aWSUSwGMDnByb2ZpbGluZ19uYW1llIwObmNjbDpicm9hZGNhc3SUjA90aW1lX2NyZWF0ZWRfbnOUiggBINqEH4R5GIwLaW5wdXRf
            c2l6ZXOUXZRdlEsKYWGMDGlucHV0X2R0eXBlc5RdlIwFRmxvYXSUYYwFc3RhdGWUjAljb21wbGV0ZWSUjAZpc19wMnCUiYwHcmV0
            aXJlZJSIjAp0aW1lb3V0X21zlErAJwkAdWF1Lg==
            """);

    private static byte[] decode(String text) {
        return Base64.getMimeDecoder().decode(text);
    }

    private static byte[] pickle(Object... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {(byte) 0x80, 2});
        for (Object part : parts) {
            if (part instanceof String text) {
                bytes.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
            } else {
                bytes.write((Integer) part);
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void dumpsOfAFlightRecorderAreRead() {
        assertThat(Pickle.parse(WAITING).toText())
                .startsWith("{\"version\":\"2.10\",\"nccl_version\":\"2.28.9\",")
                .contains("\"pg_config\":{\"0\":{\"name\":\"0\"")
                .contains("\"collective_seq_id\":2", "\"input_sizes\":[[4,1024]]", "\"is_p2p\":false")
                .contains("\"process_group\":[\"0\",\"default_pg\"]", "\"time_created_ns\":1763586000000000002");
        assertThat(Pickle.parse(BEHIND).toText()).contains("\"nccl:broadcast\"").doesNotContain("all_reduce");
    }

    /// PyTorch makes lists of integers by a function of its own.
    @Test
    void listsOfIntegersNeedNoImport() {
        byte[] bytes = decode(
                "gAJ9KFgBAAAAYWN0b3JjaC5qaXQuX3BpY2tsZQpidWlsZF9pbnRsaXN0Cl0oSwFK/////2WFUlgBAAAAYkc/+AAAAAAAAHUu");
        assertThat(Pickle.parse(bytes).toText()).isEqualTo("{\"a\":[1,-1],\"b\":1.5}");
    }

    @Test
    void nothingIsImportedOrCalled() {
        assertThatThrownBy(() -> Pickle.parse(decode("gAJjb3MKc3lzdGVtClgEAAAAdHJ1ZYVSLg==")))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("would import and run code");
        assertThatThrownBy(() -> Pickle.parse(pickle("K", 1, 0x81, ".")))
                .hasMessageContaining("an instruction that dumps of a flight recorder do not have (0x81 at byte 4)");
    }

    /// Each list holds the one before twice: sixty levels would be more values than there are atoms.
    @Test
    void valuesThatAreNestedOverAndOverAreCounted() {
        StringBuilder steps = new StringBuilder("]q\0");
        for (int i = 0; i < 60; i++) {
            steps.append("](h")
                    .append((char) i)
                    .append('h')
                    .append((char) i)
                    .append("eq")
                    .append((char) (i + 1));
        }
        byte[] bytes = pickle(steps + ".");
        assertThatThrownBy(() -> Pickle.parse(bytes)).hasMessageContaining("or 3000000 values");
        assertThatThrownBy(() -> Pickle.parse(pickle("]q\0h\0a."))).hasMessageContaining("more than 64 levels");
        assertThatThrownBy(() -> Pickle.parse(pickle("}q\0h\0h\0s."))).hasMessageContaining("a key that is neither");
    }

    /// Whatever is broken is a document error, and nothing else.
    @Test
    void brokenPicklesAreRefused() {
        Random random = new Random(7);
        for (int i = 0; i < 4_000; i++) {
            byte[] bytes = Arrays.copyOf(WAITING, 2 + random.nextInt(WAITING.length - 1));
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                Pickle.parse(bytes);
            } catch (DocumentException e) {
                assertThat(e.getMessage()).contains("pickle");
            }
        }
    }
}
