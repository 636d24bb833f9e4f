# Reports each call of a command or shell function as `hebb trace` reads it (docs/tools.md). For any POSIX shell.
#
#   . ./trace.sh
#   traced fs:read cat notes.txt
#
# The command keeps its arguments, its input and output, and its exit code; code 0 is a success. Programs that it runs
# and that trace, too, report their calls as made from this one (HEBB_TRACE_PARENT). Nothing is reported with HEBB_TRACE=0.
# As with every command in a condition, `set -e` does not act inside it.
#
# Traces go to the stdout that the script had when it sourced this file, so `traced … | wc -l`, `n=$(traced …)` and
# `traced … > copy` get what the command prints and nothing else. Descriptor 7 is kept for that: do not use it otherwise.
# The script's programs inherit it. One that is left running in the background keeps hebb waiting for the end of the
# output, unless it is started with `7>&-`.
#
# A trace counts only at the start of a line: the command must end what it prints with a newline.

hebb_trace_key=${HEBB_TRACE_KEY-}
unset HEBB_TRACE_KEY # so that programs started later cannot forge a trace

# Where a traced command is itself a script that traces, its stdout may be piped or captured: it goes on with the
# descriptor that it has inherited. HEBB_TRACE_STDOUT tells that this is still the same file.
if [ -z "${HEBB_TRACE_PARENT-}" ] || [ -z "${HEBB_TRACE_STDOUT-}" ] ||
  [ "$(readlink /proc/self/fd/7 2>/dev/null)" != "$HEBB_TRACE_STDOUT" ]; then
  if (: 7>&1) 2>/dev/null; then exec 7>&1; else exec 7>/dev/null; fi # it may have been started without a stdout
  HEBB_TRACE_STDOUT=$(readlink /proc/self/fd/7 2>/dev/null) || :
  export HEBB_TRACE_STDOUT
fi

# Sets hebb_trace_now to epoch milliseconds, or to "" if there is no such clock: hebb then takes the time when
# the line arrives.
hebb_trace_clock() {
  if [ -n "${EPOCHREALTIME-}" ]; then # bash, and zsh with zsh/datetime: no process is started
    hebb_trace_fraction=${EPOCHREALTIME#*[.,]} # six digits in bash, ten in zsh
    hebb_trace_now=${EPOCHREALTIME%[.,]*}${hebb_trace_fraction%"${hebb_trace_fraction#???}"}
  else
    hebb_trace_now=$(date +%s%3N)
    case $hebb_trace_now in *[!0-9]*) hebb_trace_now= ;; esac
  fi
}

# Sets hebb_trace_json to the text as a JSON string. A byte that would need an escape of its own becomes "?".
hebb_trace_quote() {
  case $1 in
    *[\\\"]* | *[[:cntrl:]]*) hebb_trace_json=\"$(printf %s "$1" | tr '[:cntrl:]' '?' | sed 's/[\\"]/\\&/g')\" ;;
    *) hebb_trace_json=\"$1\" ;;
  esac
}

# traced TOOL COMMAND [ARGUMENT …]: runs COMMAND as a call of TOOL.
traced() {
  hebb_trace_tool=$1
  shift
  if [ "${HEBB_TRACE-}" = 0 ]; then
    "$@"
    return
  fi
  read -r hebb_trace_id </proc/sys/kernel/random/uuid || hebb_trace_id=$$-$(date +%s)-${hebb_trace_count:=0}
  hebb_trace_count=$((${hebb_trace_count:-0} + 1))
  hebb_trace_suffix=
  if [ -n "$hebb_trace_key" ]; then
    hebb_trace_quote "$hebb_trace_key"
    hebb_trace_suffix=,\"key\":$hebb_trace_json
  fi
  hebb_trace_quote "$hebb_trace_tool"
  hebb_trace_clock
  printf '__TRACE__{"type":"tool_start","tool":%s,"trace_id":"%s"%s%s%s}\n' "$hebb_trace_json" "$hebb_trace_id" \
    "${hebb_trace_now:+,\"ts\":$hebb_trace_now}" \
    "${HEBB_TRACE_PARENT:+,\"parent_trace_id\":\"$HEBB_TRACE_PARENT\"}" "$hebb_trace_suffix" >&7
  # COMMAND may itself call traced, which sets the same variables: so the values are passed on as arguments.
  hebb_trace_run "$hebb_trace_id" "$hebb_trace_now" "$hebb_trace_suffix" "${HEBB_TRACE_PARENT-}" "$@"
}

# hebb_trace_run ID START SUFFIX PARENT COMMAND [ARGUMENT …]: the command, and the end of its call.
hebb_trace_run() {
  export HEBB_TRACE_PARENT="$1"
  hebb_trace_call "$@" && set -- "$1" "$2" "$3" "$4" 0 || set -- "$1" "$2" "$3" "$4" "$?"
  if [ -n "$4" ]; then HEBB_TRACE_PARENT=$4; else unset HEBB_TRACE_PARENT; fi
  hebb_trace_duration=
  if [ -n "$2" ]; then
    hebb_trace_clock
    [ -z "$hebb_trace_now" ] || hebb_trace_duration=,\"duration_ms\":$((hebb_trace_now - $2))
  fi
  if [ "$5" = 0 ]; then hebb_trace_end=true; else hebb_trace_end="false,\"error\":\"exit code $5\""; fi
  printf '__TRACE__{"type":"tool_end","trace_id":"%s","success":%s%s%s}\n' "$1" "$hebb_trace_end" \
    "$hebb_trace_duration" "$3" >&7
  return "$5"
}

hebb_trace_call() {
  shift 4
  "$@"
}
