// SPDX-License-Identifier: Apache-2.0
/** The least program there is: what the JVM itself costs, for scripts/bench-startup to compare with. */
final class Hello {
    private Hello() {}

    public static void main(String[] args) {
        System.out.println("Hello, world");
    }
}
