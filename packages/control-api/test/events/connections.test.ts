import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { streamStage } from './stage/stream-stage.ts';

it('gives every seat back, also of streams that were asked for behind another over the same connection', async () => {
  await using stage = await streamStage();
  const taken = () => stage.metric('steward_events_listeners{door="stream"}');
  const socket = connect(stage.port, '127.0.0.1');
  socket.resume();
  await once(socket, 'connect');
  socket.write('GET /events/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(5));
  await expect.poll(taken).toBe(5);
  socket.destroy();
  await expect.poll(taken).toBe(0);
});
