import { existsSync } from 'node:fs';
import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { urlHere } from '@steward/service-kit/http/addresses';
import { type Answer as Answered, type Asked, askOnce } from '@steward/service-kit/http/asking';
import { parseExact, readJson } from '@steward/service-kit/json';
import { createLogger } from '@steward/service-kit/log/logger';
import { codeInBrackets, OperatorError } from '@steward/service-kit/process/errors';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { answers } from '@steward/shared/api/answers';
import { type Endpoint, methodAndPath } from '@steward/shared/api/endpoint';
import { serverEndpoints } from '@steward/shared/api/endpoints/server';
import { type ProblemDetails, problemSchema } from '@steward/shared/problems/problem';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import { type ControlApiConfiguration, variables } from '../configuration.ts';

/** A service that is alive answers sooner, however slow its disk. */
const answerMs = 30_000;

const { path: healthPath } = methodAndPath(serverEndpoints.getHealth);

type Answer = Pick<Answered, 'status' | 'text'>;

interface Question extends Required<Omit<Asked, 'body'>> {
  readonly path: string;
}

/** Asks what one command of the API asks; what goes wrong is an OperatorError in the API's own words. */
export type Ask = (endpoint: Endpoint, query: Readonly<Record<string, string>>) => Promise<unknown>;

/** What the service says why it was not done. */
export class Refusal extends OperatorError {
  readonly code: ProblemCode;

  constructor({ code, detail }: Pick<ProblemDetails, 'code' | 'detail'>) {
    super(
      code === 'unauthorized' || code === 'key-ended'
        ? `${detail}: give this command the API_KEY of the running service`
        : `${detail} (${code})`,
    );
    this.code = code;
  }
}

/** The service has gone since it was found, or takes too long. */
class NoAnswer extends OperatorError {}

/** Whether a service that is being started again may be why. */
export function isPassing(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof Refusal && error.code === 'shutting-down');
}

/**
 * Lets `use` ask the service that runs on this machine by this environment. Where none runs, this process is the service meanwhile,
 * for nobody but itself: the same code answers, on what is kept in STATE_DIR, and the lock keeps any other away. A command without
 * a name is for a service that runs alone. `use` is told which of them it is.
 */
export async function withService<Result>(
  command: string | undefined,
  use: (ask: Ask, isServed: boolean) => Promise<Result>,
): Promise<Result> {
  const configuration = readConfiguration(variables, process.env);
  const { API_KEY, STATE_DIR } = configuration;
  const headers = API_KEY === undefined ? {} : { authorization: `Bearer ${API_KEY.reveal()}` };
  const asking =
    (answer: (question: Question) => Promise<Answer>): Ask =>
    async (endpoint, query) => {
      const { method, path } = methodAndPath(endpoint);
      const text = new URLSearchParams(query).toString();
      return bodyOf(await answer({ method, path: text === '' ? path : `${path}?${text}`, headers }));
    };
  const running = await serviceHere(configuration);
  if (running !== undefined) return use(asking(running), true);
  if (command === undefined) throw new OperatorError(`No service runs here: ${whereAsked(configuration)}`);
  const nor = `Nor does a service answer here: ${whereAsked(configuration)}`;
  if (!existsSync(STATE_DIR))
    throw new OperatorError(
      `STATE_DIR: ${STATE_DIR} does not exist: give this command the STATE_DIR of the service`,
      nor,
    );
  // A quarter of what a command takes, which one beside a service does without.
  const { composeService } = await import('../service.ts');
  const service = await composeService({
    configuration,
    // The log of the service is the service's: here stands what somebody at a terminal has to know.
    logger: createLogger('control-api', { ...configuration, LOG_LEVEL: 'warn' }, process.stderr),
    clock: systemClock,
    retryClock: systemClock,
    random: Math.random,
    version: packageVersion(import.meta.url),
  });
  try {
    await service.open(command);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(...error.lines, nor);
  }
  try {
    return await use(
      asking(async ({ method, path: url, headers }) => {
        const { statusCode, body } = await service.app.inject({ method, url, headers });
        return { status: statusCode, text: body };
      }),
      false,
    );
  } finally {
    await service.stop();
  }
}

/** How the service of this environment is asked, if it listens. */
async function serviceHere({
  API_ENABLED,
  API_HOST,
  API_PORT,
}: ControlApiConfiguration): Promise<((question: Question) => Promise<Answer>) | undefined> {
  if (!API_ENABLED || API_PORT === 0) return undefined;
  const origin = urlHere(API_HOST, API_PORT);
  const answer = ({ path, ...asked }: Question): Promise<Answer> =>
    askOnce(`${origin}${path}`, answerMs, asked).catch((error: unknown) => {
      const now =
        asked.method === 'GET'
          ? 'it may be stopping, or starting again'
          : 'check whether it was done before you send it again';
      throw new NoAnswer(`${origin} no longer answers${codeInBrackets(error)}: ${now}`);
    });
  try {
    // Without the key: whoever else listens there need not have it.
    const { text } = await answer({ method: 'GET', path: healthPath, headers: {} });
    return answers.getHealth[200].safeParse(readJson(text)).success ? answer : undefined;
  } catch {
    return undefined;
  }
}

function whereAsked({ API_ENABLED, API_HOST, API_PORT }: ControlApiConfiguration): string {
  if (!API_ENABLED) return 'API_ENABLED is false';
  if (API_PORT === 0) return 'API_PORT is 0, so its port is unknown';
  return `nobody answers at ${urlHere(API_HOST, API_PORT)}. Try again if the service is only starting; otherwise give this command its API_HOST and API_PORT`;
}

function bodyOf({ status, text }: Answer): unknown {
  const body = readExact(text);
  const { data: problem } = problemSchema.safeParse(body);
  if (problem === undefined) {
    if (status < 400 && body !== undefined) return body;
    throw new OperatorError(
      `The service answered ${status}, and this version does not understand the answer`,
    );
  }
  throw new Refusal(problem);
}

/** Every digit of an id is passed on; undefined for what is no JSON. */
function readExact(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
