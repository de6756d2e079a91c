import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';

const defaultSocket = '/var/run/docker.sock';

/** What the engine says to a GET of its API, on the socket that `docker` uses: figures that its commands round. */
export async function askEngine(path) {
  const host = process.env.DOCKER_HOST ?? `unix://${defaultSocket}`;
  if (!host.startsWith('unix://'))
    throw new Error(`DOCKER_HOST is ${host}: costs are read from an engine on this machine`);
  const request = get({ socketPath: host.slice('unix://'.length), path: `/v1.41${path}` });
  const [answer] = await once(request, 'response');
  const body = await text(answer);
  if (answer.statusCode !== 200)
    throw new Error(`the engine answers ${path} with ${answer.statusCode}: ${body}`);
  return JSON.parse(body);
}
