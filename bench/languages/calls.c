/* calls library|text|PROGRAM DATABASE: see languages.py. The library is called, or the program by `hebb pipe`. With
 * `text` no answer is read. */
#include <hebb.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kMostCalls = 1000 };

static hebb_db *db; /* NULL: by the pipe */
static int reads = 1;
static FILE *to_pipe, *from_pipe;
static char *line; /* of the pipe */
static size_t room;

static void fail(const char *why) {
  fprintf(stderr, "calls: %s\n", why);
  exit(1);
}

static void start(const char *program, const char *database) {
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0) fail("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    close(to[1]);
    close(from[0]);
    execl(program, program, "--db", database, "pipe", (char *)NULL);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  to_pipe = fdopen(to[1], "w");
  from_pipe = fdopen(from[0], "r");
}

/* Looks at every id of a ranking. */
static void read_answer(const char *text, int ranks) {
  json_t *answer = json_loads(text, 0, NULL), *row;
  if (!answer) fail("an answer that is no JSON");
  const json_t *inner = db ? answer : json_object_get(answer, "answer");
  if (!inner) fail(text);
  const json_t *tasks = json_object_get(inner, "tasks");
  if (ranks && json_array_size(tasks) == 0) fail("an answer without tasks");
  size_t i;
  json_array_foreach(tasks, i, row) {
    if (!json_string_value(json_object_get(row, "id"))) fail("a task without an id");
  }
  json_decref(answer);
}

static void call(const char *operation, const char *request) {
  char *answer = NULL;
  if (db) {
    if (hebb_call(db, operation, request, &answer) != HEBB_DONE) fail(answer);
  } else {
    fprintf(to_pipe, "{\"id\":1,\"operation\":\"%s\",\"request\":%s}\n", operation, request);
    fflush(to_pipe);
    if (getline(&line, &room, from_pipe) <= 0) fail("the pipe has ended");
    answer = line;
  }
  if (reads) read_answer(answer, strcmp(operation, "rank") == 0);
  if (db) hebb_free(answer);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int less(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc != 3) fail("two words");
  char *error = NULL;
  reads = strcmp(argv[1], "text") != 0;
  if (reads && strcmp(argv[1], "library") != 0) {
    start(argv[1], argv[2]);
  } else if (hebb_open(argv[2], NULL, &db, &error) != HEBB_DONE) {
    fail(error);
  }
  char operation[32], task[600], request[700];
  int calls;
  while (scanf("%31s %d %599s", operation, &calls, task) == 3) {
    static double took[kMostCalls];
    if (calls < 1 || calls > kMostCalls) fail("too many calls");
    for (int i = 0; i < calls; ++i) {
      const double begin = now();
      if (strcmp(operation, "rank") == 0) {
        strcpy(request, "{\"limit\":20}");
      } else {
        snprintf(request, sizeof request, "{\"id\":\"%s\",\"outcome\":\"failure\"}", task);
      }
      call(operation, request);
      took[i] = now() - begin;
    }
    qsort(took, (size_t)calls, sizeof took[0], less);
    printf("%.0f\n", took[calls / 2]);
    fflush(stdout);
  }
  hebb_close(db);
  return 0;
}
