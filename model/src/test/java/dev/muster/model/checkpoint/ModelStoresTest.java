// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores in the layouts that the programs make.
class ModelStoresTest {
    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    private static final String DIGEST = "ab".repeat(32);
    private static final String CONFIG = """
            {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
             "intermediate_size": 128, "vocab_size": 100, "tie_word_embeddings": true}""";

    @TempDir
    Path home;

    private ModelStores stores;

    @BeforeEach
    void findsStoresInTheHomeFolder() {
        stores = ModelStores.of(Map.of(), home);
    }

    /// `blobs` holds the files, `snapshots` links to them.
    private Path snapshot() throws IOException {
        Path repository = Files.createDirectories(home.resolve(".cache/huggingface/hub/models--our--tiny"));
        Path blobs = Files.createDirectories(repository.resolve("blobs"));
        Files.writeString(blobs.resolve("c0ffee"), CONFIG);
        Files.writeString(Files.createDirectories(repository.resolve("refs")).resolve("main"), COMMIT);
        Path folder = Files.createDirectories(repository.resolve("snapshots").resolve(COMMIT));
        Files.createSymbolicLink(folder.resolve("config.json"), Path.of("../../blobs/c0ffee"));
        return folder;
    }

    private Path manifest(String tag, String digest) throws IOException {
        Path folder = Files.createDirectories(home.resolve(".ollama/models/manifests/registry.ollama.ai/library/tiny"));
        return Files.writeString(folder.resolve(tag), """
                {"schemaVersion": 2, "layers": [
                  {"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:%s", "size": 1},
                  {"mediaType": "application/vnd.ollama.image.model", "digest": "%s", "size": 1}]}""".formatted("cd".repeat(32), digest));
    }

    @Test
    void aSnapshotOfTheHubIsFoundAndRead() throws IOException {
        Path folder = snapshot();
        assertThat(stores.find("our/tiny")).contains(folder);
        assertThat(CheckpointReader.create().read(folder).parameters().find()).isPresent();
        assertThat(stores.find("our/other")).isEmpty();
    }

    @Test
    void variablesMoveTheStores() throws IOException {
        snapshot();
        Path elsewhere = home.resolve(".cache/huggingface");
        assertThat(ModelStores.of(Map.of("HF_HOME", elsewhere.toString()), home.resolve("none"))
                        .find("our/tiny"))
                .isPresent();
        assertThat(ModelStores.of(Map.of("HF_HUB_CACHE", home.toString()), home).find("our/tiny"))
                .isEmpty();
    }

    @Test
    void weightsOfOllamaAreFoundByNameAndTag() throws IOException {
        manifest("1b-q4_0", "sha256:" + DIGEST);
        manifest("latest", "sha256:" + DIGEST);
        Path blob =
                Files.createDirectories(home.resolve(".ollama/models/blobs")).resolve("sha256-" + DIGEST);
        Files.write(blob, new byte[] {'G', 'G', 'U', 'F'});
        assertThat(stores.find("tiny:1b-q4_0")).contains(blob);
        assertThat(stores.find("tiny")).contains(blob);
        assertThat(stores.find("tiny:2b")).isEmpty();
    }

    @Test
    void foldersOfLmStudioAreFound() throws IOException {
        Path folder = Files.createDirectories(home.resolve(".lmstudio/models/our/tiny-GGUF"));
        Files.write(folder.resolve("tiny-Q4_K_M.gguf"), new byte[] {'G', 'G', 'U', 'F'});
        assertThat(stores.find("our/tiny-GGUF")).contains(folder);
    }

    @Test
    void linksOutOfAStoreAreRefused() throws IOException {
        Path secret = Files.writeString(home.resolve("secret"), CONFIG);
        Path folder = snapshot();
        Files.createSymbolicLink(folder.resolve("model.safetensors"), secret);
        assertThatExceptionOfType(CheckpointException.class)
                .isThrownBy(() -> stores.find("our/tiny"))
                .withMessageContaining("leads out of the store");
        manifest("latest", "sha256:" + DIGEST);
        Path blobs = Files.createDirectories(home.resolve(".ollama/models/blobs"));
        Files.createSymbolicLink(blobs.resolve("sha256-" + DIGEST), secret);
        assertThatExceptionOfType(CheckpointException.class)
                .isThrownBy(() -> stores.find("tiny"))
                .withMessageContaining("leads out of the store");
    }

    @Test
    void hostileManifestsAreRefused() throws IOException {
        manifest("latest", "sha256:../../../../secret");
        assertThatExceptionOfType(CheckpointException.class)
                .isThrownBy(() -> stores.find("tiny"))
                .withMessageContaining("SHA-256");
        Files.writeString(manifest("huge", ""), "[" + "0,".repeat(1 << 20) + "0]");
        assertThatExceptionOfType(CheckpointException.class)
                .isThrownBy(() -> stores.find("tiny:huge"))
                .withMessageContaining("at most");
        Files.writeString(manifest("deep", ""), "[".repeat(100_000));
        assertThatExceptionOfType(CheckpointException.class).isThrownBy(() -> stores.find("tiny:deep"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../..", "our/..", "a/b/c", "", ":", "our/tiny:../x", "/etc/passwd", "our/ti ny", ".hidden/x"})
    void namesThatArePathsAreNotLookedUp(String name) {
        assertThat(stores.find(name)).isEmpty();
    }
}
