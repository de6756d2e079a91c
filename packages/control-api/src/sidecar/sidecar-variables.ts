import { headerSecret, kind, url } from '@steward/service-kit/configuration/kinds';
import { variable } from '@steward/service-kit/configuration/variable';
import { accepted } from '@steward/shared/parsed';

const fallback = 'http://platform-auth:3001';

const sidecarUrl = kind<URL | undefined>({
  allowed: `${url.allowed}; set but empty: there is no sidecar, and players join by direct IP`,
  parse: (text) => (text === '' ? accepted(undefined) : url.parse(text)),
});

/** The rows that say how the sidecar is reached. */
export const sidecarVariables = {
  PLATFORM_AUTH_URL: variable(sidecarUrl, {
    fallback: new URL(fallback),
    fallbackText: fallback,
    means: 'Where the sidecar is, which gives the app tickets that invite codes need',
    emptyIsAValue: true,
  }),
  PLATFORM_AUTH_SECRET: variable(headerSecret("the sidecar's PLATFORM_AUTH_SECRET"), {
    means: 'What the sidecar asks its callers for, where it does',
  }),
};
