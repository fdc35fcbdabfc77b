// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The names that users of the libraries can use.
final class ExportedApi {
    private ExportedApi() {}

    /// Packages that modules export without qualification.
    static Set<String> packages(Collection<String> modules) throws IOException {
        Set<String> exported = new TreeSet<>();
        for (String module : modules) {
            Path file = Path.of("..", module, "target", "classes", "module-info.class");
            try (InputStream stream = Files.newInputStream(file)) {
                ModuleDescriptor.read(stream).exports().stream()
                        .filter(export -> !export.isQualified())
                        .forEach(export -> exported.add(export.source()));
            }
        }
        return exported;
    }

    /// A name that users read: of a type, a member or a parameter.
    ///
    /// @param owner the type that has it
    /// @param member the method or constructor that has the parameter, or the name itself
    /// @param name the name
    /// @param type type of the member; the type itself for types
    record Name(Class<?> owner, String member, String name, Type type) {
        @Override
        public String toString() {
            return owner.getName() + "." + member + ": " + type.getTypeName() + " " + name;
        }
    }

    /// All names of public types in packages that a module exports.
    static List<Name> names(String module) throws IOException, ClassNotFoundException {
        List<Name> names = new ArrayList<>();
        for (String exported : packages(List.of(module))) {
            Path folder = Path.of("..", module, "target", "classes").resolve(exported.replace('.', '/'));
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".class") && !name.startsWith("package-info")) {
                        add(names, Class.forName(exported + "." + name.substring(0, name.length() - 6)));
                    }
                }
            }
        }
        return names;
    }

    private static void add(List<Name> names, Class<?> type) {
        for (Class<?> outer = type; outer != null; outer = outer.getEnclosingClass()) {
            if (!Modifier.isPublic(outer.getModifiers())) {
                return;
            }
        }
        names.add(new Name(type, "", type.getSimpleName(), type));
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers()) && !field.isEnumConstant()) {
                names.add(new Name(type, field.getName(), field.getName(), field.getGenericType()));
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()) {
                names.add(new Name(type, method.getName(), method.getName(), method.getGenericReturnType()));
                addParameters(names, type, method);
            }
        }
        for (Executable constructor : type.getConstructors()) {
            addParameters(names, type, constructor);
        }
    }

    private static void addParameters(List<Name> names, Class<?> owner, Executable of) {
        for (Parameter parameter : of.getParameters()) {
            if (parameter.isNamePresent()) {
                names.add(new Name(owner, of.getName(), parameter.getName(), parameter.getParameterizedType()));
            }
        }
    }
}
