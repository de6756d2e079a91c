import type { Agent as NodeAgent } from 'node:http';

/**
 * What is used of Node's http module. An `import` of it would read every one of its exports, and some of those load
 * all of Node's fetch: 20 ms and 12 MB for each start of a process.
 */
export const {
  Agent,
  createServer,
  get,
  IncomingMessage,
  maxHeaderSize,
  request,
  ServerResponse,
  STATUS_CODES,
} = process.getBuiltinModule('node:http');

export type Agent = NodeAgent;
