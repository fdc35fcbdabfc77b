// SPDX-License-Identifier: Apache-2.0
// For the profile "api" of pom.xml: of all changes that were found, those in packages that a module exports without qualification.
// Packages are the same in no two modules, so one list does for all.
def root = new File(System.getProperty("maven.multiModuleProjectDirectory"))
def exported = [] as Set
root.eachDir { module ->
    def descriptor = new File(module, "src/main/java/module-info.java")
    if (descriptor.exists()) {
        (descriptor.text =~ /(?m)^\s*exports\s+([\w.]+)\s*;/).each { exported << it[1] }
    }
}
if (exported.isEmpty()) {
    throw new IllegalStateException("no module below $root exports a package")
}
def isInternal = { type ->
    def name = type.fullyQualifiedName
    !exported.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))))
}
// The list itself: the tool takes no notice of another one.
jApiClasses.removeAll(isInternal)
return jApiClasses
