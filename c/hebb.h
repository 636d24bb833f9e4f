/* hebb for programs in C and in every language that calls C: a graph of tasks that learns from
 * outcomes and ranks the open ones.
 *
 * All that hebb can do is a list of operations (docs/api.md). An operation takes a request and
 * gives an answer; both are JSON objects as UTF-8 text, with the fields that the command line's
 * --json, HTTP and MCP have.
 *
 *   hebb_db *db;
 *   char *answer;
 *   if (hebb_open("tasks.db", NULL, &db, &answer) == HEBB_DONE) {
 *     if (hebb_call(db, "rank", "{\"limit\": 3}", &answer) == HEBB_DONE) show(answer);
 *     hebb_free(answer);
 *     hebb_close(db);
 *   }
 *
 * Threads: any thread may call any function; calls on one hebb_db run one after another, so open
 * the file twice to rank while an import runs. Fork: a child that uses a hebb_db of its parent gets
 * HEBB_CONFLICT, and opens the file itself. While other threads may be in a function of hebb, fork
 * only to exec: the child would wait for ever for a lock that such a thread has. Other programs,
 * and other copies of SQLite in this one, may have the file open.
 *
 * No function throws, prints, or ends the program. A function that fails returns a status other
 * than HEBB_DONE, and its last argument is a problem as JSON: type, title, detail, and where
 * there are such field, reason, line and retry_after_ms; or NULL where even for that there was
 * no memory.
 */
#ifndef HEBB_H
#define HEBB_H

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns. The numbers stay; others may follow. */
enum hebb_status {
  HEBB_DONE = 0,
  HEBB_INVALID_ARGUMENT = 1, /* a field is wrong: nothing was done */
  HEBB_REFUSED = 2,          /* the event was refused; the problem's reason has the code */
  HEBB_NOT_FOUND = 3,        /* there is no such node, edge, event or path */
  HEBB_CONFLICT = 4,         /* the present state of the database does not allow it */
  HEBB_UNREADABLE = 5,       /* the input is not of its format as a whole */
  HEBB_NO_FILE = 6,          /* a file in the request cannot be read */
  HEBB_BUSY = 7,             /* another process holds the database: try again */
  HEBB_NO_DATABASE = 8,      /* there is none, or it is damaged or cannot be opened */
  HEBB_DAMAGED_LEDGER = 9,   /* the ledger is damaged, so nothing was done */
  HEBB_READ_ONLY = 10,       /* the database cannot be written */
  HEBB_NO_MEMORY = 11,       /* too little memory: nothing was done */
  HEBB_CANCELLED = 12,       /* hebb_cancel() ended the call */
  HEBB_FAILED = 13           /* anything else */
};

/* An open database. */
typedef struct hebb_db hebb_db;

/* Opens a database.
 *
 * path: a file, or a postgresql:// URL; ":memory:" is a database that ends with its hebb_db; NULL:
 *   the one that the command line uses in this folder ($HEBB_DB, else .hebb/hebb.db here or above,
 *   else the user's own).
 * options: NULL, or a JSON object with
 *   create           false: a missing file is HEBB_NO_DATABASE; else it is made
 *   busy_timeout_ms  how long to wait for another writer; else 5000
 *   tz               the zone of times that name none: "Europe/Berlin"
 *   now              take this as now, RFC 3339 or milliseconds since 1970: for tests
 * db: set to the open database, or to NULL.
 * error: set to the problem, to be freed, or to NULL. */
int hebb_open(const char *path, const char *options, hebb_db **db, char **error);

/* Runs an operation.
 *
 * operation: its name, such as "rank" or "outcome".
 * request: NULL, or a JSON object of its fields.
 * answer: set to the result, or to the problem; to be freed. */
int hebb_call(hebb_db *db, const char *operation, const char *request, char **answer);

/* The rows of a result: the elements of its first list. */
typedef struct hebb_rows hebb_rows;

/* As hebb_call(), for long results: the answer has the other fields, and hebb_next() gives the
 * rows. No text of the whole list is made.
 *
 * rows: set to the rows, to be ended by hebb_end(); to NULL where it fails. */
int hebb_stream(hebb_db *db, const char *operation, const char *request, hebb_rows **rows,
                char **answer);

/* Gives the next row. It needs no database: others may call it meanwhile, or close it. One thread
 * at a time may take rows of one hebb_rows.
 *
 * row: set to its text, to be freed, or to NULL after the last; or to the problem. A row for which
 *   there was no memory (HEBB_NO_MEMORY) is the next one again. */
int hebb_next(hebb_rows *rows, char **row);

/* Frees rows; NULL is allowed. */
void hebb_end(hebb_rows *rows);

/* Ends the calls of other threads on this database that run or wait for their turn, with
 * HEBB_CANCELLED: long work between two steps. What a call has committed by then stays. A wait for
 * another process that writes goes on, for busy_timeout_ms at most. Calls that begin later are not
 * meant. */
void hebb_cancel(hebb_db *db);

/* Frees an answer, a row or an error; NULL is allowed. */
void hebb_free(char *text);

/* Closes a database; NULL is allowed. No call may be running on it. */
void hebb_close(hebb_db *db);

/* The version of the library: "0.3.0". */
const char *hebb_version(void);

/* The name of a status, which is its problem's type: "invalid_argument"; of HEBB_DONE "done". */
const char *hebb_error(int status);

#ifdef __cplusplus
}
#endif

#endif
