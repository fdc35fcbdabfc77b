// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Random operations through three members of one store give what a plain map gives.
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreModelTest {
    private static final int OPERATIONS = 400;

    private final StoreKind kind;

    @TempDir
    Path folder;

    private final TreeMap<String, String> model = new TreeMap<>();

    StoreModelTest(StoreKind kind) {
        this.kind = kind;
    }

    @RepeatedTest(5)
    void behavesLikeAMap(RepetitionInfo repetition) {
        long seed = 7_000L + repetition.getCurrentRepetition();
        System.out.println("StoreModelTest " + kind + " seed " + seed);
        Random random = new Random(seed);
        try (StoreKind.Meeting meeting = kind.meet(folder)) {
            List<Store> members = new ArrayList<>(List.of(meeting.open(), meeting.open(), meeting.open()));
            for (int i = 0; i < OPERATIONS; i++) {
                int member = random.nextInt(members.size());
                if (random.nextInt(100) == 0) {
                    members.get(member).close();
                    members.set(member, meeting.open());
                }
                step(members.get(member), random, "seed " + seed + ", step " + i);
            }
            members.forEach(store -> assertThat(store.keys("")).containsExactlyElementsOf(model.keySet()));
        }
    }

    private void step(Store store, Random random, String where) {
        String key = "k" + random.nextInt(12);
        String value = Integer.toString(random.nextInt(4));
        Optional<String> now = Optional.ofNullable(model.get(key));
        switch (random.nextInt(8)) {
            case 0 -> {
                store.set(key, bytes(value));
                model.put(key, value);
            }
            case 1 -> assertThat(text(store.find(key))).as(where).isEqualTo(now);
            case 2 -> {
                long sum = Long.parseLong(now.orElse("0")) + 3;
                assertThat(store.add(key, 3)).as(where).isEqualTo(sum);
                model.put(key, Long.toString(sum));
            }
            case 3 -> {
                assertThat(store.setIfAbsent(key, bytes(value))).as(where).isEqualTo(now.isEmpty());
                model.putIfAbsent(key, value);
            }
            case 4 -> {
                String expected = Integer.toString(random.nextInt(4));
                boolean same = now.equals(Optional.of(expected));
                assertThat(store.compareAndSet(key, bytes(expected), bytes(value)))
                        .as(where)
                        .isEqualTo(same);
                if (same) {
                    model.put(key, value);
                }
            }
            case 5 -> {
                assertThat(store.delete(key)).as(where).isEqualTo(now.isPresent());
                model.remove(key);
            }
            case 6 -> {
                List<String> expected =
                        model.keySet().stream().filter(k -> k.startsWith("k1")).toList();
                assertThat(store.keys("k1")).as(where).isEqualTo(expected);
            }
            default -> {
                if (now.isPresent()) {
                    assertThat(text(Optional.of(store.await(key, Duration.ZERO))))
                            .as(where)
                            .isEqualTo(now);
                }
                assertThat(store.findAge(key).isPresent()).as(where).isEqualTo(now.isPresent());
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Optional<String> text(Optional<byte[]> bytes) {
        return bytes.map(value -> new String(value, StandardCharsets.UTF_8));
    }
}
