// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.table.CsvTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TemplateTest {
    private static final LaunchFacts FACTS = LaunchFacts.NONE
            .with(LaunchFact.TENSOR, 4)
            .with(LaunchFact.FORMAT, "fp8")
            .with(LaunchFact.MODEL, "a $HOME b");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '' | true
            tensor>1 | true
            tensor>4 | false
            tensor<5 | true
            tensor=2/4 | true
            format=fp8;tensor=4 | true
            format=fp8;tensor=5 | false
            format!=bf16 | true
            format!=fp8 | false
            tensor | true
            !tensor | false
            stages | false
            !stages | true
            stages=1 | false
            stages!=1 | false
            stages>0 | false
            """)
    void aConditionHoldsForWhatIsKnown(String text, boolean holds) {
        assertThat(TemplateRow.Condition.parse(text.replace('/', '|')).holds(FACTS))
                .isEqualTo(holds);
    }

    @Test
    void whatNobodyKnowsIsAMistakeOfTheTable() {
        assertThatThrownBy(() -> TemplateRow.Condition.parse("tensors>1"))
                .hasMessage("unknown fact in a template: 'tensors'");
        assertThatThrownBy(() -> TemplateRow.Condition.parse("!tensor=1"))
                .hasMessage("'!tensor=1' is not a condition of a template");
        assertThatThrownBy(() -> TemplateRow.Condition.parse("tensor>=1"))
                .hasMessage("'tensor>=1' is not a condition of a template");
        assertThatThrownBy(() -> new TemplateText("{tensors}").checkFacts())
                .hasMessage("unknown fact in a template: 'tensors'");
    }

    @Test
    void aFactNeverBecomesAVariableOfTheShell() {
        ShellWord word = new TemplateText("$HEAD_ADDRESS:{model}").word(FACTS).orElseThrow();
        assertThat(word.quoted()).isEqualTo("\"$HEAD_ADDRESS\":'a $HOME b'");
        assertThat(word.plain()).isEqualTo("$HEAD_ADDRESS:a $HOME b");
        assertThat(new TemplateText("{stages}").word(FACTS)).isEmpty();
        assertThat(new TemplateText("").word(FACTS).orElseThrow().quoted()).isEqualTo("''");
    }

    @Test
    void quotesAreClosedEscapedAndOpenedAgain() {
        assertThat(ShellWord.of("it's").quoted()).isEqualTo("'it'\\''s'");
        assertThat(ShellWord.of("a/b-1.0_x:y,z=@%+").quoted()).isEqualTo("a/b-1.0_x:y,z=@%+");
        assertThat(ShellWord.of("~/x").quoted()).isEqualTo("'~/x'");
    }

    /// Reading a template checks its conditions and its facts.
    @ParameterizedTest
    @EnumSource(LaunchTarget.class)
    void everyTargetHasATemplate(LaunchTarget target) {
        LaunchTemplate template = LaunchTemplate.of(target);
        assertThat(template.rows()).isNotEmpty();
        assertThat(template.target()).isEqualTo(target);
    }

    @Test
    void everyTableSaysItsSource() {
        assertThat(CsvTable.parse(LaunchTemplate.resource("targets.csv")).rows())
                .allMatch(row -> row.find("source").isPresent());
    }

    /// An apostrophe would have to be escaped where a script stands in another.
    @ParameterizedTest
    @EnumSource(LaunchTarget.class)
    void noReasonNeedsQuotes(LaunchTarget target) {
        assertThat(LaunchTemplate.of(target).rows()).noneMatch(row -> row.why().matches(".*['\"`$\\\\].*"));
    }

    @Test
    void whatNoCommandLineShouldCarryIsRefused() {
        LaunchFacts facts = LaunchFacts.NONE;
        assertThatThrownBy(() -> facts.with(LaunchFact.MODEL, "a\nb"))
                .hasMessage("the model has control characters, which no command line should carry");
        assertThatThrownBy(() -> facts.with(LaunchFact.MODEL, "a\u2028b"))
                .hasMessage("the model has control characters, which no command line should carry");
        assertThatThrownBy(() -> facts.with(LaunchFact.MODEL, "-rf"))
                .hasMessage("the model begins with a dash, as options do; write ./ before it");
        assertThatThrownBy(() -> facts.with(LaunchFact.MODEL, " ")).hasMessage("the model is blank");
        assertThatThrownBy(() -> new Artifact("../x", "text/plain", "")).hasMessage("'../x' is not a plain file name");
    }

    @ParameterizedTest
    @CsvSource({"$NAME,$NAME", "a$$b,a$$$$b", "$(NAME),$$(NAME)", "$$(NAME),$$$$(NAME)", "x$,x$", "$$$,$$$$$$"})
    void kubernetesReplacesNothingOfAScript(String script, String escaped) {
        assertThat(ClusterLaunch.escapeReferences(script)).isEqualTo(escaped);
    }
}
