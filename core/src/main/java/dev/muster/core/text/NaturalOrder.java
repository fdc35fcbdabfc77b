// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.text;

import java.util.Comparator;

/// Orders names as people count: `card2` stands before `card10`.
public final class NaturalOrder implements Comparator<String> {
    /// The one order.
    public static final NaturalOrder INSTANCE = new NaturalOrder();

    private NaturalOrder() {}

    @Override
    public int compare(String one, String other) {
        int i = 0;
        int j = 0;
        while (i < one.length() && j < other.length()) {
            if (isDigit(one.charAt(i)) && isDigit(other.charAt(j))) {
                int endOne = endOfDigits(one, i);
                int endOther = endOfDigits(other, j);
                int numbers = compareNumbers(one.substring(i, endOne), other.substring(j, endOther));
                if (numbers != 0) {
                    return numbers;
                }
                i = endOne;
                j = endOther;
            } else if (one.charAt(i) == other.charAt(j)) {
                i++;
                j++;
            } else {
                return Character.compare(one.charAt(i), other.charAt(j));
            }
        }
        int rest = Integer.compare(one.length() - i, other.length() - j);
        // Names that differ only in leading zeros still need an order.
        return rest != 0 ? rest : one.compareTo(other);
    }

    private static int compareNumbers(String one, String other) {
        String first = withoutZeros(one);
        String second = withoutZeros(other);
        int lengths = Integer.compare(first.length(), second.length());
        return lengths != 0 ? lengths : first.compareTo(second);
    }

    private static String withoutZeros(String digits) {
        int start = 0;
        while (start < digits.length() - 1 && digits.charAt(start) == '0') {
            start++;
        }
        return digits.substring(start);
    }

    private static int endOfDigits(String text, int start) {
        int end = start;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
