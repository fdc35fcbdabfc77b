// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.Store.Watch;
import dev.muster.mesh.store.StoreException;
import dev.muster.mesh.store.StoreException.StoreError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A store in a folder that `python/torch_gloo.py` reads and writes as well: as much of one as Gloo and PyTorch
/// need.
final class FolderStore implements Store {
    private static final long LOOK_NANOS = 1_000_000;

    private final Path folder;
    private final String owner;

    /// @param owner tells those who write to the folder apart
    FolderStore(Path folder, String owner) {
        this.folder = folder;
        this.owner = owner;
    }

    private Path file(String key) {
        return folder.resolve(HexFormat.of().formatHex(key.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void set(String key, byte[] value) {
        try {
            Path part = Files.write(folder.resolve("part-" + owner), value);
            Files.move(part, file(key), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<byte[]> find(String key) {
        try {
            return Files.exists(file(key)) ? Optional.of(Files.readAllBytes(file(key))) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, byte[]> awaitAll(Collection<String> keys, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        Map<String, byte[]> found = new LinkedHashMap<>();
        for (String key : keys) {
            Optional<byte[]> value = find(key);
            while (value.isEmpty()) {
                if (System.nanoTime() - end > 0) {
                    throw new StoreException(StoreError.LIMIT_EXCEEDED, key + " was not set within " + limit);
                }
                LockSupport.parkNanos(LOOK_NANOS);
                value = find(key);
            }
            found.put(key, value.get());
        }
        return found;
    }

    @Override
    public long add(String key, long delta) {
        Path lock = folder.resolve(file(key).getFileName() + "-lock");
        try {
            while (true) {
                try {
                    Files.createDirectory(lock);
                    break;
                } catch (FileAlreadyExistsException _) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            }
            long total = delta
                    + find(key)
                            .map(value -> Long.parseLong(new String(value, StandardCharsets.UTF_8)))
                            .orElse(0L);
            set(key, Long.toString(total).getBytes(StandardCharsets.UTF_8));
            Files.delete(lock);
            return total;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static StoreException unsupported() {
        return new StoreException(StoreError.UNSUPPORTED, "a folder that PyTorch writes to knows no more");
    }

    @Override
    public boolean setIfAbsent(String key, byte[] value) {
        throw unsupported();
    }

    @Override
    public boolean compareAndSet(String key, byte[] expected, byte[] value) {
        throw unsupported();
    }

    @Override
    public boolean delete(String key) {
        throw unsupported();
    }

    @Override
    public List<String> keys(String prefix) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("([0-9a-f]{2})+"))
                    .map(name -> new String(HexFormat.of().parseHex(name), StandardCharsets.UTF_8))
                    .filter(key -> key.startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<Duration> findAge(String key) {
        throw unsupported();
    }

    @Override
    public Watch watch(String prefix, Listener listener) {
        throw unsupported();
    }

    @Override
    public void setEphemeral(String key, byte[] value) {
        throw unsupported();
    }

    @Override
    public void setOnLoss(String key, byte[] value) {
        throw unsupported();
    }

    @Override
    public void close() {
        // The folder is the test's.
    }
}
