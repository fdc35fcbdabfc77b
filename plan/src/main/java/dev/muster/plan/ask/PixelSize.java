// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import java.util.List;

/// Width and height of images in pixels, as text.
final class PixelSize {
    private static final int MOST = 16_384;

    private PixelSize() {}

    static List<Integer> parse(String text) {
        int by = text.indexOf('x');
        // NumberFormatException is what the grammar expects of a wrong text.
        int width = Integer.parseInt(text.substring(0, Math.max(by, 0)));
        int height = Integer.parseInt(text.substring(by + 1));
        if (Math.min(width, height) < 1 || Math.max(width, height) > MOST) {
            throw new IllegalArgumentException("width and height are from 1 to " + MOST + " pixels");
        }
        return List.of(width, height);
    }

    static String text(List<Integer> size) {
        return size.getFirst() + "x" + size.getLast();
    }
}
