// The limit: the library's own broadcast of a buffer that is made once.
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { chatText } from './chat-text.ts';
import { obey } from './driven-server.ts';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/ws', perMessageDeflate: false });
let number = 0;
server.once('listening', () => {
  obey((server.address() as AddressInfo).port, () => {
    number += 1;
    const data = Buffer.from(chatText(number, new Date()));
    for (const client of server.clients)
      if (client.readyState === WebSocket.OPEN) client.send(data, { binary: false });
  });
});
