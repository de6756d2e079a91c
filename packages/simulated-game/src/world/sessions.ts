/** A farmhand who is on the farm, and the connection that brought them. */
export interface Session {
  readonly farmhandId: string;
  readonly connectionId: string;
  /** A new player is creating their character; the slot stays uncustomised until the character data has arrived. */
  creating: boolean;
  /** The name under which others see the player; empty until it has arrived. */
  knownName: string;
  asleep: boolean;
}

/** Who is on the farm. One farmhand has at most one connection, one connection at most one farmhand. */
export class Sessions {
  readonly #byFarmhand = new Map<string, Session>();

  get count(): number {
    return this.#byFarmhand.size;
  }

  get all(): readonly Session[] {
    return [...this.#byFarmhand.values()];
  }

  open(farmhandId: string, connectionId: string, creating: boolean): Session {
    if (this.#byFarmhand.has(farmhandId)) throw new Error(`farmhand ${farmhandId} is on the farm already`);
    const session = { farmhandId, connectionId, creating, knownName: '', asleep: false };
    this.#byFarmhand.set(farmhandId, session);
    return session;
  }

  close(farmhandId: string): void {
    this.#byFarmhand.delete(farmhandId);
  }

  of(farmhandId: string): Session | undefined {
    return this.#byFarmhand.get(farmhandId);
  }

  /** Everybody who could sleep does; nobody on the farm is not everybody. */
  get allAsleep(): boolean {
    const playing = this.all.filter(({ creating }) => !creating);
    return playing.length > 0 && playing.every(({ asleep }) => asleep);
  }

  wakeAll(): void {
    for (const session of this.#byFarmhand.values()) session.asleep = false;
  }

  clear(): void {
    this.#byFarmhand.clear();
  }
}
