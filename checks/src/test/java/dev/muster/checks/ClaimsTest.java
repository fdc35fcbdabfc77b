// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.checks.Claims.Promise;
import dev.muster.checks.Claims.Section;
import dev.muster.checks.Claims.Silence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every promise of the documents has its proof in `docs/claims.md`, and every proof is there.
class ClaimsTest {
    /// A statement ends with a full stop, a semicolon, or the cell of a table.
    private static final Pattern END = Pattern.compile("(?<=[.;])\\s+|\\s*\\|\\s*");
    /// Phrases by which documents say that something was not tried.
    private static final Pattern UNTRIED = Pattern.compile("(?i)\\b(?:not|nothing|never|no|none)\\b[^.]{0,80}"
            + "\\b(?:verified|tried|seen|met|started|run|ran|measured|made|published|built|compiled)\\b");

    /// Tests and scripts that a document speaks of.
    private static final Pattern NAMED =
            Pattern.compile("`(?:[A-Z][A-Za-z0-9]*[a-z0-9](?:Test|IT)|scripts/[a-z0-9-]+)`");

    private final List<String> faults = new ArrayList<>();

    @Test
    void everyDocumentIsListedAndNoOther() throws IOException {
        Claims claims = Claims.read();
        List<String> documents = Claims.documents();
        TreeSet<String> listed = new TreeSet<>();
        claims.promises().forEach(promise -> listed.add(promise.document()));
        claims.silences().forEach(silence -> listed.add(silence.document()));

        for (String document : documents) {
            if (!listed.contains(document)) {
                fault(document, "it has no promise; add a section '## " + document + "' with a table of claims");
            }
        }
        documents.forEach(listed::remove);
        listed.forEach(name -> fault(name, "no such document; remove its rows, or correct its name"));
        assertNoFaults();
    }

    @Test
    void everyClaimStandsInItsDocument() throws IOException {
        Claims claims = Claims.read();
        for (String document : Claims.documents()) {
            List<Section> sections = Claims.sections(document);
            for (String words : claims.wordsOf(document)) {
                if (sections.stream().noneMatch(section -> has(section, words))) {
                    fault(at(document, words), "the document does not say so; take over its words, or remove the row");
                }
            }
        }
        assertNoFaults();
    }

    @Test
    void everyProofIsThere() throws IOException {
        Proofs proofs = Proofs.ofAllModules();
        for (Promise promise : Claims.read().promises()) {
            for (String proof : promise.proofs()) {
                proofs.findFault(proof)
                        .ifPresent(fault -> fault(at(promise.document(), promise.words()) + ", " + proof, fault));
            }
        }
        assertNoFaults();
    }

    @Test
    void whatIsNotVerifiedIsSaidSoInTheDocument() throws IOException {
        for (Promise promise : Claims.read().promises()) {
            if (promise.proofs().contains(Proofs.NOT_VERIFIED)
                    && Claims.sections(promise.document()).stream()
                            .noneMatch(section -> has(section, promise.words())
                                    && UNTRIED.matcher(section.text()).find())) {
                fault(at(promise.document(), promise.words()), "say in the same section that it was not tried");
            }
        }
        assertNoFaults();
    }

    @Test
    void everySectionPromisesSomethingOrSaysThatItDoesNot() throws IOException {
        Claims claims = Claims.read();
        for (String document : Claims.documents()) {
            List<String> words = claims.wordsOf(document);
            for (Section section : Claims.sections(document)) {
                if (words.stream().noneMatch(claim -> has(section, claim))) {
                    fault(at(document, section.heading()), "add a row with a claim of it, or why it has none");
                }
            }
        }
        assertNoFaults();
    }

    @Test
    void whatPromisesNothingHasAReason() throws IOException {
        for (Silence silence : Claims.read().silences()) {
            if (silence.why().isEmpty()) {
                fault(at(silence.document(), silence.words()), "say why it promises nothing");
            }
        }
        assertNoFaults();
    }

    @Test
    void everyTestAndScriptThatADocumentNamesIsThere() throws IOException {
        Proofs proofs = Proofs.ofAllModules();
        for (String document : Claims.documents()) {
            NAMED.matcher(Files.readString(Claims.ROOT.resolve(document)))
                    .results()
                    .map(MatchResult::group)
                    .distinct()
                    .forEach(name -> proofs.findFault(name).ifPresent(fault -> fault(at(document, name), fault)));
        }
        assertNoFaults();
    }

    /// The answers of the README, and of the page about security every statement, whichever sentence or cell it is.
    @Test
    void everyAnswerAndEveryStatementAboutSecurityHasItsOwn() throws IOException {
        Claims claims = Claims.read();
        requireEach("README.md", answers(), claims.wordsOf("README.md"));
        requireEach("SECURITY.md", statements(), claims.wordsOf("SECURITY.md"));
        assertNoFaults();
    }

    /// The build refuses versions that change by themselves.
    @Test
    void everyVersionIsPinned() throws IOException {
        assertThat(Files.readString(Path.of("../pom.xml")))
                .contains("<banDynamicVersions/>", "<requireReleaseDeps/>", "cyclonedx-maven-plugin", "muster-sbom");
    }

    private void requireEach(String document, List<String> statements, List<String> words) {
        assertThat(statements).as(document).hasSizeGreaterThan(5);
        for (String statement : statements) {
            if (words.stream().noneMatch(statement::contains)) {
                fault(at(document, statement), "add a row with words of it and its proof");
            }
        }
    }

    private static List<String> answers() throws IOException {
        String readme = Files.readString(Claims.ROOT.resolve("README.md"));
        return Pattern.compile("(?ms)^- (.*?)(?=^- |\\n\\n)")
                .matcher(readme)
                .results()
                .map(bullet -> Claims.fold(bullet.group(1)))
                .toList();
    }

    private static List<String> statements() throws IOException {
        return Claims.sections("SECURITY.md").stream()
                .flatMap(section -> Stream.of(END.split(section.text())))
                .filter(part -> part.chars().filter(Character::isLetter).count() > 15)
                .toList();
    }

    private static boolean has(Section section, String words) {
        return section.heading().equals(words) || section.text().contains(words);
    }

    private static String at(String document, String words) {
        return document + ", '" + words + "'";
    }

    private void fault(String place, String advice) {
        faults.add("docs/claims.md: " + place + ": " + advice);
    }

    private void assertNoFaults() {
        assertThat(faults).withFailMessage(() -> String.join("\n", faults)).isEmpty();
    }
}
