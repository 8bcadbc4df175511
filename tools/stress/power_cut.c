/* What a disk has been given and was never told to keep (tools/stress/power_cut.py).

   Loaded into a house with LD_PRELOAD. Every write to a file in the folder $POWER_FOLDER is noted in $POWER_NOTES, with what
   stood there before; a sync of that file wipes its notes. Whoever kills the house afterwards can so undo what a power cut
   would have undone. Syncs themselves are not done: nobody pulls the plug of this machine. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* Where the notes of this file are; 0: it is none of ours. */
static int notes_of(int fd, char *notes, size_t size) {
    char link[64], path[4096];
    const char *folder = getenv("POWER_FOLDER"), *place = getenv("POWER_NOTES");
    if (!folder || !place) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    size_t prefix = strlen(folder);
    if (strncmp(path, folder, prefix) || path[prefix] != '/') return 0;
    const char *name = path + prefix + 1;
    size_t end = strlen(name);
    if (strchr(name, '/') || (end > 4 && !strcmp(name + end - 4, "-shm"))) return 0;
    snprintf(notes, size, "%s/%s", place, name);
    return 1;
}

/* offset, length of the write (-1: the file is cut there), size of the file before, length of what stood there; then both. */
static void note(int fd, const char *notes, int64_t offset, const void *data, int64_t length) {
    struct stat now;
    if (fstat(fd, &now)) return;
    int64_t reach = length < 0 ? now.st_size - offset : length;
    if (offset + reach > now.st_size) reach = now.st_size - offset;
    if (reach < 0) reach = 0;
    int64_t head[4] = {offset, length, now.st_size, reach};
    size_t size = sizeof head + reach + (length > 0 ? length : 0);
    char *record = malloc(size);
    memcpy(record, head, sizeof head);
    if (pread(fd, record + sizeof head, reach, offset) != reach) abort();
    if (length > 0) memcpy(record + sizeof head + reach, data, length);
    int log = open(notes, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    if (log < 0 || real(log, record, size) != (ssize_t)size) abort();
    close(log);
    free(record);
}

#define WRITE(NAME, OFFSET)                                                                                     \
    ssize_t NAME(int fd, const void *data, size_t length, OFFSET offset) {                                      \
        static ssize_t (*real)(int, const void *, size_t, OFFSET);                                              \
        char notes[4096];                                                                                       \
        if (!real) real = dlsym(RTLD_NEXT, #NAME);                                                              \
        if (!notes_of(fd, notes, sizeof notes)) return real(fd, data, length, offset);                          \
        pthread_mutex_lock(&one_at_a_time);                                                                     \
        note(fd, notes, offset, data, (int64_t)length);                                                         \
        ssize_t done = real(fd, data, length, offset);                                                          \
        pthread_mutex_unlock(&one_at_a_time);                                                                   \
        return done;                                                                                            \
    }
WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t length) {
    static ssize_t (*real)(int, const void *, size_t);
    char notes[4096];
    if (!real) real = dlsym(RTLD_NEXT, "write");
    if (!notes_of(fd, notes, sizeof notes)) return real(fd, data, length);
    pthread_mutex_lock(&one_at_a_time);
    note(fd, notes, lseek(fd, 0, SEEK_CUR), data, (int64_t)length);
    ssize_t done = real(fd, data, length);
    pthread_mutex_unlock(&one_at_a_time);
    return done;
}

#define TRUNCATE(NAME, OFFSET)                                                                                  \
    int NAME(int fd, OFFSET size) {                                                                             \
        static int (*real)(int, OFFSET);                                                                        \
        char notes[4096];                                                                                       \
        if (!real) real = dlsym(RTLD_NEXT, #NAME);                                                              \
        if (!notes_of(fd, notes, sizeof notes)) return real(fd, size);                                          \
        pthread_mutex_lock(&one_at_a_time);                                                                     \
        note(fd, notes, size, 0, -1);                                                                           \
        int done = real(fd, size);                                                                              \
        pthread_mutex_unlock(&one_at_a_time);                                                                   \
        return done;                                                                                            \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(NAME)                                                                                              \
    int NAME(int fd) {                                                                                          \
        static int (*real)(int);                                                                                \
        char notes[4096];                                                                                       \
        if (!real) real = dlsym(RTLD_NEXT, #NAME);                                                              \
        if (!notes_of(fd, notes, sizeof notes)) return real(fd);                                                \
        pthread_mutex_lock(&one_at_a_time);                                                                     \
        unlink(notes);                                                                                          \
        pthread_mutex_unlock(&one_at_a_time);                                                                   \
        return 0;                                                                                               \
    }
SYNC(fsync)
SYNC(fdatasync)
