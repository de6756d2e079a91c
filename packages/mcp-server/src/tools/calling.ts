import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Farm, StewardError } from '@steward/client';
import type { EndpointId } from '@steward/shared/api/endpoints';
import { type Compacting, compact, type Plain } from '../answers/compact.ts';
import { seenText } from '../answers/player-text.ts';
import { failed, failureOf, picture, told } from '../answers/results.ts';
import { type Access, ofTheKey, ofTheWay } from '../farm/access.ts';
import {
  ArgumentError,
  argumentsOf,
  confirming,
  isNewestLast,
  listed,
  readArguments,
  skipping,
} from './arguments.ts';
import { type Deed, deedOf } from './deeds.ts';
import { inWordsOfTools, missingBecause, type Offer } from './offered.ts';
import { operationNamed, toolName } from './toolsets.ts';

interface Parts {
  readonly farm: Farm;
  readonly access: Access;
  readonly offer: Offer;
  readonly log: (text: string) => void;
}

type Call = (
  parameters: Readonly<Record<string, string>>,
  options: { signal: AbortSignal },
) => Promise<unknown>;

/** Each has a connection of its own, and the farm closes those beyond what it takes. */
const mostAtOnce = 50;

/** Carries out the tools by the client alone. */
export class Caller {
  readonly #parts: Parts;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves with whatever became of it; to undefined where there is no such tool anywhere. */
  async call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallToolResult | undefined> {
    const { access, offer } = this.#parts;
    const id = operationNamed(name);
    if (id === undefined) return undefined;
    await access.refresh();
    const because = missingBecause(id, offer, access.granted);
    if (because !== undefined) {
      const remedy = 'Ask the operator to change that, or do without';
      const detail = `${name} is not a tool here: ${because}`;
      return failed({ code: 'not-offered', detail, remedy }, undone(deedOf(id)));
    }
    if (access.trouble !== undefined) return this.#failure(deedOf(id), access.trouble);
    return await this.#inTurn(() => this.#carryOut(id, given, signal));
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#underWay >= mostAtOnce)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #carryOut(
    id: EndpointId,
    given: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const { farm, access, log } = this.#parts;
    const deed = deedOf(id);
    try {
      const { [skipping.name]: skip, ...parameters } = await this.#checked(id, deed, given, signal);
      // What an operation takes was read by its own declaration; no type can follow from a name to its method.
      const call = farm[id as keyof Farm] as unknown as Call;
      const seen = { skipped: Number(skip ?? 0), isNewestLast: isNewestLast(id) };
      const limit = Number(parameters['limit'] ?? Number.POSITIVE_INFINITY);
      return await this.#tell(deed, await call(parameters, { signal }), { ...seen, limit });
    } catch (error) {
      if (error instanceof ArgumentError || isRefusedByClient(error))
        return failed({ code: 'invalid-arguments', detail: error.message }, undone(deed));
      if (!(error instanceof StewardError)) throw error;
      log(`${toolName(id)}: ${error.code}`);
      if (ofTheKey.has(error.code) || ofTheWay.has(error.code)) access.doubt();
      if (ofTheKey.has(error.code)) await access.refresh();
      return this.#failure(deed, error);
    }
  }

  #failure(deed: Deed | undefined, error: StewardError): CallToolResult {
    const { showsPlayerText } = this.#parts.offer;
    return failureOf(error, {
      isDeed: deed !== undefined,
      showsPlayerText,
      inWords: inWordsOfTools,
    });
  }

  /** What is sent, once the farm is the one that is meant. */
  async #checked(
    id: EndpointId,
    deed: Deed | undefined,
    given: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Record<string, string>> {
    const { [confirming.name]: confirmed, ...rest } = given;
    const taken = argumentsOf(id, this.#parts.access.granted);
    const parameters = readArguments(taken, deed?.isDestructive ? rest : given);
    if (deed?.isDestructive) await this.#confirm(confirmed, signal);
    return parameters;
  }

  async #confirm(confirmed: unknown, signal: AbortSignal): Promise<void> {
    if (typeof confirmed !== 'string')
      throw new ArgumentError(`${confirming.name} is missing. ${confirming.means}`);
    const { farmName } = await this.#parts.farm.getStatus({}, { signal });
    const expected = seenText(farmName) || confirming.noFarm;
    if (confirmed.trim() !== expected.trim())
      throw new ArgumentError(
        `${confirming.name} is not the name of the current farm: nothing was done. Use get_status, and ask the user whether they mean this farm`,
      );
  }

  async #tell(
    deed: Deed | undefined,
    answer: unknown,
    { limit, ...seen }: Pick<Compacting, 'skipped' | 'isNewestLast'> & { readonly limit: number },
  ): Promise<CallToolResult> {
    // The client has read the whole of it, to a limit and in the time of the call.
    if (answer instanceof ReadableStream)
      return picture(new Uint8Array(await new Response(answer).arrayBuffer()));
    const how: Compacting = {
      showsPlayerText: this.#parts.offer.showsPlayerText,
      mostListed: listed.most,
      ...seen,
    };
    const { message: _inWordsForPeople, ...facts } = answer as Record<string, unknown>;
    const more: Record<string, Plain> = isFull(facts, limit) ? { mayHaveMore: true } : {};
    if (deed === undefined) return told({ ...compact(answer as object, how), ...more });
    const applied = appliedBy(deed, facts);
    const state: Record<string, Plain> =
      applied === undefined ? { underWay: true, next: deed.next ?? stepsAndEnd } : { applied };
    return told({ ...state, ...compact(facts, how) });
  }
}

const stepsAndEnd = 'get_operation with this operationId shows each step, and how it ends';

/** Of a list that ends where it was told to, the API does not say whether that was all. */
function isFull(facts: Readonly<Record<string, unknown>>, limit: number): boolean {
  return Object.values(facts).some((each) => Array.isArray(each) && each.length >= limit);
}

/** Undefined while it goes on. */
function appliedBy({ mayGoOn, applied }: Deed, facts: Record<string, unknown>): boolean | null | undefined {
  if (applied !== undefined) return applied(facts);
  return mayGoOn && Object.keys(facts).every((name) => inEveryAnswer.has(name)) ? undefined : true;
}

/** Of an answer with no more than this the work goes on. */
const inEveryAnswer: ReadonlySet<string> = new Set(['success', 'operationId']);

/** Of a deed that was never asked for. */
function undone(deed: Deed | undefined): Record<string, Plain> {
  return deed === undefined ? {} : { applied: false };
}

/** What cannot be sent as it is. Any other error of this kind is a mistake of ours, and may come after the deed. */
function isRefusedByClient(error: unknown): error is TypeError {
  return error instanceof TypeError && error.message.startsWith('steward: ');
}
