// Runs the service on a small disk of its own, which is full or read-only from the start: one that a user may mount in a namespace
// where no other process sees it. It is fixed when the file MENDED is there. Its first start has made what lies in STATE_DIR.
const script = `
  mount -t tmpfs -o size=4m none "$STATE_DIR"
  "$NODE" "$MAIN" >/dev/null 2>&1 & first=$!
  until [ -S "$STATE_DIR/game.sock" ]; do sleep 0.05; done
  kill $first; wait $first
  if [ "$TROUBLE" = full ]; then dd if=/dev/zero of="$STATE_DIR/ballast" bs=1k 2>/dev/null
  else mount -o remount,ro "$STATE_DIR"; fi
  (until [ -e "$MENDED" ]; do sleep 0.05; done
  if [ "$TROUBLE" = full ]; then rm "$STATE_DIR/ballast"; else mount -o remount,rw "$STATE_DIR"; fi) &
  GAME_BRIDGE_LISTEN="unix:$GAME_SOCKET" exec "$NODE" "$MAIN"
`;
const { execPath, env } = process;
process.execve?.('/bin/sh', ['sh', '-c', `exec unshare --map-root-user --mount sh -c '${script}'`], {
  ...env,
  NODE: execPath,
});
