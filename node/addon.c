/* The C interface (c/hebb.h) for JavaScript. Internal to the package: database.js calls it, and sees to it that calls
 * on one database come one after another and that nothing is called after close(). Texts are JSON.
 *
 *   open(path or null, options)           -> Promise of a database
 *   call(database, operation, request)    -> Promise of the answer; rejected with the problem, or with null where
 *                                            there is no memory
 *   callSync(database, operation, request)-> the same, at once: [done, text]
 *   cancel(database)                      ends the call that runs
 *   close(database)                       -> Promise
 *   stream(path or null, options, operation, request) -> a stream, which opens a database of its own
 *   next(stream)                          -> Promise of "[row, …]", or of [answer] after the last; rejected as call()
 *   end(stream)                           -> Promise: its thread has ended, its database is closed
 *   endSync(stream)                       the same, before the program ends
 *
 * A promise is fulfilled by a thread of Node's pool. A stream has a thread of its own, since it waits for whoever reads
 * it: at most one list of rows is ready, and one being made. */
#define NAPI_VERSION 8
#include <node_api.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hebb.h"

#if defined(__linux__) && defined(__x86_64__)
/* So that the addon, built on any glibc, asks for none newer than hebb's library does. */
__asm__(".symver pthread_create,pthread_create@GLIBC_2.2.5");
__asm__(".symver pthread_join,pthread_join@GLIBC_2.2.5");
#endif

enum { kBytesOfRows = 64 << 10 }; /* of a list of rows, from which on it is handed over */

typedef struct {
  char *text;
  size_t bytes, room;
} Text;

typedef struct {
  char *path, *options, *operation, *request;
  pthread_t thread;
  bool joined; /* or never begun */
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  /* Guarded by the mutex: */
  hebb_db *db; /* while it is open */
  Text ready;  /* for next() */
  bool stopped, done;
  int status; /* once done */
  char *answer;
} Stream;

typedef enum { kOpen, kCall, kClose, kNext, kEnd } Kind;

/* One promise. */
typedef struct {
  Kind kind;
  napi_async_work work;
  napi_deferred deferred;
  napi_ref used; /* the database or stream, which stays as long as the work */
  hebb_db **db;
  Stream *stream;
  char *first, *second; /* path and options, or operation and request */
  int status;
  char *answer;
  Text rows;
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

static napi_value list_of(napi_env env, napi_value only) {
  napi_value list = NULL;
  napi_create_array_with_length(env, 1, &list);
  napi_set_element(env, list, 0, only);
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

/* --- streams ----------------------------------------------------------------------------------------------------- */

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

/* Waits until the rows before have been taken. Returns false where nobody wants more. */
static bool hand_over(Stream *s, Text *rows) {
  if (rows->bytes == 0) return true;
  const bool closed = append(rows, "]", 1);
  pthread_mutex_lock(&s->mutex);
  while (s->ready.bytes > 0 && !s->stopped) pthread_cond_wait(&s->changed, &s->mutex);
  const bool wanted = closed && !s->stopped;
  if (wanted) {
    s->ready = *rows;
    *rows = (Text){0};
    pthread_cond_broadcast(&s->changed);
  }
  pthread_mutex_unlock(&s->mutex);
  return wanted;
}

typedef struct {
  Stream *stream;
  Text rows;
} Taker;

static int take_row(void *context, const char *row, size_t bytes) {
  Taker *taker = context;
  Text *rows = &taker->rows;
  if (!append(rows, rows->bytes == 0 ? "[" : ",", 1) || !append(rows, row, bytes)) return 1;
  return rows->bytes < kBytesOfRows || hand_over(taker->stream, rows) ? 0 : 1;
}

static void *run_stream(void *context) {
  Stream *s = context;
  Taker taker = {s, {0}};
  hebb_db *db = NULL;
  char *answer = NULL;
  int status = hebb_open(s->path, s->options, &db, &answer);
  if (status == HEBB_DONE) {
    pthread_mutex_lock(&s->mutex);
    s->db = db;
    const bool stopped = s->stopped;
    pthread_mutex_unlock(&s->mutex);
    status = stopped ? HEBB_CANCELLED : hebb_stream(db, s->operation, s->request, take_row, &taker, &answer);
    if (status == HEBB_DONE && !hand_over(s, &taker.rows)) status = HEBB_CANCELLED;
    pthread_mutex_lock(&s->mutex);
    s->db = NULL;
    pthread_mutex_unlock(&s->mutex);
    hebb_close(db);
  }
  free(taker.rows.text);
  pthread_mutex_lock(&s->mutex);
  s->status = status;
  s->answer = answer;
  s->done = true;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->mutex);
  return NULL;
}

static void stop(Stream *s) {
  pthread_mutex_lock(&s->mutex);
  s->stopped = true;
  hebb_cancel(s->db);
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->mutex);
}

static void join(Stream *s) {
  stop(s);
  if (!s->joined) pthread_join(s->thread, NULL);
  s->joined = true;
}

static void free_stream(napi_env env, void *held, void *hint) {
  (void)env, (void)hint;
  Stream *s = held;
  join(s);
  pthread_mutex_destroy(&s->mutex);
  pthread_cond_destroy(&s->changed);
  free(s->ready.text);
  hebb_free(s->answer);
  free(s->path);
  free(s->options);
  free(s->operation);
  free(s->request);
  free(s);
}

/* --- promises ---------------------------------------------------------------------------------------------------- */

static void execute(napi_env env, void *data) {
  (void)env;
  Work *w = data;
  Stream *s = w->stream;
  switch (w->kind) {
    case kOpen: w->status = hebb_open(w->first, w->second, w->db, &w->answer); break;
    case kCall: w->status = hebb_call(*w->db, w->first, w->second, &w->answer); break;
    case kClose:
      hebb_close(*w->db);
      *w->db = NULL;
      break;
    case kNext:
      pthread_mutex_lock(&s->mutex);
      while (s->ready.bytes == 0 && !s->done) pthread_cond_wait(&s->changed, &s->mutex);
      w->rows = s->ready;
      s->ready = (Text){0};
      if (w->rows.bytes == 0) {
        w->status = s->status;
        w->answer = s->answer;
        s->answer = NULL;
      }
      pthread_cond_broadcast(&s->changed);
      pthread_mutex_unlock(&s->mutex);
      break;
    case kEnd: join(s); break;
  }
}

static void close_database(napi_env env, void *held, void *hint) {
  (void)env, (void)hint;
  hebb_close(*(hebb_db **)held);
  free(held);
}

static void settle(napi_env env, napi_status cancelled, void *data) {
  (void)cancelled;
  Work *w = data;
  napi_value value = NULL;
  if (w->kind == kOpen && w->status == HEBB_DONE) {
    if (napi_create_external(env, w->db, close_database, NULL, &value) != napi_ok) close_database(env, w->db, NULL);
    w->db = NULL;
  } else if (w->rows.bytes > 0) {
    value = string(env, w->rows.text, w->rows.bytes);
  } else {
    value = string(env, w->answer, NAPI_AUTO_LENGTH);
    if (w->kind == kNext && w->status == HEBB_DONE) value = list_of(env, value);
  }
  if (w->status == HEBB_DONE) {
    napi_resolve_deferred(env, w->deferred, value);
  } else {
    napi_reject_deferred(env, w->deferred, value);
  }
  if (w->used) napi_delete_reference(env, w->used);
  napi_delete_async_work(env, w->work);
  if (w->kind == kOpen) free(w->db);
  hebb_free(w->answer);
  free(w->rows.text);
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
  napi_value v[3], answer = NULL, done = NULL;
  arguments(env, info, 3, v);
  char *operation = text_of(env, v[1]), *request = text_of(env, v[2]), *text = NULL;
  const int status = hebb_call(*(hebb_db **)external(env, v[0]), operation, request, &text);
  napi_get_boolean(env, status == HEBB_DONE, &done);
  answer = list_of(env, done);
  napi_set_element(env, answer, 1, string(env, text, NAPI_AUTO_LENGTH));
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
  napi_value v[4], value = NULL;
  arguments(env, info, 4, v);
  Stream *s = calloc(1, sizeof *s);
  if (!s) {
    napi_throw_error(env, NULL, "no memory");
    return NULL;
  }
  s->path = text_of(env, v[0]);
  s->options = text_of(env, v[1]);
  s->operation = text_of(env, v[2]);
  s->request = text_of(env, v[3]);
  pthread_mutex_init(&s->mutex, NULL);
  pthread_cond_init(&s->changed, NULL);
  if (pthread_create(&s->thread, NULL, run_stream, s) != 0) {
    s->joined = s->done = true;
    s->status = HEBB_NO_MEMORY;
  }
  if (napi_create_external(env, s, free_stream, NULL, &value) != napi_ok) free_stream(env, s, NULL);
  return value;
}

static napi_value js_next(napi_env env, napi_callback_info info) {
  napi_value v[1];
  arguments(env, info, 1, v);
  return start(env, (Work){.kind = kNext, .stream = external(env, v[0])}, v[0]);
}

static napi_value js_end(napi_env env, napi_callback_info info) {
  napi_value v[1];
  arguments(env, info, 1, v);
  stop(external(env, v[0]));
  return start(env, (Work){.kind = kEnd, .stream = external(env, v[0])}, v[0]);
}

static napi_value js_end_sync(napi_env env, napi_callback_info info) {
  napi_value v[1];
  arguments(env, info, 1, v);
  join(external(env, v[0]));
  return NULL;
}

NAPI_MODULE_INIT() {
  const struct {
    const char *name;
    napi_callback function;
  } functions[] = {{"open", js_open},     {"call", js_call},     {"callSync", js_call_sync},
                   {"cancel", js_cancel}, {"close", js_close},   {"stream", js_stream},
                   {"next", js_next},     {"end", js_end},       {"endSync", js_end_sync}};
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
    napi_value function = NULL;
    napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function, NULL, &function);
    napi_set_named_property(env, exports, functions[i].name, function);
  }
  return exports;
}
