#!/usr/bin/env bash
# Prints a configuration of HAProxy that sends GET and HEAD to the replicas in turns, and everything else to the primary: that of docs/operate/replicas.md.
# usage: haproxy.sh PORT PRIMARY REPLICA..., each server as URL
set -euo pipefail
port=$1 primary=${2#http://}
shift 2
replicas=
for replica in "$@"; do replicas+="  server replica$# ${replica#http://}"$'\n'; shift; done

cat <<CONFIGURATION
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  option http-keep-alive
  retries 1
  option redispatch

frontend database
  bind 127.0.0.1:$port
  acl is_read method GET HEAD
  use_backend replicas if is_read
  default_backend primary

backend primary
  server primary $primary

backend replicas
  balance roundrobin
  # A replica that is gone is left out after a second; with none left, the primary answers.
  option httpchk GET /rest/v1/
  http-check expect rstatus ^[234]
  default-server check inter 500ms fall 2 rise 2
$replicas  server primary $primary backup
CONFIGURATION
