// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import dev.muster.core.text.NaturalOrder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Answers that lie in a folder: `aws-REGION.json`, `azure-*.json` and `gcp-*.json`, whose pages follow each other in
/// the order of their names.
record RecordedAnswers(Path folder) implements Answers {
    private static final long MAX_PAGE_BYTES = 32 << 20;

    @Override
    public InputStream aws(String region) throws IOException {
        return Files.newInputStream(folder.resolve("aws-" + region + ".json"));
    }

    @Override
    public List<byte[]> azure(List<Machine> machines) throws IOException {
        return pages("azure-");
    }

    @Override
    public List<byte[]> gcp() throws IOException {
        return pages("gcp-");
    }

    private List<byte[]> pages(String prefix) throws IOException {
        List<String> names;
        try (Stream<Path> files = Files.list(folder)) {
            names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix) && name.endsWith(".json"))
                    .sorted(NaturalOrder.INSTANCE)
                    .toList();
        }
        List<byte[]> pages = new ArrayList<>();
        for (String name : names) {
            Path page = folder.resolve(name);
            if (Files.size(page) > MAX_PAGE_BYTES) {
                throw new IOException("'" + name + "' has more than " + MAX_PAGE_BYTES + " bytes");
            }
            pages.add(Files.readAllBytes(page));
        }
        return pages;
    }
}
