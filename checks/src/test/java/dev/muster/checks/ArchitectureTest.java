// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of docs/architecture.md on dependencies and on access to the outside world.
class ArchitectureTest {
    private static final String[] LIBRARIES = {
        "dev.muster.core..",
        "dev.muster.detect..",
        "dev.muster.model..",
        "dev.muster.plan..",
        "dev.muster.evidence..",
        "dev.muster.report..",
        "dev.muster.mesh..",
        "dev.muster.monitor..",
        "dev.muster.fleet..",
        "dev.muster.server..",
        "dev.muster.micrometer..",
        "dev.muster.opentelemetry..",
        "dev.muster.spring.."
    };
    /// The modules that each module requires, besides `java.base` and `org.jspecify`.
    private static final Map<String, Set<String>> MODULES = Map.ofEntries(
            Map.entry("core", Set.of()),
            Map.entry("detect", Set.of("java.xml", "jdk.jfr", "dev.muster.core")),
            Map.entry("model", Set.of("dev.muster.core")),
            Map.entry("plan", Set.of("dev.muster.core", "dev.muster.model")),
            Map.entry("evidence", Set.of("dev.muster.core", "dev.muster.model", "dev.muster.plan")),
            Map.entry("mesh", Set.of("jdk.jfr", "dev.muster.core")),
            Map.entry("monitor", Set.of("dev.muster.core")),
            Map.entry(
                    "fleet",
                    Set.of(
                            "java.net.http",
                            "org.snakeyaml.engine",
                            "dev.muster.core",
                            "dev.muster.detect",
                            "dev.muster.plan")),
            Map.entry(
                    "report",
                    Set.of(
                            "dev.muster.core",
                            "dev.muster.model",
                            "dev.muster.plan",
                            "dev.muster.evidence",
                            "dev.muster.mesh",
                            "dev.muster.fleet")),
            Map.entry(
                    "server",
                    Set.of(
                            "java.net.http",
                            "org.eclipse.jetty.server",
                            "org.eclipse.jetty.http",
                            "org.eclipse.jetty.io",
                            "org.eclipse.jetty.util",
                            "dev.muster.core",
                            "dev.muster.fleet",
                            "dev.muster.monitor",
                            "dev.muster.plan",
                            "dev.muster.report")),
            Map.entry("micrometer", Set.of("micrometer.core", "dev.muster.core", "dev.muster.monitor")),
            Map.entry("opentelemetry", Set.of("io.opentelemetry.api", "dev.muster.core", "dev.muster.monitor")),
            Map.entry("spring", Set.of("spring.boot.health", "dev.muster.core", "dev.muster.monitor")));
    /// The modules of Muster that the classes of each library may use.
    private static final Map<String, List<String>> KNOWN = Map.of(
            "detect", List.of("core"),
            "model", List.of("core"),
            "plan", List.of("core", "model"),
            "evidence", List.of("core", "model", "plan"),
            "mesh", List.of("core"),
            "monitor", List.of("core"),
            "report", List.of("core", "model", "plan", "evidence", "mesh", "fleet"));
    /// State that a process has only once, reserved for its outermost layer.
    private static final Set<String> PROCESS_CALLS = Set.of(
            "java.lang.System.getenv",
            "java.lang.System.getProperty",
            "java.lang.System.exit",
            "java.lang.System.currentTimeMillis",
            "java.lang.Thread.sleep",
            "java.time.Instant.now",
            "java.time.Clock.systemDefaultZone",
            "java.time.Clock.systemUTC",
            "java.time.ZoneId.systemDefault",
            "java.util.Locale.getDefault");
    /// Detector.ofThisHost puts a detector of the real machine together for users of the library.
    private static final String WIRING = "dev.muster.detect.Detector";

    /// Says on standard error how a rank left MPI, when the JVM ends and its loggers may have ended.
    private static final String LAST_WORD = "dev.muster.mesh.mpi.MpiProcess";

    private static final Set<String> PROCESS_FIELDS =
            Set.of("java.lang.System.out", "java.lang.System.err", "java.lang.System.in");
    private static final Set<String> FILE_TYPES = Set.of(
            "java.io.File",
            "java.io.FileInputStream",
            "java.io.FileOutputStream",
            "java.io.RandomAccessFile",
            "java.io.FileReader",
            "java.nio.file.Files",
            "java.nio.channels.FileChannel");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.muster");

    @Test
    void coreKnowsOnlyTheJdkAndItself() {
        classes()
                .that()
                .resideInAPackage("dev.muster.core..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "dev.muster.core..", "org.jspecify.annotations.."))
                .check(CLASSES);
    }

    @Test
    void librariesDoNotKnowEachOther() {
        KNOWN.forEach((library, known) -> {
            String[] allowed = Stream.concat(Stream.of(library), known.stream())
                    .map(name -> "dev.muster." + name + "..")
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage("dev.muster." + library + "..")
                    .should()
                    .dependOnClassesThat(resideInAPackage("dev.muster..")
                            .and(resideInAnyPackage(allowed).negate()))
                    .check(CLASSES);
        });
    }

    /// The modules for Micrometer, OpenTelemetry and Spring are optional: no other module depends on them.
    @Test
    void nobodyNeedsTheLibrariesOfApplications() throws IOException {
        String[] adapters = {"dev.muster.micrometer..", "dev.muster.opentelemetry..", "dev.muster.spring.."};
        noClasses()
                .that()
                .resideInAPackage("dev.muster..")
                .and()
                .resideOutsideOfPackages(adapters)
                .should()
                .dependOnClassesThat(resideInAnyPackage(adapters)
                        .or(resideInAnyPackage("io.micrometer..", "io.opentelemetry..", "org.springframework..")))
                .check(CLASSES);
        for (String module : KNOWN.keySet()) {
            assertThat(Path.of("..", module, "pom.xml"))
                    .content()
                    .doesNotContain("muster-micrometer", "muster-opentelemetry", "muster-spring-boot");
        }
    }

    @Test
    void modulesRequireExactlyWhatTheTableSays() throws IOException {
        for (Map.Entry<String, Set<String>> module : MODULES.entrySet()) {
            Path file = Path.of("..", module.getKey(), "target", "classes", "module-info.class");
            try (InputStream stream = Files.newInputStream(file)) {
                Set<String> requires = ModuleDescriptor.read(stream).requires().stream()
                        .map(ModuleDescriptor.Requires::name)
                        .collect(Collectors.toSet());
                Set<String> expected = new HashSet<>(module.getValue());
                expected.addAll(Set.of("java.base", "org.jspecify"));
                assertThat(requires).as(module.getKey()).isEqualTo(expected);
            }
        }
    }

    @Test
    void librariesTouchNothingOfTheProcess() {
        noClasses()
                .that()
                .resideInAnyPackage(LIBRARIES)
                .and()
                .doNotHaveFullyQualifiedName(WIRING)
                .and()
                .doNotHaveFullyQualifiedName(LAST_WORD)
                .should()
                .accessTargetWhere(describe("is of the process", ArchitectureTest::isOfTheProcess))
                .check(CLASSES);
    }

    private static boolean isOfTheProcess(JavaAccess<?> access) {
        String target = access.getTargetOwner().getFullName() + "." + access.getName();
        return PROCESS_CALLS.contains(target) || PROCESS_FIELDS.contains(target);
    }

    @Test
    void onlyTheWayToAHostOpensFiles() {
        noClasses()
                .that()
                .resideInAnyPackage(LIBRARIES)
                .and()
                .resideOutsideOfPackages(
                        "dev.muster.detect.file..",
                        "dev.muster.detect.host..",
                        "dev.muster.fleet.file..",
                        "dev.muster.model.checkpoint..",
                        "dev.muster.mesh.mpi..",
                        "dev.muster.mesh.recording..",
                        "dev.muster.mesh.store..",
                        "dev.muster.mesh.shm..",
                        "dev.muster.server.socket..")
                .should()
                .dependOnClassesThat(describe("open files", type -> FILE_TYPES.contains(type.getFullName())))
                .check(CLASSES);
    }

    @Test
    void onlyTheWayToAHostAndTheLauncherOfAMeshStartProcesses() {
        noClasses()
                .that()
                .resideInAPackage("dev.muster..")
                .and()
                .resideOutsideOfPackages(
                        "dev.muster.detect.host..",
                        "dev.muster.mesh.start..",
                        "dev.muster.cli.terminal..",
                        "dev.muster.bench..")
                .should()
                .dependOnClassesThat(describe(
                        "start processes",
                        type -> Set.of("java.lang.ProcessBuilder", "java.lang.Process")
                                .contains(type.getFullName())))
                .check(CLASSES);
    }

    @Test
    void onlyProbesAndCommunicatorsCallNativeCode() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.muster.core.foreign..", "dev.muster.detect..", "dev.muster.mesh..", "dev.muster.bench..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign..")
                .check(CLASSES);
    }

    @Test
    void thereIsOneWayToCallNativeFunctions() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.muster.core.foreign..")
                .should()
                .dependOnClassesThat(describe(
                        "load or link",
                        type -> Set.of("java.lang.foreign.Linker", "java.lang.foreign.SymbolLookup")
                                .contains(type.getFullName())))
                .check(CLASSES);
    }

    @Test
    void onlyTheMeshOpensSockets() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.muster.mesh..", "dev.muster.fleet..", "dev.muster.server..")
                .should()
                .dependOnClassesThat(describe(
                        "open sockets",
                        type -> type.getFullName()
                                .matches("java\\.net\\..*Socket.*|java\\.nio\\.channels\\..*Socket.*")))
                .check(CLASSES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "core",
                "detect",
                "model",
                "plan",
                "evidence",
                "report",
                "mesh",
                "monitor",
                "fleet",
                "server",
                "micrometer",
                "opentelemetry",
                "spring",
                "cli"
            })
    void packagesFormNoCycle(String module) {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        String name = type.getPackageName();
                        return (name + ".").startsWith("dev.muster." + module + ".")
                                ? SliceIdentifier.of(name)
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "packages of " + module;
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    /// A package that grows beyond this has two topics.
    @Test
    void noPackageHasMoreThan45Classes() {
        Map<String, Long> classes = CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(classes).hasSizeGreaterThan(80);
        assertThat(classes.entrySet())
                .filteredOn(entry -> entry.getValue() > 45)
                .isEmpty();
    }

    @Test
    void vendorsDoNotKnowEachOther() {
        slices().matching("dev.muster.detect.(*)..")
                .namingSlices("detect.$1")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(
                        resideInAPackage("dev.muster.detect.."),
                        resideInAnyPackage(
                                "dev.muster.detect.fabric..",
                                "dev.muster.detect.file..",
                                "dev.muster.detect.host..",
                                "dev.muster.detect.measure..",
                                "dev.muster.detect.pci..",
                                "dev.muster.detect.probe..",
                                "dev.muster.detect.text..",
                                "dev.muster.detect.timed..",
                                "dev.muster.detect.tool..",
                                "dev.muster.detect.normalise.."))
                .check(CLASSES);
    }

    /// The exported API, nested types included, does not grow. 400 types are the goal.
    @Test
    void fewPublicTypesAreExported() throws IOException {
        assertThat(exportedTypes(Set.of("core", "detect", "model", "plan", "evidence", "mesh", "report")))
                .isBetween(1L, 473L);
        assertThat(exportedTypes(Set.of("monitor", "fleet", "server", "micrometer", "opentelemetry", "spring")))
                .isBetween(1L, 100L);
    }

    /// A reader of an import or an example knows which type is meant.
    @Test
    void noSimpleNameIsExportedTwice() throws IOException {
        Set<String> exported = ExportedApi.packages(Set.of(
                "core",
                "detect",
                "model",
                "plan",
                "evidence",
                "mesh",
                "report",
                "monitor",
                "fleet",
                "server",
                "micrometer",
                "opentelemetry",
                "spring"));
        Map<String, List<String>> names = CLASSES.stream()
                .filter(type -> exported.contains(type.getPackageName()) && isPublic(type))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));

        assertThat(names).hasSizeGreaterThan(400);
        assertThat(names.values()).allSatisfy(types -> assertThat(types).hasSize(1));
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    private static long exportedTypes(Set<String> modules) throws IOException {
        Set<String> exported = ExportedApi.packages(modules);
        return CLASSES.stream()
                .filter(type -> exported.contains(type.getPackageName()) && isPublic(type))
                .count();
    }

    /// Packages that are not exported stay internal; the command line is a user like any other.
    @Test
    void theCommandLineKnowsOnlyWhatUsersKnow() throws IOException {
        Set<String> exported = ExportedApi.packages(MODULES.keySet());
        noClasses()
                .that()
                .resideInAPackage("dev.muster.cli..")
                .should()
                .dependOnClassesThat(describe(
                        "are planning internals",
                        type -> type.getPackageName().startsWith("dev.muster.plan")
                                && !exported.contains(type.getPackageName())))
                .check(CLASSES);
    }

    @Test
    void namesSayWhatAThingIs() {
        noClasses()
                .that()
                .resideInAPackage("dev.muster..")
                .should()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Info")
                .orShould()
                .haveSimpleNameStartingWith("Abstract")
                .orShould()
                .resideInAnyPackage("..util..", "..common..", "..misc..", "..impl..", "..helper..")
                .check(CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() throws IOException {
        try (Stream<Path> folders = Files.walk(Path.of(".."))) {
            List<Path> packages =
                    folders.filter(ArchitectureTest::isPackageWithSources).toList();
            assertThat(packages).hasSizeGreaterThan(10);
            assertThat(packages)
                    .allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                            .content()
                            .contains("@" + NullMarked.class.getSimpleName()));
        }
    }

    private static boolean isPackageWithSources(Path folder) {
        if (!Files.isDirectory(folder) || !folder.toString().contains("/src/main/java/dev/")) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
