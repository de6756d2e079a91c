import { OperatorError } from '@steward/service-kit/process/operator-error';
import { readJson } from '@steward/shared/json/read-json';
import { z } from 'zod';

const gameCommand = z.array(z.string()).min(1);

/** Reads `GAME_COMMAND`. No shell is involved: each text is one argument. */
export function readGameCommand(text: string): readonly string[] {
  const parsed = gameCommand.safeParse(readJson(text));
  const [program] = parsed.data ?? [];
  if (parsed.data === undefined || program === undefined || program === '') {
    const problem = text === '' ? 'is not set' : `is ${JSON.stringify(text)}`;
    throw new OperatorError(
      `GAME_COMMAND ${problem}: with GAME_BRIDGE=spawn it must be a JSON array such as ["mono","Game.exe"]`,
    );
  }
  return parsed.data;
}
