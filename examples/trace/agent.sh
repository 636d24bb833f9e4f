#!/bin/sh
# A toy agent: it reads two files at a time, parses what it got, and writes a report. Each tool call is reported
# as docs/tools.md says. The times are fixed, so that every run is the same run.
start() { printf '__TRACE__{"type":"tool_start","tool":"%s","trace_id":"%s","ts":%s%s}\n' "$1" "$2" "$3" "${4:+,\"parent_trace_id\":\"$4\"}"; }
end() { printf '__TRACE__{"type":"tool_end","trace_id":"%s","success":%s,"duration_ms":%s}\n' "$1" "$2" "$3"; }

t=1701792000000
echo "Reading two files"
start fs:read r1 $t
start fs:read r2 $((t + 2))
end r1 true 30
end r2 true 45
echo "Parsing"
start json:parse p1 $((t + 60))
end p1 true 3
start json:parse p2 $((t + 70))
end p2 false 1
echo "One file is no JSON; trying it as YAML"
start yaml:parse p3 $((t + 80))
end p3 true 4
echo "Writing the report"
start report:write w1 $((t + 100))
start fs:write f1 $((t + 110)) w1
end f1 true 12
end w1 true 40
echo "Done"
