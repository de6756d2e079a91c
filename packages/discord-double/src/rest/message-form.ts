import { type APIMessage, MessageFlags } from 'discord-api-types/v10';
import { z } from 'zod';
import { refused } from '../rules/discord-error.ts';
import { listOf, objectTo, read, snowflake, text } from '../rules/forms.ts';
import type { Draft } from '../world/channel.ts';
import { type AllowedMentions, type Called, calledBy, type Occasion } from '../world/mentions.ts';

/** Of all parts of all embeds of a message together. */
const mostEmbedded = 6_000;

const embed = z.object({
  title: text({ max: 256 }).optional(),
  description: text({ max: 4_096 }).optional(),
  url: z.string().optional(),
  color: z.int().min(0).max(0xffffff).optional(),
  timestamp: z.string().nullish(),
  footer: z.object({ text: text({ min: 1, max: 2_048 }), icon_url: z.string().optional() }).optional(),
  author: z.object({ name: text({ min: 1, max: 256 }), url: z.string().optional() }).optional(),
  fields: listOf(
    z.object({
      name: text({ min: 1, max: 256 }),
      value: text({ min: 1, max: 1_024 }),
      inline: z.boolean().optional(),
    }),
    25,
  ).optional(),
});

const allowedMentions = z
  .object({
    parse: z.array(z.enum(['users', 'roles', 'everyone'])).optional(),
    users: listOf(snowflake, 100).optional(),
    roles: listOf(snowflake, 100).optional(),
    replied_user: z.boolean().optional(),
  })
  .superRefine(({ parse = [], users = [], roles = [] }, context) => {
    for (const [kind, ids] of Object.entries({ users, roles }))
      if (ids.length > 0 && parse.some((one) => one === kind))
        objectTo(
          context,
          'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
          `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
          ['parse'],
        );
  });

/** What Discord takes and this double does not know, so that nobody loses it unseen. */
const notHere = listOf(z.unknown(), 0).nullish();

/** What every way of posting has in common. */
export const contentForm = z.object({
  content: text({ max: 2_000 }).nullish(),
  embeds: listOf(embed, 10)
    .superRefine((embeds, context) => {
      const length = embeds.flatMap(textsOf).reduce((sum, one) => sum + [...one].length, 0);
      if (length > mostEmbedded)
        objectTo(context, 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${mostEmbedded}`);
    })
    .nullish(),
  allowed_mentions: allowedMentions.nullish(),
  flags: z.int().nullish(),
  tts: z.boolean().nullish(),
  attachments: notHere,
  components: notHere,
  sticker_ids: notHere,
});

export type Content = z.output<typeof contentForm>;

/** What a body says of a message; nothing at all is no message. */
export function readMessage<Schema extends typeof contentForm>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const form = read(schema, body);
  if (!hasContent(form)) throw refused('emptyMessage');
  return form;
}

function hasContent({ content, embeds }: Content): boolean {
  return (content ?? '').trim() !== '' || (embeds ?? []).length > 0;
}

/** What a poster may set of a message's flags. */
const settable = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;

/** What is posted, and whom it calls: `usual` where the form does not say. */
export function contentOf(
  form: Content,
  usual: AllowedMentions,
  occasion: Occasion,
): Omit<Draft, 'author'> & Called {
  const content = (form.content ?? '').trim();
  return {
    content,
    embeds: (form.embeds ?? []).map((embed) => ({ type: 'rich', ...embed })) as APIMessage['embeds'],
    flags: (form.flags ?? 0) & settable,
    tts: form.tts ?? false,
    ...calledBy(content, form.allowed_mentions ?? usual, occasion),
  };
}

/** What an edit changes: what it does not name stays. */
export function changesOf(form: Content, usual: AllowedMentions, occasion: Occasion): Partial<APIMessage> {
  const { content, embeds, mentions, mention_roles, mention_everyone } = contentOf(form, usual, occasion);
  return {
    ...(form.content == null ? {} : { content, mentions, mention_roles, mention_everyone }),
    ...(form.embeds == null ? {} : { embeds }),
  };
}

function textsOf({ title, description, footer, author, fields = [] }: z.output<typeof embed>): string[] {
  const parts = [title, description, footer?.text, author?.name];
  return [...parts, ...fields.flatMap(({ name, value }) => [name, value])].filter(
    (part) => part !== undefined,
  );
}
