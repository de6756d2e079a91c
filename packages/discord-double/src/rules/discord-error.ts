/** What is wrong at one place of a body. */
interface FormError {
  readonly code: string;
  readonly message: string;
}

/** By the names and indexes that lead there, with the errors under `_errors`. */
export interface FormErrors {
  [name: string]: FormErrors | readonly FormError[];
}

/** What Discord refuses with, by status, code and words. */
const refusals = {
  unauthorized: [401, 0, '401: Unauthorized'],
  notFound: [404, 0, '404: Not Found'],
  unknownChannel: [404, 10_003, 'Unknown Channel'],
  unknownGuild: [404, 10_004, 'Unknown Guild'],
  unknownMember: [404, 10_007, 'Unknown Member'],
  unknownMessage: [404, 10_008, 'Unknown Message'],
  unknownEmoji: [400, 10_014, 'Unknown Emoji'],
  unknownWebhook: [404, 10_015, 'Unknown Webhook'],
  unknownInteraction: [404, 10_062, 'Unknown interaction'],
  wrongApplication: [403, 20_012, 'You are not authorized to perform this action on this application'],
  tooManyWebhooks: [400, 30_007, 'Maximum number of webhooks reached (15)'],
  tooManyCommands: [400, 30_032, 'Maximum number of application commands reached (100)'],
  tooManyCreates: [400, 30_034, 'Max number of daily application command creates has been reached (200)'],
  alreadyAcknowledged: [400, 40_060, 'Interaction has already been acknowledged.'],
  blocked: [403, 40_333, 'internal network error'],
  missingAccess: [403, 50_001, 'Missing Access'],
  anothersMessage: [403, 50_005, 'Cannot edit a message authored by another user'],
  emptyMessage: [400, 50_006, 'Cannot send an empty message'],
  notATextChannel: [400, 50_008, 'Cannot send messages in a non-text channel'],
  missingPermissions: [403, 50_013, 'Missing Permissions'],
  wrongWebhookToken: [401, 50_027, 'Invalid Webhook Token'],
  wrongVersion: [400, 50_041, 'Invalid API version'],
  ownMistake: [500, 0, '500: Internal Server Error'],
  notJson: [400, 50_109, 'The request body contains invalid JSON.'],
} as const satisfies Record<string, readonly [status: number, code: number, words: string]>;

/** A refusal in Discord's own shape. */
export class DiscordError extends Error {
  readonly status: number;
  readonly body: { readonly message: string; readonly code: number; readonly errors?: FormErrors };

  constructor(status: number, code: number, message: string, errors?: FormErrors) {
    super(message);
    this.status = status;
    this.body = { message, code, ...(errors === undefined ? {} : { errors }) };
  }
}

export function refused(why: keyof typeof refusals): DiscordError {
  const [status, code, words] = refusals[why];
  return new DiscordError(status, code, words);
}

/** A body that breaks a rule at a place of it. */
export function wrongForm(problems: readonly (FormError & { readonly path: readonly PropertyKey[] })[]) {
  const errors: FormErrors = {};
  for (const { path, code, message } of problems) {
    let place = errors;
    for (const step of path) {
      place[String(step)] ??= {};
      place = place[String(step)] as FormErrors;
    }
    const earlier = (place['_errors'] ?? []) as readonly FormError[];
    place['_errors'] = [...earlier, { code, message }];
  }
  return new DiscordError(400, 50_035, 'Invalid Form Body', errors);
}
