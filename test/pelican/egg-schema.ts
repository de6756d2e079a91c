import { z } from 'zod';

/** Names that both panels refuse: the daemon sets these itself. */
const reserved = [
  'SERVER_MEMORY',
  'SERVER_IP',
  'SERVER_PORT',
  'ENV',
  'HOME',
  'USER',
  'STARTUP',
  'SERVER_UUID',
  'UUID',
];

interface Rule {
  /** What stands behind its colon. */
  readonly bounds?: RegExp;
  readonly takes: (value: string, bounds: readonly string[]) => boolean;
}

const anything = () => true;

/** Those of Laravel's rules that the eggs use, as strict as it is with them. */
const rulesKnown: Readonly<Record<string, Rule>> = {
  required: { takes: (value) => value !== '' },
  nullable: { takes: anything },
  string: { takes: anything },
  integer: { takes: (value) => value === '' || /^-?(0|[1-9]\d*)$/.test(value) },
  between: {
    bounds: /^\d+,\d+$/,
    takes: (value, [least = '', most = '']) =>
      Number(value) >= Number(least) && Number(value) <= Number(most),
  },
  in: { bounds: /^[^|]+$/, takes: (value, allowed) => allowed.includes(value) },
};

function readRule(text: string): { readonly rule: Rule; readonly bounds: string } | undefined {
  const [, name = '', bounds] = /^([a-z]+)(?::(.*))?$/.exec(text) ?? [];
  const rule = Object.hasOwn(rulesKnown, name) ? rulesKnown[name] : undefined;
  const isWhole = rule?.bounds === undefined ? bounds === undefined : rule.bounds.test(bounds ?? '');
  return rule !== undefined && isWhole ? { rule, bounds: bounds ?? '' } : undefined;
}

/** Whether a panel takes the value for a variable with these rules. */
export function obeys(value: string, rules: string): boolean {
  const each = rules.split('|').map(readRule);
  if (value === '' && rules.split('|').includes('nullable')) return true;
  return each.every((read) => read?.rule.takes(value, read.bounds.split(',')) === true);
}

const isJsonObject = (text: string): boolean => {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
};

/** Panels take these as texts that they read as JSON later, when a server starts. */
const jsonText = z.string().refine(isJsonObject, 'is no JSON object');

const variable = z.strictObject({
  name: z.string().min(1).max(191),
  description: z.string(),
  env_variable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,190}$/)
    .refine((name) => !reserved.includes(name), 'is reserved'),
  default_value: z.string(),
  user_viewable: z.boolean(),
  user_editable: z.boolean(),
  rules: z.string().refine((rules) => rules.split('|').every(readRule), 'has a rule that panels do not know'),
  field_type: z.literal('text'),
});

/** PTDL_v2 as Pterodactyl exports it, with what both panels ask of an egg when they import and keep it. */
export const eggSchema = z.strictObject({
  _comment: z.string(),
  meta: z.strictObject({ version: z.literal('PTDL_v2'), update_url: z.url().nullable() }),
  exported_at: z.iso.datetime({ offset: true }),
  name: z.string().min(1).max(191),
  author: z.email(),
  description: z.string(),
  features: z.array(z.string()).nullable(),
  docker_images: z
    // Pterodactyl's own form for an egg takes no other characters: with others an administrator could not save it.
    .record(z.string().regex(/^[\w#./\- ]+$/), z.string().regex(/^~?[\w./:@-]+$/))
    .refine((images) => Object.keys(images).length > 0, 'has no image'),
  file_denylist: z.array(z.string()),
  startup: z.string().min(1),
  config: z.strictObject({
    files: jsonText,
    startup: jsonText,
    logs: jsonText,
    stop: z.string().min(1).max(191),
  }),
  scripts: z.strictObject({
    installation: z.strictObject({
      script: z.string().min(1),
      container: z.string().min(1),
      entrypoint: z.string().min(1),
    }),
  }),
  variables: z
    .array(variable)
    .refine((all) => new Set(all.map((one) => one.env_variable)).size === all.length, 'has a variable twice'),
});
