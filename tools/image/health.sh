#!/bin/bash
# A container's health check: whether the service in it answers GET /health with 200. What Node would need a tenth of a
# second of a processor for, every time, bash does in two thousandths.
#   health <prefix of the variables HOST and PORT> <the port where none is set>
set -euo pipefail

host_variable=$1HOST port_variable=$1PORT
host=${!host_variable:-} port=${!port_variable:-$2}
# A server whose API is switched off is as healthy as it can be.
if [[ $1 == API_ && ${API_ENABLED:-true} =~ ^[Ff][Aa][Ll][Ss][Ee]$ ]]; then exit 0; fi
case $host in
  '' | 0.0.0.0) host=127.0.0.1 ;;
  ::) host=::1 ;;
esac

exec 3<>"/dev/tcp/$host/$port"
printf 'GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r -t 3 _ status _ <&3
echo "${status:=no answer}"
[[ $status == 200 ]]
