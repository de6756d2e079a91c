/**
 * A server behind the bridge that sees to its own joins, owners, lobbies and settings: this service leaves those alone and
 * shows what that server says of them.
 */
export interface SelfHosted {
  /** As it is called in a sentence. */
  readonly name: string;
  /** The invite codes as that server shows them. */
  readonly codes: { readonly platform?: string; readonly network?: string };
  /** As many of its settings as it tells. */
  readonly settings: {
    readonly game: Readonly<Record<string, unknown>>;
    readonly server: Readonly<Record<string, unknown>>;
  };
  /** Where what cannot be done from here is done instead, in a sentence, by the name of the command. */
  readonly instead: Readonly<Record<string, string>>;
}
