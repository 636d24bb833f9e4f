#!/bin/sh
# A tiny MCP server on stdio, of the handshake era: three tools over one property of one object.
value=red
while read -r line; do
  id=${line##*'"id":'}
  id=${id%%[,\}]*}
  text=
  error=false
  case $line in
    *'"method":"initialize"'*)
      result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"paint","version":"1"}}' ;;
    *'"method":"tools/list"'*)
      result='{"tools":[{"name":"get_color","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"set_color","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}}]}' ;;
    *'"name":"get_color"'*) text=$value ;;
    *'"name":"set_color"'*) value=${line##*'"color":"'} value=${value%%'"'*} text=done ;;
    *'"method":"tools/call"'*) text='no such tool' error=true ;;
    *) continue ;;
  esac
  [ -z "$text" ] || result='{"content":[{"type":"text","text":"'$text'"}],"isError":'$error'}'
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
