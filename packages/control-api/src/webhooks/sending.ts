import type { WebhookTemplate } from '@steward/shared/api/webhook-parameters';
import type { ShownEvent } from '@steward/shared/events/shown-event';

/** What is told for a try alone. */
export interface TestEvent extends Omit<ShownEvent, 'type'> {
  readonly type: 'test';
}

export type ToldEvent = ShownEvent | TestEvent;

/** What a message is made for, and by whom. */
export interface Sent extends Addressed {
  /** What the server is called; empty where it has no name. */
  readonly instance: string;
}

/** What a message is made for. */
export interface Addressed {
  /** What is doubled has the same: it is the message's `webhook-id`. */
  readonly id: string;
  /** Of this try. */
  readonly sentAt: Date;
  readonly url: string;
  /** What it is signed with: `whsec_` and base64. Of `standard` alone. */
  readonly secret: string | undefined;
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Where it goes, where the template makes another URL of the one that was given. */
  readonly url?: string;
}

/** The answer to one request; of the body what fits, and whatever it says is text of a stranger. */
export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** There was none. The reason is for people, and holds nothing of the URL but its host. */
export interface NotAnswered {
  readonly kind: 'failed';
  readonly reason: string;
}

export type Posted = Answered | NotAnswered;

/** The one way out. `webhooks/egress` has it. */
export interface Egress {
  /** Why this URL may not be one of a webhook, in words that say how it could; undefined where it may. No name is looked up. */
  check(url: string): string | undefined;
  /** One POST without redirects, within a time of its own: never throws, and ends promptly with the signal. */
  post(url: string, message: Pick<Message, 'headers' | 'body'>, signal: AbortSignal): Promise<Posted>;
}

/** How each template speaks. `webhooks/templates` has it. */
export interface Templates {
  /** Why this URL is none for the template, whatever host it has; undefined where it is one. */
  check(template: WebhookTemplate, url: string): string | undefined;
  messageFor(template: WebhookTemplate, event: ToldEvent, to: Addressed): Message;
  /** Whether the receiver says in its own way that it is no more. */
  isGone(template: WebhookTemplate, answered: Answered): boolean;
  /** For how long its rules want nothing more after this answer: of Discord, say, when no request is left. 0 where they say nothing. */
  pauseAfter(template: WebhookTemplate, answered: Answered): number;
}
