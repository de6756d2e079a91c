#!/usr/bin/env bash
# Shows what happens on the farm, a line each. It comes back after a restart of the server, and misses nothing.
# Needs curl and jq: API_KEY=… ./follow.sh
set -u
api=${API:-http://127.0.0.1:8080}
after=
# Players can have line breaks in their names, and control characters that a terminal obeys.
line_of='"\(.at) \(.type) \(.data.playerName // "")" | gsub("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}]"; " ")'

while :; do
  id=$after
  while IFS= read -r line; do
    case $line in
      # The key is wrong, or lacks the scope: a retry would fail again.
      *'status 40'[013]) echo "refused: ${line#*status }" >&2; exit 1 ;;
      'id: '*) id=${line#id: } ;;
      # It also ends when nobody reads any more, as after `| head`.
      'data: '*) jq -r "$line_of" <<<"${line#data: }" || exit ;;
      # An event is whole when an empty line has come.
      '') after=$id ;;
    esac
  done < <(curl -sSN -w 'status %{http_code}\n' ${API_KEY:+-H "Authorization: Bearer $API_KEY"} \
    "$api/events/stream?topics=chat,players,farm${after:+&after=$after}")
  sleep "${RECONNECT_SECONDS:-5}"
done
