// SPDX-License-Identifier: Apache-2.0
// What dev.muster.core.foreign.CompiledCalls declares: Java's own linker makes classes for the first call of a program,
// which takes as long as half a Hello World (docs/decisions/0006).
#include <dlfcn.h>
#include <jni.h>

#define CALL(name) Java_dev_muster_core_foreign_CompiledCalls_##name

typedef jlong (*function)(jlong, jlong, jlong, jlong, jlong, jlong, jlong, jlong);

// The handle of a library, or 0. The path is in the encoding of the file system, with a zero byte at its end.
JNIEXPORT jlong JNICALL CALL(open)(JNIEnv *java, jclass type, jbyteArray path) {
    (void)type;
    jbyte *bytes = (*java)->GetByteArrayElements(java, path, NULL);
    void *handle = bytes ? dlopen((char *)bytes, RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (bytes) (*java)->ReleaseByteArrayElements(java, path, bytes, JNI_ABORT);
    return (jlong)handle;
}

// The address of a name in a library, or among those of the process if the handle is 0; 0 if there is none.
JNIEXPORT jlong JNICALL CALL(find)(JNIEnv *java, jclass type, jlong handle, jbyteArray name) {
    (void)type;
    jbyte *bytes = (*java)->GetByteArrayElements(java, name, NULL);
    void *address = bytes ? dlsym(handle ? (void *)handle : RTLD_DEFAULT, (char *)bytes) : NULL;
    if (bytes) (*java)->ReleaseByteArrayElements(java, name, bytes, JNI_ABORT);
    return (jlong)address;
}

// The address of the memory of a direct buffer.
JNIEXPORT jlong JNICALL CALL(addressOf)(JNIEnv *java, jclass type, jobject buffer) {
    (void)type;
    return (jlong)(*java)->GetDirectBufferAddress(java, buffer);
}

JNIEXPORT jlong JNICALL CALL(call)(
    JNIEnv *java, jclass type, jlong address, jlong a, jlong b, jlong c, jlong d, jlong e, jlong f, jlong g, jlong h) {
    (void)java;
    (void)type;
    return ((function)address)(a, b, c, d, e, f, g, h);
}
