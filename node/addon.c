/* The C interface (c/hebb.h) for JavaScript. Internal to the package: database.js calls it, and sees to it that calls
 * on one database come one after another and that nothing is called after close(). Texts are JSON.
 *
 *   open(path or null, options)           -> Promise of a database
 *   call(database, operation, request)    -> Promise of the answer; rejected with the problem, or with null where
 *                                            there is no memory
 *   callSync(database, operation, request)-> the same, at once: [done, text]
 *   cancel(database)                      ends the call that runs
 *   close(database)                       -> Promise
 *   stream(database, operation, request)  -> Promise of [rows, answer]; rejected as call()
 *   next(rows)                            -> "[row, …]", at once; null after the last; undefined: there is no memory
 *   end(rows)                             frees what is left of them
 *
 * A promise is fulfilled by a thread of Node's pool. */
#define NAPI_VERSION 8
#include <node_api.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hebb.h"

enum { kBytesOfRows = 64 << 10 }; /* of a list of rows, from which on it is handed over */

typedef struct {
  char *text;
  size_t bytes, room;
} Text;

typedef enum { kOpen, kCall, kStream, kClose } Kind;

/* One promise. */
typedef struct {
  Kind kind;
  napi_async_work work;
  napi_deferred deferred;
  napi_ref used; /* the database, which stays as long as the work */
  hebb_db **db;
  hebb_rows **rows;
  char *first, *second; /* path and options, or operation and request */
  int status;
  char *answer;
} Work;

static char *text_of(napi_env env, napi_value value) { /* NULL: it is no text */
  size_t bytes = 0;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &bytes) != napi_ok) return NULL;
  char *text = malloc(bytes + 1);
  if (text) napi_get_value_string_utf8(env, value, text, bytes + 1, &bytes);
  return text;
}

static napi_value string(napi_env env, const char *text, size_t bytes) {
  napi_value value = NULL;
  if (!text || napi_create_string_utf8(env, text, bytes, &value) != napi_ok) napi_get_null(env, &value);
  return value;
}

static napi_value pair(napi_env env, napi_value first, napi_value second) {
  napi_value list = NULL;
  napi_create_array_with_length(env, 2, &list);
  napi_set_element(env, list, 0, first);
  napi_set_element(env, list, 1, second);
  return list;
}

static void arguments(napi_env env, napi_callback_info info, size_t count, napi_value *values) {
  napi_get_cb_info(env, info, &count, values, NULL, NULL);
}

static void *external(napi_env env, napi_value value) {
  void *held = NULL;
  napi_get_value_external(env, value, &held);
  return held;
}

/* --- promises ---------------------------------------------------------------------------------------------------- */

static void execute(napi_env env, void *data) {
  (void)env;
  Work *w = data;
  switch (w->kind) {
    case kOpen: w->status = hebb_open(w->first, w->second, w->db, &w->answer); break;
    case kCall: w->status = hebb_call(*w->db, w->first, w->second, &w->answer); break;
    case kStream: w->status = hebb_stream(*w->db, w->first, w->second, w->rows, &w->answer); break;
    case kClose:
      hebb_close(*w->db);
      *w->db = NULL;
      break;
  }
}

static void close_database(napi_env env, void *held, void *hint) {
  (void)env, (void)hint;
  hebb_close(*(hebb_db **)held);
  free(held);
}

static void free_rows(napi_env env, void *held, void *hint) {
  (void)env, (void)hint;
  hebb_end(*(hebb_rows **)held);
  free(held);
}

/* What JavaScript holds; frees it where that cannot be made. */
static napi_value holder(napi_env env, void *held, napi_finalize free_it) {
  napi_value value = NULL;
  if (napi_create_external(env, held, free_it, NULL, &value) != napi_ok) free_it(env, held, NULL);
  return value;
}

static void settle(napi_env env, napi_status cancelled, void *data) {
  (void)cancelled;
  Work *w = data;
  napi_value value = NULL;
  if (w->kind == kOpen && w->status == HEBB_DONE) {
    value = holder(env, w->db, close_database);
    w->db = NULL;
  } else {
    value = string(env, w->answer, NAPI_AUTO_LENGTH);
    if (w->kind == kStream && w->status == HEBB_DONE) {
      value = pair(env, holder(env, w->rows, free_rows), value);
      w->rows = NULL;
    }
  }
  if (w->status == HEBB_DONE) {
    napi_resolve_deferred(env, w->deferred, value);
  } else {
    napi_reject_deferred(env, w->deferred, value);
  }
  if (w->used) napi_delete_reference(env, w->used);
  napi_delete_async_work(env, w->work);
  if (w->kind == kOpen) free(w->db);
  free(w->rows);
  hebb_free(w->answer);
  free(w->first);
  free(w->second);
  free(w);
}

static napi_value start(napi_env env, Work work, napi_value used) {
  napi_value promise = NULL, name = NULL;
  Work *w = malloc(sizeof *w);
  if (!w) {
    napi_throw_error(env, NULL, "no memory");
    return NULL;
  }
  *w = work;
  napi_create_promise(env, &w->deferred, &promise);
  if (used) napi_create_reference(env, used, 1, &w->used);
  napi_create_string_utf8(env, "hebb", NAPI_AUTO_LENGTH, &name);
  napi_create_async_work(env, NULL, name, execute, settle, w, &w->work);
  napi_queue_async_work(env, w->work);
  return promise;
}

/* --- functions --------------------------------------------------------------------------------------------------- */

static napi_value js_open(napi_env env, napi_callback_info info) {
  napi_value v[2];
  arguments(env, info, 2, v);
  return start(env,
               (Work){.kind = kOpen, .db = calloc(1, sizeof(hebb_db *)), .first = text_of(env, v[0]),
                      .second = text_of(env, v[1])},
               NULL);
}

static napi_value js_call(napi_env env, napi_callback_info info) {
  napi_value v[3];
  arguments(env, info, 3, v);
  return start(env,
               (Work){.kind = kCall, .db = external(env, v[0]), .first = text_of(env, v[1]),
                      .second = text_of(env, v[2])},
               v[0]);
}

static napi_value js_call_sync(napi_env env, napi_callback_info info) {
  napi_value v[3], done = NULL;
  arguments(env, info, 3, v);
  char *operation = text_of(env, v[1]), *request = text_of(env, v[2]), *text = NULL;
  const int status = hebb_call(*(hebb_db **)external(env, v[0]), operation, request, &text);
  napi_get_boolean(env, status == HEBB_DONE, &done);
  const napi_value answer = pair(env, done, string(env, text, NAPI_AUTO_LENGTH));
  hebb_free(text);
  free(operation);
  free(request);
  return answer;
}

static napi_value js_cancel(napi_env env, napi_callback_info info) {
  napi_value v[1];
  arguments(env, info, 1, v);
  hebb_cancel(*(hebb_db **)external(env, v[0]));
  return NULL;
}

static napi_value js_close(napi_env env, napi_callback_info info) {
  napi_value v[1];
  arguments(env, info, 1, v);
  return start(env, (Work){.kind = kClose, .db = external(env, v[0])}, v[0]);
}

static napi_value js_stream(napi_env env, napi_callback_info info) {
  napi_value v[3];
  arguments(env, info, 3, v);
  return start(env,
               (Work){.kind = kStream, .db = external(env, v[0]), .rows = calloc(1, sizeof(hebb_rows *)),
                      .first = text_of(env, v[1]), .second = text_of(env, v[2])},
               v[0]);
}

static bool append(Text *to, const char *bytes, size_t count) {
  if (to->bytes + count > to->room) {
    const size_t room = 2 * (to->bytes + count);
    char *text = realloc(to->text, room);
    if (!text) return false;
    to->text = text;
    to->room = room;
  }
  memcpy(to->text + to->bytes, bytes, count);
  to->bytes += count;
  return true;
}

static napi_value js_next(napi_env env, napi_callback_info info) {
  napi_value v[1], value = NULL;
  arguments(env, info, 1, v);
  hebb_rows **held = external(env, v[0]);
  Text rows = {0};
  bool done = true;
  while (done && rows.bytes < kBytesOfRows) {
    char *row = NULL;
    done = hebb_next(*held, &row) == HEBB_DONE;
    if (done && !row) break;
    done = done && append(&rows, rows.bytes == 0 ? "[" : ",", 1) && append(&rows, row, strlen(row));
    hebb_free(row);
  }
  if (done && rows.bytes > 0) done = append(&rows, "]", 1);
  if (done) {
    value = string(env, rows.text, rows.bytes);
  } else {
    napi_get_undefined(env, &value);
  }
  free(rows.text);
  return value;
}

static napi_value js_end(napi_env env, napi_callback_info info) {
  napi_value v[1];
  arguments(env, info, 1, v);
  hebb_rows **held = external(env, v[0]);
  hebb_end(*held);
  *held = NULL;
  return NULL;
}

NAPI_MODULE_INIT() {
  const struct {
    const char *name;
    napi_callback function;
  } functions[] = {{"open", js_open},     {"call", js_call},     {"callSync", js_call_sync},
                   {"cancel", js_cancel}, {"close", js_close},   {"stream", js_stream},
                   {"next", js_next},     {"end", js_end}};
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
    napi_value function = NULL;
    napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function, NULL, &function);
    napi_set_named_property(env, exports, functions[i].name, function);
  }
  return exports;
}
