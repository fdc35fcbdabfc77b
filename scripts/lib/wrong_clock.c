// SPDX-License-Identifier: Apache-2.0
// To be loaded before a program (LD_PRELOAD), whose time of day is then wrong by CLOCK_SHIFT seconds. All other clocks and
// all waits are as they were. Debian's libfaketime also answers timed waits, and a JVM's then end at once.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
    const char *text = getenv("CLOCK_SHIFT");
    return text == NULL ? 0 : atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int) syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += shift();
    }
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int result = (int) syscall(SYS_gettimeofday, now, zone);
    if (result == 0) {
        now->tv_sec += shift();
    }
    return result;
}

time_t time(time_t *now) {
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    if (now != NULL) {
        *now = real.tv_sec;
    }
    return real.tv_sec;
}
