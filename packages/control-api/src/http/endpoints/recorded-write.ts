import type { Clock } from '@steward/service-kit/clock';
import { plainAddress } from '@steward/service-kit/http/addresses';
import type { Parameters, Write } from '@steward/shared/api/endpoint';
import type { EndpointId } from '@steward/shared/api/endpoints';
import { Problem } from '@steward/shared/problems/problem';
import { humanText } from '@steward/shared/wire-values';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AskedFor, Audit, BegunWrite, Ended } from '../../audit/audit.ts';
import type { Who } from '../../audit/refusals.ts';
import type { GameBridge } from '../../game/game-bridge.ts';
import { unwritable } from '../../store/state-problems.ts';

/** Where it stands what became of a write, and who asked for it. */
export interface WritesParts {
  readonly operations: Pick<GameBridge['operations'], 'find'>;
  readonly clock: Pick<Clock, 'date'>;
  readonly audit: Pick<Audit, 'begin' | 'whyNot'>;
}

export type Run = (request: FastifyRequest, reply: FastifyReply) => Promise<object>;

/** Of a value in a line of the audit: more than a name has, less than somebody could fill a disk with. */
const shownText = humanText(500);

/**
 * Carries a write out, with a line in the audit before it is answered. One that only says what it would do is none; nor is one that no
 * handler sees, since it could not be read: nothing was asked for that could be told.
 */
export function recorded(action: EndpointId, write: Write, run: Run, parts: WritesParts): Run {
  const log = logWrite(write, parts);
  const isNotedFirst = write.notedFirst === true;
  return async (request, reply) => {
    const { query } = request as { readonly query: Readonly<Record<string, unknown>> };
    if (query['dryRun'] === true) return run(request, reply);
    refuseUnrecorded(request, parts);
    const asked = parts.clock.date();
    const what: AskedFor = {
      ...whoAsks(request),
      door: 'http',
      action,
      says: write.audit,
      parameters: toldOf(query, write.query),
      requestId: request.id,
    };
    const begun = parts.audit.begin(what, isNotedFirst ? 'durable' : 'late');
    const noted = isNotedFirst ? refuseUnnoted(request, begun) : Promise.resolve();
    const answer = await noted
      .then(() => begun.carry(() => run(request, reply)))
      .catch(async (error: unknown) => {
        if (error instanceof Problem) log(request, asked, error.extras);
        await begun.ended(endedBy(error));
        throw error;
      });
    log(request, asked, answer);
    // Of what goes on, its operation says so, and later how it ended.
    await begun.ended({ outcome: 'applied', operationId: operationOf(answer) });
    return answer;
  };
}

/** For the audit: the whole address, where limits count by networks. */
export function whoAsks({ caller, ip }: FastifyRequest): Who {
  // A socket whose client has gone has none any more, whatever the framework's types say of it.
  const address: string | undefined = ip;
  return { actor: caller.name, keyId: caller.keyId, address: address && plainAddress(address) };
}

function refuseUnrecorded({ caller }: FastifyRequest, { audit }: WritesParts): void {
  const problem = audit.whyNot(caller.keyId);
  if (problem === undefined) return;
  throw new Problem(
    'state-unreadable',
    `This key cannot change anything now, because the change could not be recorded in the audit: ${problem.reason}. ${problem.remedy}`,
  );
}

/** The owner's own writes are done in any case. */
async function refuseUnnoted({ caller }: FastifyRequest, begun: BegunWrite): Promise<void> {
  const error = await begun.noted();
  if (error === undefined || caller.keyId === undefined) return;
  throw unwritable(
    `This key cannot change anything now, because the change could not be recorded in the audit: ${error.message}`,
  );
}

function endedBy(error: unknown): Ended {
  if (!(error instanceof Problem)) return { outcome: 'failed', problem: 'internal-error' };
  const { code, extras } = error;
  const outcome = code === 'insufficient-scope' ? 'denied' : 'refused';
  // That names the operation of the other request.
  const operationId = code === 'idempotency-key-reused' ? undefined : operationOf(extras);
  return { outcome, operationId, problem: code };
}

function operationOf(answer: object): string | undefined {
  return 'operationId' in answer ? String(answer.operationId) : undefined;
}

/** By name and value, but for what is secret. */
function toldOf(given: Readonly<Record<string, unknown>>, declared: Parameters = {}): AskedFor['parameters'] {
  const told = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !declared[name]?.isSecret,
  );
  return Object.fromEntries(told.map(([name, value]) => [name, shownValue(value)]));
}

function shownValue(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = shownText.parse(text);
  return shown === text ? value : shown;
}

/** One line for whatever was done, or may have been. What a retry is answered with was done, and told, before it was asked. */
function logWrite({ audit }: Write, { operations }: WritesParts) {
  return ({ id, query, log }: FastifyRequest, asked: Date, answer: object): void => {
    const operationId = operationOf(answer) ?? '';
    const operation = operations.find(operationId);
    if (operation === undefined || Date.parse(operation.createdAt) < asked.getTime()) return;
    const line = { requestId: id, operationId, parameters: Object.keys(query as object) };
    if (operation.state === 'applied') log.info(line, audit);
    if (operation.state === 'claimed') log.info(line, `${audit}: in progress`);
    if (operation.state === 'unknown') log.info(line, `${audit}, or maybe not: its outcome is unknown`);
  };
}
