// SPDX-License-Identifier: Apache-2.0
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Modifier;

/** Finds the places of one file. Names and types are not resolved: what does not compile is drawn again. */
final class SiteScanner extends TreeScanner<Void, Void> {
    /** Calls whose first two arguments may change places. */
    private static final Set<String> SYMMETRIC = Set.of(
            "Math.min",
            "Math.max",
            "Math.addExact",
            "Math.multiplyExact",
            "Objects.equals",
            "Double.min",
            "Double.max",
            "Long.min",
            "Long.max",
            "Integer.min",
            "Integer.max",
            "Set.of",
            "EnumSet.of",
            "Long.sum",
            "Integer.sum",
            "Double.sum",
            "Arrays.equals",
            "Map.ofEntries");

    private static final Map<Tree.Kind, List<String>> COMPARISONS = Map.of(
            Tree.Kind.LESS_THAN, List.of("<", "<="),
            Tree.Kind.LESS_THAN_EQUAL, List.of("<=", "<"),
            Tree.Kind.GREATER_THAN, List.of(">", ">="),
            Tree.Kind.GREATER_THAN_EQUAL, List.of(">=", ">"),
            Tree.Kind.EQUAL_TO, List.of("==", "!="),
            Tree.Kind.NOT_EQUAL_TO, List.of("!=", "=="));
    private static final Map<Tree.Kind, List<String>> ARITHMETIC = Map.of(
            Tree.Kind.PLUS, List.of("+", "-"),
            Tree.Kind.MINUS, List.of("-", "+"),
            Tree.Kind.MULTIPLY, List.of("*", "/"),
            Tree.Kind.DIVIDE, List.of("/", "*"),
            Tree.Kind.REMAINDER, List.of("%", "*"));
    private static final Map<Tree.Kind, List<String>> LOGIC = Map.of(
            Tree.Kind.CONDITIONAL_AND, List.of("&&", "||"),
            Tree.Kind.CONDITIONAL_OR, List.of("||", "&&"));

    private final SourcePositions positions;
    private final CompilationUnitTree unit;
    private final String module;
    private final String file;
    private final String text;
    private final List<Mutant> found = new ArrayList<>();
    private final Map<String, Integer> occurrences = new HashMap<>();
    private String constant = "";
    private String returned = "";

    SiteScanner(SourcePositions positions, CompilationUnitTree unit, String module, String file, String text) {
        this.positions = positions;
        this.unit = unit;
        this.module = module;
        this.file = file;
        this.text = text;
    }

    List<Mutant> found() {
        return found;
    }

    @Override
    public Void visitAnnotation(AnnotationTree node, Void nothing) {
        return null;
    }

    @Override
    public Void visitMethod(MethodTree node, Void nothing) {
        String outer = returned;
        returned = node.getReturnType() == null ? "" : node.getReturnType().toString();
        super.visitMethod(node, nothing);
        returned = outer;
        return null;
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree node, Void nothing) {
        String outer = returned;
        returned = "";
        super.visitLambdaExpression(node, nothing);
        returned = outer;
        return null;
    }

    /** The compiler copies constants of primitive types to those who read them. */
    @Override
    public Void visitVariable(VariableTree node, Void nothing) {
        Set<Modifier> flags = node.getModifiers().getFlags();
        boolean isShared = flags.contains(Modifier.STATIC)
                && flags.contains(Modifier.FINAL)
                && !flags.contains(Modifier.PRIVATE)
                && node.getType() != null
                && Set.of("int", "long", "double", "float", "boolean", "char", "byte", "short", "String")
                        .contains(node.getType().toString());
        String outer = constant;
        constant = isShared ? node.getName().toString() : outer;
        super.visitVariable(node, nothing);
        constant = outer;
        return null;
    }

    @Override
    public Void visitBinary(BinaryTree node, Void nothing) {
        replaceOperator(node, COMPARISONS, Mutant.Kind.COMPARISON);
        replaceOperator(node, ARITHMETIC, Mutant.Kind.ARITHMETIC);
        replaceOperator(node, LOGIC, Mutant.Kind.CONDITION);
        return super.visitBinary(node, nothing);
    }

    private void replaceOperator(BinaryTree node, Map<Tree.Kind, List<String>> changes, Mutant.Kind kind) {
        List<String> change = changes.get(node.getKind());
        if (change == null || start(node) < 0) {
            return;
        }
        int from = end(node.getLeftOperand());
        int to = start(node.getRightOperand());
        int at = text.indexOf(change.get(0), from);
        // Parentheses and comments may stand between them.
        if (from >= 0 && at >= from && at < to) {
            String whole = text.substring(start(node), end(node));
            int inside = at - start(node);
            String changed = whole.substring(0, inside)
                    + change.get(1)
                    + whole.substring(inside + change.get(0).length());
            add(kind, start(node), end(node), changed);
        }
    }

    @Override
    public Void visitLiteral(LiteralTree node, Void nothing) {
        if (Set.of(Tree.Kind.INT_LITERAL, Tree.Kind.LONG_LITERAL, Tree.Kind.DOUBLE_LITERAL, Tree.Kind.FLOAT_LITERAL)
                        .contains(node.getKind())
                && node.getValue() instanceof Number number) {
            String literal = text.substring(start(node), end(node));
            add(
                    Mutant.Kind.CONSTANT,
                    start(node),
                    end(node),
                    number.doubleValue() == 0 ? "1" : "(10 * " + literal + ")");
        }
        return super.visitLiteral(node, nothing);
    }

    @Override
    public Void visitExpressionStatement(ExpressionStatementTree node, Void nothing) {
        if (node.getExpression() instanceof MethodInvocationTree call) {
            String called = call.getMethodSelect().toString();
            if (!called.equals("super") && !called.equals("this")) {
                add(Mutant.Kind.REMOVED_CALL, start(node), end(node), ";");
            }
        }
        return super.visitExpressionStatement(node, nothing);
    }

    @Override
    public Void visitIf(IfTree node, Void nothing) {
        add(
                Mutant.Kind.CONDITION,
                start(node.getCondition()),
                end(node.getCondition()),
                "(!" + text(node.getCondition()) + ")");
        return super.visitIf(node, nothing);
    }

    @Override
    public Void visitConditionalExpression(ConditionalExpressionTree node, Void nothing) {
        ExpressionTree condition = node.getCondition();
        add(Mutant.Kind.CONDITION, start(condition), end(condition), "!(" + text(condition) + ")");
        return super.visitConditionalExpression(node, nothing);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
        if (!SYMMETRIC.contains(node.getMethodSelect().toString())) {
            swap(node.getArguments());
        }
        return super.visitMethodInvocation(node, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree node, Void nothing) {
        swap(node.getArguments());
        return super.visitNewClass(node, nothing);
    }

    private void swap(List<? extends ExpressionTree> arguments) {
        for (int i = 0; i + 1 < arguments.size(); i++) {
            String first = text(arguments.get(i));
            String second = text(arguments.get(i + 1));
            if (!first.isEmpty() && !second.isEmpty() && !first.equals(second)) {
                String between = text.substring(end(arguments.get(i)), start(arguments.get(i + 1)));
                add(
                        Mutant.Kind.ARGUMENTS,
                        start(arguments.get(i)),
                        end(arguments.get(i + 1)),
                        second + between + first);
            }
        }
    }

    @Override
    public Void visitReturn(ReturnTree node, Void nothing) {
        if (node.getExpression() != null) {
            String value = text(node.getExpression());
            String changed = defaultOf(value);
            if (!changed.isEmpty() && !changed.equals(value)) {
                add(Mutant.Kind.RETURNED_DEFAULT, start(node.getExpression()), end(node.getExpression()), changed);
            }
        }
        return super.visitReturn(node, nothing);
    }

    private String defaultOf(String value) {
        String raw = returned.replaceFirst("<.*", "").replaceFirst("^.*[. ]", "");
        return switch (raw) {
            case "boolean" -> "!(" + value + ")";
            case "int", "long", "double", "float", "short", "byte", "char" -> "0";
            case "String" -> "\"\"";
            case "Optional", "OptionalInt", "OptionalLong", "OptionalDouble" -> "java.util." + raw + ".empty()";
            case "List", "Set", "Map" -> "java.util." + raw + ".of()";
            default -> "";
        };
    }

    private void add(Mutant.Kind kind, int start, int end, String changed) {
        if (start < 0 || end <= start) {
            return;
        }
        int lineStart = text.lastIndexOf('\n', start - 1) + 1;
        int lineEnd = text.indexOf('\n', start);
        String lineText =
                text.substring(lineStart, lineEnd < 0 ? text.length() : lineEnd).strip();
        String old = text.substring(start, end);
        int before = occurrences.merge(lineText + "\t" + old + "\t" + changed, 1, Integer::sum) - 1;
        found.add(new Mutant(
                kind,
                module,
                file,
                (int) unit.getLineMap().getLineNumber(start),
                start,
                end,
                lineText,
                before,
                old,
                changed,
                constant));
    }

    private String text(Tree node) {
        return start(node) < 0 || end(node) < 0 ? "" : text.substring(start(node), end(node));
    }

    private int start(Tree node) {
        return (int) positions.getStartPosition(unit, node);
    }

    private int end(Tree node) {
        return (int) positions.getEndPosition(unit, node);
    }
}
