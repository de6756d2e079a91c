import { keptTopicNames, type Topic } from '../events/event-types.ts';
import { form, type Kind } from '../kinds.ts';
import { accepted, allAccepted, type Parsed, refused } from '../parsed.ts';
import { keyLimits, keyName } from './key-parameters.ts';

export const webhookLimits = {
  webhooks: 50,
  urlCharacters: 2_000,
} as const;

/** In whose words a webhook is told. */
export const webhookTemplates = ['standard', 'discord', 'slack', 'ntfy'] as const;

export type WebhookTemplate = (typeof webhookTemplates)[number];

/** How a message ends that is not tried any more. */
export const deliveryOutcomes = ['delivered', 'givenUp'] as const;

export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** What every signing secret begins with, as Standard Webhooks says. */
export const webhookSecretPrefix = 'whsec_';

export const webhookName: Kind<string> = {
  ...keyName,
  allowed: `1 to ${keyLimits.nameCharacters} printable characters, no space at either end`,
  parse(text) {
    const parsed = keyName.parse(text);
    if (!parsed.ok) return parsed;
    if (parsed.value.trim() !== parsed.value) return refused('starts or ends with a space');
    // Names are listed, logged and told.
    return /:\/\/|whsec_/i.test(text) ? refused('looks like a secret: a name is not secret') : parsed;
  },
};

/** Whether it may be reached is for who knows the network to say. */
export const webhookUrl: Kind<string> = {
  allowed: `a URL of at most ${webhookLimits.urlCharacters} characters that begins with https:// or http://`,
  json: { type: 'string', format: 'uri', maxLength: webhookLimits.urlCharacters },
  parse(text) {
    if (text.length > webhookLimits.urlCharacters) return refused('is too long');
    return /^https?:\/\//i.test(text) && URL.canParse(text) ? accepted(text) : refused('is not such a URL');
  },
};

export const webhookTopics: Kind<readonly Topic[]> = {
  allowed: `one or more of ${keptTopicNames.join(', ')}, separated by commas`,
  json: { type: 'string', minLength: 1 },
  parse(text) {
    const parsed = allAccepted(text.split(',').map((item) => topicNamed(item.trim())));
    if (!parsed.ok) return parsed;
    return accepted(keptTopicNames.filter((topic) => parsed.value.includes(topic)));
  },
};

export const webhookId = form({
  allowed: 'the id of a webhook, as GET /webhooks lists it',
  pattern: /^hook_[0-9a-f]{12}$/,
  longest: 17,
});

function topicNamed(text: string): Parsed<Topic> {
  const topic = keptTopicNames.find((one) => one === text);
  return topic === undefined
    ? refused(`names ${JSON.stringify(text)}, which is not a topic`)
    : accepted(topic);
}
