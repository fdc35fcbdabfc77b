// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class FrameTagsTest {
    private static final byte[] KEY =
            "a key of this direction of one connection".substring(0, 32).getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OTHER_KEY =
            "of the other direction, same link".substring(0, 32).getBytes(StandardCharsets.US_ASCII);

    private static byte[] tagged(FrameTags tags, byte... message) {
        byte[] all = Arrays.copyOf(message, message.length + FrameTags.BYTES);
        tags.append(all, message.length);
        return all;
    }

    private static boolean accepts(FrameTags tags, byte[] tagged) {
        return tags.isNext(tagged, tagged.length - FrameTags.BYTES);
    }

    @Test
    void theTagIsTheHmacOfNumberAndMessage() throws Exception {
        FrameTags tags = new FrameTags(KEY);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        Random random = new Random(7);
        for (long number = 0; number < 50; number++) {
            byte[] message = new byte[random.nextInt(300)];
            random.nextBytes(message);
            mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
            byte[] expected = Arrays.copyOf(mac.doFinal(message), FrameTags.BYTES);
            byte[] all = tagged(tags, message);
            assertThat(Arrays.copyOfRange(all, message.length, all.length)).isEqualTo(expected);
        }
    }

    @Test
    void whatWasChangedRepeatedLeftOutOrSentBackIsRefused() {
        FrameTags sender = new FrameTags(KEY);
        byte[] first = tagged(sender, (byte) 1, (byte) 2);
        byte[] second = tagged(sender, (byte) 3, (byte) 4);
        for (int at = 0; at < first.length; at++) {
            byte[] changed = first.clone();
            changed[at] ^= 1;
            assertThat(accepts(new FrameTags(KEY), changed)).as("byte %d", at).isFalse();
        }
        FrameTags receiver = new FrameTags(KEY);
        assertThat(accepts(receiver, first)).isTrue();
        assertThat(accepts(receiver, first)).as("repeated").isFalse();
        assertThat(accepts(new FrameTags(KEY), second)).as("the first left out").isFalse();
        assertThat(accepts(new FrameTags(OTHER_KEY), first)).as("sent back").isFalse();
    }
}
