// SPDX-License-Identifier: Apache-2.0
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.CompoundElement;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Rewrites jars so that the JVM makes no classes at run time for switches over types and for `equals`, `hashCode` and
/// `toString` of records: a start-up cache does not keep those, and the first of each takes milliseconds
/// (docs/decisions/0004). DirectCalls FOLDER... rewrites each `muster-*.jar` in the folders; other jars there are read,
/// as types of theirs may occur.
final class DirectCalls {
    private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
    private static final ClassDesc BUILDER = ClassDesc.of("java.lang.StringBuilder");

    private final ClassFile classFile;

    private DirectCalls(Map<String, byte[]> classes) {
        ClassHierarchyResolver known = ClassHierarchyResolver.ofResourceParsing(type -> {
                    String descriptor = type.descriptorString();
                    byte[] bytes = classes.get(descriptor.substring(1, descriptor.length() - 1) + ".class");
                    return bytes == null ? null : new ByteArrayInputStream(bytes);
                })
                .orElse(ClassHierarchyResolver.defaultResolver());
        classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(known));
    }

    public static void main(String[] folders) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String folder : folders) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of(folder), "*.jar")) {
                found.forEach(jars::add);
            }
        }
        Map<String, byte[]> classes = new HashMap<>();
        for (Path jar : jars) {
            read(jar).forEach((entry, bytes) -> classes.put(entry.getName(), bytes));
        }
        DirectCalls calls = new DirectCalls(classes);
        for (Path jar : jars) {
            if (jar.getFileName().toString().startsWith("muster-")) {
                calls.rewrite(jar);
            }
        }
    }

    /// In the order of the jar.
    private static Map<ZipEntry, byte[]> read(Path jar) throws IOException {
        Map<ZipEntry, byte[]> entries = new LinkedHashMap<>();
        try (ZipFile file = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(file.entries())) {
                entries.put(entry, file.getInputStream(entry).readAllBytes());
            }
        }
        return entries;
    }

    /// Keeps names, order and times, so that the same jar becomes the same bytes. A jar without such calls is left
    /// alone.
    private void rewrite(Path jar) throws IOException {
        Map<ZipEntry, byte[]> entries = read(jar);
        boolean changed = false;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (Map.Entry<ZipEntry, byte[]> each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey().getName());
                entry.setTimeLocal(each.getKey().getTimeLocal());
                out.putNextEntry(entry);
                byte[] rewritten = isClass(entry) ? rewrite(each.getValue()) : each.getValue();
                changed |= rewritten != each.getValue();
                out.write(rewritten);
            }
        }
        if (changed) {
            Files.write(jar, bytes.toByteArray());
        }
    }

    private static boolean isClass(ZipEntry entry) {
        return entry.getName().endsWith(".class") && !entry.getName().endsWith("module-info.class");
    }

    private byte[] rewrite(byte[] bytes) {
        ClassModel model = classFile.parse(bytes);
        boolean concerned = model.methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(CompoundElement::elementStream)
                .anyMatch(element -> isRecords(element) || isSwitch(element));
        return concerned ? classFile.transformClass(model, new Rewriting(model).transform()) : bytes;
    }

    private static boolean isRecords(CodeElement element) {
        return element instanceof InvokeDynamicInstruction call
                && call.bootstrapMethod().owner().displayName().equals("ObjectMethods");
    }

    /// A switch over types and texts; labels that are constants of an enum stay as they are.
    private static boolean isSwitch(CodeElement element) {
        return element instanceof InvokeDynamicInstruction call
                && call.bootstrapMethod().owner().displayName().equals("SwitchBootstraps")
                && call.bootstrapMethod().methodName().equals("typeSwitch")
                && call.bootstrapArgs().stream()
                        .allMatch(label ->
                                label instanceof String || (label instanceof ClassDesc type && !type.isPrimitive()));
    }

    private static final class Rewriting {
        private final ClassDesc self;
        private final boolean isInterface;
        private final List<Switch> found = new ArrayList<>();

        private record Switch(String name, MethodTypeDesc type, List<ConstantDesc> labels) {}

        Rewriting(ClassModel model) {
            self = model.thisClass().asSymbol();
            isInterface = model.flags().has(AccessFlag.INTERFACE);
        }

        ClassTransform transform() {
            return ClassTransform.transformingMethodBodies(CodeTransform.ofStateful(() -> this::rewrite))
                    .andThen(ClassTransform.endHandler(this::addMethods));
        }

        private void rewrite(CodeBuilder code, CodeElement element) {
            if (isRecords(element) && element instanceof InvokeDynamicInstruction call) {
                switch (call.name().stringValue()) {
                    case "equals" -> equals(code, call.bootstrapArgs());
                    case "hashCode" -> hashCode(code, call.bootstrapArgs());
                    default -> text(code, call.bootstrapArgs());
                }
            } else if (isSwitch(element) && element instanceof InvokeDynamicInstruction call) {
                Switch here = new Switch("typeSwitch$" + found.size(), call.typeSymbol(), call.bootstrapArgs());
                found.add(here);
                code.invokestatic(self, here.name, here.type, isInterface);
            } else {
                code.with(element);
            }
        }

        private void addMethods(ClassBuilder builder) {
            for (Switch each : found) {
                builder.withMethodBody(
                        each.name,
                        each.type,
                        ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                        code -> choose(code, each.labels));
            }
        }

        /// The index of the first label from a start on that fits a value, -1 for null.
        private static void choose(CodeBuilder code, List<ConstantDesc> labels) {
            Label present = code.newLabel();
            code.aload(0).ifnonnull(present).iconst_m1().ireturn().labelBinding(present);
            for (int i = 0; i < labels.size(); i++) {
                Label next = code.newLabel();
                code.iload(1).loadConstant(i).if_icmpgt(next);
                if (labels.get(i) instanceof ClassDesc type) {
                    code.aload(0).instanceOf(type).ifeq(next);
                } else {
                    code.loadConstant((String) labels.get(i))
                            .aload(0)
                            .invokevirtual(CD_String, "equals", MethodTypeDesc.of(CD_boolean, CD_Object))
                            .ifeq(next);
                }
                code.loadConstant(i).ireturn().labelBinding(next);
            }
            code.loadConstant(labels.size()).ireturn();
        }

        private static List<DirectMethodHandleDesc> fields(List<ConstantDesc> arguments) {
            return arguments.stream()
                    .skip(2)
                    .map(argument -> (DirectMethodHandleDesc) argument)
                    .toList();
        }

        private void load(CodeBuilder code, DirectMethodHandleDesc field) {
            code.getfield(self, field.methodName(), type(field));
        }

        private static ClassDesc type(DirectMethodHandleDesc field) {
            return field.invocationType().returnType();
        }

        /// On the stack: this and the other; leaves whether they are equal.
        private void equals(CodeBuilder code, List<ConstantDesc> arguments) {
            Label unlike = code.newLabel();
            Label same = code.newLabel();
            Label end = code.newLabel();
            code.pop().pop();
            code.aload(0).aload(1).if_acmpeq(same);
            code.aload(1).instanceOf(self).ifeq(unlike);
            for (DirectMethodHandleDesc field : fields(arguments)) {
                ClassDesc type = type(field);
                code.aload(0);
                load(code, field);
                code.aload(1).checkcast(self);
                load(code, field);
                switch (TypeKind.from(type)) {
                    case LONG -> code.lcmp().ifne(unlike);
                    case FLOAT ->
                        code.invokestatic(
                                        ClassDesc.of("java.lang.Float"),
                                        "compare",
                                        MethodTypeDesc.of(CD_int, type, type))
                                .ifne(unlike);
                    case DOUBLE ->
                        code.invokestatic(
                                        ClassDesc.of("java.lang.Double"),
                                        "compare",
                                        MethodTypeDesc.of(CD_int, type, type))
                                .ifne(unlike);
                    case REFERENCE ->
                        code.invokestatic(OBJECTS, "equals", MethodTypeDesc.of(CD_boolean, CD_Object, CD_Object))
                                .ifeq(unlike);
                    default -> code.if_icmpne(unlike);
                }
            }
            code.labelBinding(same)
                    .iconst_1()
                    .goto_(end)
                    .labelBinding(unlike)
                    .iconst_0()
                    .labelBinding(end);
        }

        private void hashCode(CodeBuilder code, List<ConstantDesc> arguments) {
            code.pop().iconst_0();
            for (DirectMethodHandleDesc field : fields(arguments)) {
                code.bipush(31).imul().aload(0);
                load(code, field);
                ClassDesc type = type(field);
                if (type.isPrimitive()) {
                    code.invokestatic(boxed(type), "hashCode", MethodTypeDesc.of(CD_int, type));
                } else {
                    code.invokestatic(OBJECTS, "hashCode", MethodTypeDesc.of(CD_int, CD_Object));
                }
                code.iadd();
            }
        }

        private static ClassDesc boxed(ClassDesc type) {
            return ClassDesc.of("java.lang."
                    + switch (type.displayName()) {
                        case "int" -> "Integer";
                        case "char" -> "Character";
                        case String name -> Character.toUpperCase(name.charAt(0)) + name.substring(1);
                    });
        }

        private void text(CodeBuilder code, List<ConstantDesc> arguments) {
            code.pop().new_(BUILDER).dup();
            code.invokespecial(BUILDER, "<init>", ConstantDescs.MTD_void);
            String before = simpleName() + "[";
            for (DirectMethodHandleDesc field : fields(arguments)) {
                append(code.loadConstant(before + field.methodName() + "="), CD_String)
                        .aload(0);
                load(code, field);
                append(code, type(field));
                before = ", ";
            }
            append(code.loadConstant(fields(arguments).isEmpty() ? before + "]" : "]"), CD_String);
            code.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(CD_String));
        }

        private String simpleName() {
            String name = self.displayName();
            return name.substring(name.lastIndexOf('$') + 1).replaceFirst("^\\d+", ""); // of a local record
        }

        private static CodeBuilder append(CodeBuilder code, ClassDesc type) {
            ClassDesc taken = switch (type.displayName()) {
                case "byte", "short" -> CD_int;
                case "String" -> CD_String;
                default -> type.isPrimitive() ? type : CD_Object;
            };
            return code.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, taken));
        }
    }
}
