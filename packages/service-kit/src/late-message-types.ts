/** What is used of a type of protobufjs. */
export interface MessageType {
  fromObject(body: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

export type MessageTypes = Readonly<Record<string, MessageType>>;

interface Schema {
  readonly nested?: Readonly<Record<string, object>>;
}

/** The class of protobufjs. */
export interface Roots {
  fromJSON(json: Schema): MessageTypes;
}

/**
 * Loads what builds message types as it loads. The platform's libraries build all they have, which is half a second and 35 MB, and use
 * a few. Here each file's are built when one of them is first used.
 */
export function withLateTypes<Loaded>(roots: Roots, load: () => Loaded): Loaded {
  const build = roots.fromJSON;
  roots.fromJSON = (json) => lateTypes(json, build);
  try {
    return load();
  } finally {
    roots.fromJSON = build;
  }
}

function lateTypes(json: Schema, build: Roots['fromJSON']): MessageTypes {
  let built: MessageTypes | undefined;
  const types = () => {
    built ??= build(json);
    return built;
  };
  // Those in lower case are no types, and the libraries leave them out as well.
  const names = Object.keys(json.nested ?? {}).filter((name) => /^[A-Z]/.test(name));
  return Object.fromEntries(names.map((name) => [name, new LateType(types, name)]));
}

class LateType implements MessageType {
  readonly #types: () => MessageTypes;
  readonly #name: string;

  constructor(types: () => MessageTypes, name: string) {
    this.#types = types;
    this.#name = name;
  }

  fromObject(body: object): object {
    return this.#type().fromObject(body);
  }

  encode(message: object): { finish(): Uint8Array } {
    return this.#type().encode(message);
  }

  decode(bytes: Uint8Array): object {
    return this.#type().decode(bytes);
  }

  toObject(message: object, options: object): object {
    return this.#type().toObject(message, options);
  }

  #type(): MessageType {
    const type = this.#types()[this.#name];
    if (type === undefined) throw new Error(`The platform's library has no message type ${this.#name}`);
    return type;
  }
}
