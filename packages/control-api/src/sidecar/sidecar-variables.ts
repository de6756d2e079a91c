import { headerSecret } from '@steward/service-kit/configuration/kinds';
import type { Variable } from '@steward/service-kit/configuration/variable';
import { z } from 'zod';

const fallback = 'http://platform-auth:3001';

const sidecarUrl: Variable<URL | undefined> = {
  schema: z.union([
    z.literal('').transform(() => undefined),
    z.url({ protocol: /^https?$/ }).transform((text) => new URL(text)),
  ]),
  fallback: new URL(fallback),
  fallbackText: fallback,
  allowed: 'an http or https URL; set but empty: there is no sidecar, and players join by direct IP',
  meaning: 'Where the sidecar is, which gives the app tickets that invite codes need',
  secret: false,
  emptyIsAValue: true,
};

/** The rows that say how the sidecar is reached. */
export const sidecarVariables = {
  PLATFORM_AUTH_URL: sidecarUrl,
  PLATFORM_AUTH_SECRET: headerSecret({
    allowed: "the sidecar's PLATFORM_AUTH_SECRET",
    meaning: 'What the sidecar asks its callers for, where it does',
  }),
};
