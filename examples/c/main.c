/* The first steps with the C interface: makes a database with two tasks, reports a failure, ranks.
 *
 *   cc -std=c99 examples/c/main.c $(pkg-config --cflags --libs hebb) -o example
 *   ./example example.db
 */
#include <stdio.h>
#include <stdlib.h>

#include <hebb.h>

/* Runs an operation; ends the program with the problem if it fails. */
static void call(hebb_db *db, const char *operation, const char *request) {
  char *answer;
  if (hebb_call(db, operation, request, &answer) != HEBB_DONE) {
    fprintf(stderr, "%s: %s\n", operation, answer ? answer : "no memory");
    exit(1);
  }
  hebb_free(answer);
}

int main(int argc, char **argv) {
  hebb_db *db;
  hebb_rows *rows;
  char *text;
  if (hebb_open(argc > 1 ? argv[1] : ":memory:", "{\"now\": \"2026-01-05T00:00:00Z\"}", &db, &text) !=
      HEBB_DONE) {
    fprintf(stderr, "%s\n", text ? text : "no memory");
    return 1;
  }
  call(db, "node_set", "{\"id\": \"task-1\", \"type\": \"TASK\", \"name\": \"Fix the login\"}");
  call(db, "node_set", "{\"id\": \"task-2\", \"type\": \"TASK\", \"name\": \"Write the docs\"}");
  call(db, "outcome", "{\"id\": \"task-1\", \"outcome\": \"failure\"}");
  if (hebb_stream(db, "rank", NULL, &rows, &text) != HEBB_DONE) return 1;
  hebb_free(text);
  hebb_close(db);
  while (hebb_next(rows, &text) == HEBB_DONE && text) {
    printf("%s\n", text);
    hebb_free(text);
  }
  hebb_end(rows);
  return 0;
}
