import { type Scope, scopeNames } from '@steward/shared/scopes';
import type { openApi } from './open-api.ts';

/** Somebody who asks, and with what: a key that opens nothing has no scopes, the owner's has all. */
export interface Bearer {
  readonly who: string;
  readonly key: string | null;
  readonly scopes: ReadonlySet<Scope> | undefined;
  readonly hasEnded?: true;
}

/** Makes a key for each scope alone, one that is revoked and one that has expired; with them come the owner's, a wrong one and none. */
export async function everyKey(
  api: Awaited<ReturnType<typeof openApi>>,
  ownersKey: string,
): Promise<readonly Bearer[]> {
  const make = async (name: string, scopes: string, more = ''): Promise<string> => {
    const made = await api.ask('POST', `/keys?name=${name}&scopes=${scopes}${more}`);
    return String(made.exact['secret']);
  };
  const alone: Bearer[] = [];
  for (const scope of scopeNames)
    alone.push({ who: `${scope} alone`, key: await make(scope, scope), scopes: new Set([scope]) });
  const soon = new Date(api.clock.date().getTime() + 1).toISOString();
  const expired = await make('expired', 'admin', `&expires=${soon}`);
  api.clock.advance(1);
  const revoked = await make('revoked', 'admin');
  await api.ask('DELETE', '/keys?name=revoked');
  return [
    { who: 'nobody', key: null, scopes: undefined },
    { who: 'a wrong key', key: 'wrong', scopes: undefined },
    { who: 'an expired key', key: expired, scopes: undefined, hasEnded: true },
    { who: 'a revoked key', key: revoked, scopes: undefined, hasEnded: true },
    ...alone,
    { who: 'the owner', key: ownersKey, scopes: new Set(scopeNames) },
  ];
}
