import { API } from '@discordjs/core/http-only';
import { type InternalRequest, REST, type RESTOptions } from '@discordjs/rest';
import { type Farm, StewardError, steward } from '@steward/client';
import { callerOf } from '@steward/client/caller';
import type { Clock } from '@steward/service-kit/clock';
import { textWithin } from '@steward/service-kit/http/asking';
import { OperatorError } from '@steward/service-kit/process/errors';
import { isGoodFor, type Scope } from '@steward/shared/scopes';
import type { BotConfiguration } from './configuration.ts';
import { DiscordTime } from './discord/snowflakes.ts';
import { isOfTheKey } from './relay/incoming.ts';

/** Far above any answer of Discord's: a page of messages, each as long as it may be with all that is beside it. */
const mostBytes = 16 * 1024 * 1024;

/** By so much the machine's clock is set back, at the least, where that matters. */
const setBackMs = 1_000;

/** Those who speak with Discord and the farm, made from what the operator has said. */
export function doorsOf(
  { DISCORD_TOKEN, DISCORD_API, STEWARD_URL, STEWARD_KEY }: BotConfiguration,
  clock: Clock,
) {
  const token = DISCORD_TOKEN?.reveal();
  if (token === undefined)
    throw new OperatorError(
      'DISCORD_TOKEN is not set: it must be the token of the page Bot in the Developer Portal',
    );
  const time = new DiscordTime(clock);
  const rest = restOf(DISCORD_API, token, time, clock);
  const farm = steward({ url: STEWARD_URL.href, key: STEWARD_KEY?.reveal() });
  return { token, rest, api: new API(rest), farm, time };
}

/** Asks Discord, with what Node has; the library would bring another copy of it, with 7 MB. */
function restOf(api: URL, token: string, time: DiscordTime, clock: Clock): REST {
  // The library waits so long for the head of an answer alone: read here, all of it comes in that time.
  const makeRequest = async (url: string, request: RequestInit): Promise<Response> => {
    // Discord sends nobody elsewhere; whoever does would have there what people write.
    const answer = await fetch(url, { ...request, redirect: 'error' });
    time.heard(answer.headers.get('date'));
    const text = await textWithin(answer, mostBytes);
    if (answer.ok && text !== '' && !isJson(answer))
      throw new Error('another server, not Discord, answers: check DISCORD_API, and the proxies in between');
    const { status, statusText, headers } = answer;
    return new Response(text === '' ? null : text, { status, statusText, headers });
  };
  // Whatever is tried again is looked for first; by itself the library would post twice.
  const options = {
    api: api.href.replace(/\/+$/, ''),
    retries: 0,
    // The library counts by the machine's clock: set back, it would send nothing for as long. Discord says itself what is too much.
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    makeRequest: makeRequest as unknown as RESTOptions['makeRequest'],
  };
  return new SteadyREST(options, clock).setToken(token);
}

/** The library keeps by the machine's clock until when a route takes nothing: set back, it would wait for as long. */
class SteadyREST extends REST {
  readonly #clock: Clock;
  #aheadMs = Number.NEGATIVE_INFINITY;

  constructor(options: Partial<RESTOptions>, clock: Clock) {
    super(options);
    this.#clock = clock;
  }

  override queueRequest(request: InternalRequest) {
    const aheadMs = this.#clock.date().getTime() - this.#clock.now();
    const isSetBack = aheadMs < this.#aheadMs - setBackMs;
    if (isSetBack) this.handlers.clear();
    this.#aheadMs = isSetBack ? aheadMs : Math.max(aheadMs, this.#aheadMs);
    return super.queueRequest(request);
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true;
}

export function channelOf({ DISCORD_CHANNEL }: BotConfiguration): string {
  if (DISCORD_CHANNEL === undefined)
    throw new OperatorError(
      'DISCORD_CHANNEL is not set: it must be the id of a channel (right-click it, Copy Channel ID)',
    );
  return DISCORD_CHANNEL;
}

/** What the key is good for. Throws an OperatorError where that is too little. */
export async function scopesOf(farm: Farm): Promise<ReadonlySet<Scope>> {
  const { scopes } = await callerOf(farm).catch((error) => {
    throw error instanceof StewardError && isOfTheKey(error)
      ? new OperatorError(`the farm does not accept STEWARD_KEY: ${error.detail}`)
      : error;
  });
  const granted = new Set(scopes);
  if (!isGoodFor(granted, 'chat'))
    throw new OperatorError(
      'STEWARD_KEY does not allow the chat: make a key with the scopes read and chat, as docs/discord.md shows',
    );
  return granted;
}
