import type { Message, Sent, ToldEvent } from '../sending.ts';
import { type Manner, rendered } from './pieces.ts';
import { tellingOf, topicTold } from './telling.ts';

/** In bytes of the JSON: older servers read 4,096 of a whole message, and newer ones make a file of a text that is longer. */
const most = { title: 500, message: 3_000 } as const;

const priorities = { urgent: 4, usual: 3, quiet: 2 } as const;

/** Text means nothing to it but itself: no markdown is asked for, and a notification opens nothing. */
const manner: Manner = {
  harmless: (character) => character,
  size: (text) => Buffer.byteLength(JSON.stringify(text)) - '""'.length,
};

/** What was given is the URL of a topic, as people know it; JSON goes to the server's own, with the topic in it. */
export function ntfyMessage(event: ToldEvent, { url, instance }: Sent): Message {
  const { server, topic } = ntfyPlace(url);
  const { icon, title, text, codes, weight } = tellingOf(event, instance);
  const headline = [`${icon} `, ...title];
  const lines = [text, ...codes.map(({ name, code }) => [`${name}: `, code])].filter(
    (line) => line.length > 0,
  );
  const message = lines.flatMap((line, index) => (index === 0 ? line : ['\n', ...line]));
  const tag = topicTold(event);
  const said =
    message.length === 0
      ? { message: rendered(headline, manner, most.message) }
      : { title: rendered(headline, manner, most.title), message: rendered(message, manner, most.message) };
  return {
    url: server,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ topic, ...said, priority: priorities[weight], ...(tag && { tags: [tag] }) }),
  };
}

const topicForm = /^[-_A-Za-z0-9]{1,64}$/;

/** Why ntfy would take nothing at this URL. */
export function objectionToNtfy(url: string): string | undefined {
  return topicForm.test(ntfyPlace(url).topic)
    ? undefined
    : 'The URL must end with the topic, of letters, digits, - and _: https://ntfy.sh/my-farm';
}

/** The query stays: a server that asks for a token takes it there, as `auth`. */
function ntfyPlace(url: string): { readonly server: string; readonly topic: string } {
  const place = new URL(url);
  const [, path = '/', topic = ''] = /^(.*\/)([^/]+)\/?$/.exec(place.pathname) ?? [];
  place.pathname = path;
  return { server: place.href, topic };
}
