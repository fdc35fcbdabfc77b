package dev.muster.mesh.launch;

import java.util.Optional;

/// Lists of hosts as Slurm writes them: `node[03-05,7],login1`. Pure.
final class SlurmHosts {
    private static final int MAX_LENGTH = 1 << 20;

    private SlurmHosts() {}

    /// The first host of a list; nothing if the text is none.
    static Optional<String> first(String list) {
        StringBuilder host = new StringBuilder();
        int at = 0;
        while (at < list.length() && list.charAt(at) != ',') {
            char c = list.charAt(at);
            if (c == '[') {
                int end = list.indexOf(']', at);
                String inside = end < 0 ? "" : list.substring(at + 1, end);
                String number = inside.split("[-,]", 2)[0];
                if (number.isEmpty() || !number.chars().allMatch(Character::isDigit)) {
                    return Optional.empty();
                }
                host.append(number);
                at = end + 1;
            } else {
                host.append(c);
                at++;
            }
        }
        String name = host.toString().strip();
        boolean legal = list.length() <= MAX_LENGTH && name.matches("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?");
        return legal ? Optional.of(name) : Optional.empty();
    }
}
