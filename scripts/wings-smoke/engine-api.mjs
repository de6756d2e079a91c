import { once } from 'node:events';
import { request } from 'node:http';

/** Where the engine listens; panels' daemons speak with it in this way, and not by the `docker` command. */
const socketPath = new URL(process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock').pathname;

function begin(method, path, headers = {}) {
  return request({ socketPath, method, path, headers: { host: 'docker', ...headers } });
}

/** One request to the engine, and what it answers. */
export async function engine(method, path, body) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const asked = begin(method, path, { 'content-type': 'application/json', 'content-length': text.length });
  asked.end(text);
  const [answer] = await once(asked, 'response');
  const read = (await answer.toArray()).join('');
  if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${read}`);
  return read === '' ? undefined : JSON.parse(read);
}

/** A container's terminal, both ways, as a socket. */
export async function attach(container) {
  const asked = begin('POST', `/containers/${container}/attach?stream=1&stdin=1&stdout=1&stderr=1`, {
    connection: 'Upgrade',
    upgrade: 'tcp',
  });
  asked.end();
  const [, socket, first] = await once(asked, 'upgrade');
  socket.unshift(first);
  return socket.setEncoding('utf8');
}
