import { DiscordAPIError } from '@discordjs/rest';

/** What the API refused with: status, code, and every path of a body that it objects to. */
export async function refusal(request: Promise<unknown>) {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DiscordAPIError)) throw new Error('it was not refused', { cause: error });
  const { status, code, rawError } = error;
  const errors = 'errors' in rawError ? rawError.errors : undefined;
  return { status, code, paths: pathsOf(errors), message: error.message };
}

function pathsOf(errors: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof errors !== 'object' || errors === null) return [];
  return Object.entries(errors).flatMap(([name, inside]) =>
    name === '_errors' ? [path.join('.')] : pathsOf(inside, [...path, name]),
  );
}
