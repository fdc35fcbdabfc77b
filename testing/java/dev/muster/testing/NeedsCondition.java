// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// Decides for [Needs].
final class NeedsCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), Needs.class)
                .flatMap(needs -> Stream.concat(
                                Arrays.stream(needs.value())
                                        .filter(need -> !need.isMet())
                                        .map(Need::words),
                                Arrays.stream(needs.programs())
                                        .filter(program -> Program.find(program).isEmpty())
                                        .map(Program::words))
                        .findFirst())
                .map(words -> ConditionEvaluationResult.disabled(Need.reason(words)))
                .orElse(ConditionEvaluationResult.enabled("all that it needs is there"));
    }
}
