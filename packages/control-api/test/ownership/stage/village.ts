import type { FarmhandSlot, SectionName } from '@steward/shared/bridge/state';
import { fullState } from '../../game/stage/full-state.ts';
import type { GameEnd } from '../../game/stage/stage.ts';

type Slot = { -readonly [Name in keyof FarmhandSlot]: FarmhandSlot[Name] };
type Message = Record<string, unknown> & { id?: string; method?: string };

/** A game that asks before it lets anybody in, keeps its slots in a save, and goes back to that when it crashes. */
export class Village {
  slots: Slot[];
  generation = 1;
  farmId = 'Meadow_1';
  /** Not while it loads. */
  isOnline = true;
  /** The connection that is on each farmhand. */
  readonly online = new Map<string, string>();
  /** The saves that were made, oldest first. */
  readonly saves: { readonly generation: number; readonly slots: Slot[] }[] = [];
  #end: GameEnd | undefined;
  #text = '';
  #requests = 1;
  readonly #answers = new Map<string, (message: Message) => void>();

  constructor(slots: readonly Slot[]) {
    this.slots = structuredClone([...slots]);
    this.save();
  }

  connect(end: GameEnd): Promise<void> {
    this.#end = end;
    this.#text = '';
    this.#answers.clear();
    end.input.on('data', (chunk: Buffer) => setImmediate(() => this.#read(chunk.toString())));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answers.set('1', () => {
      this.tell();
      this.#say({ method: 'tick', params: { count: 1 } });
      resolve();
    });
    const hello = {
      protocol: { major: 1, minor: 0 },
      game: { name: 'Village', version: '1.0.0' },
      capabilities: ['clearStamp'],
      farm: this.#farm,
    };
    this.#say({ id: '1', method: 'hello', params: hello });
    return promise;
  }

  slot(id: string): Slot {
    const slot = this.slots.find((each) => each.id === id);
    if (slot === undefined) throw new Error(`there is no slot ${id}`);
    return slot;
  }

  /** Everything that there is to tell, or these sections alone. */
  tell(sections?: readonly SectionName[]): void {
    const players = [...this.online].map(([id, connectionId]) => ({
      id,
      connectionId,
      name: this.slot(id).name,
      isAdmin: false,
    }));
    const status = { ...fullState.status, isOnline: this.isOnline };
    const whole = { ...fullState, farm: this.#farm, status, players, farmhands: this.slots };
    const told = Object.entries(whole).filter(([name]) => sections?.some((one) => one === name) ?? true);
    this.#say({ method: 'state', params: Object.fromEntries(told) });
  }

  /** Whom it would show this slot to. */
  async shows(connectionId: string): Promise<readonly string[]> {
    const { result } = await this.#ask('visibleSlots', { connectionId, slots: this.slots });
    return (result as { farmhandIds: string[] }).farmhandIds;
  }

  /** The decision, and whether the game has let the player in by it. */
  async join(connectionId: string, id: string, declaredStamp?: string): Promise<boolean> {
    const slot = this.slot(id);
    if (slot.isOnline) return false;
    const declared = declaredStamp === undefined ? {} : { declaredStamp };
    const { result } = await this.#ask('mayJoin', { connectionId, slot, ...declared });
    const { decision } = result as { decision: string };
    const stampsAgree = slot.stamp === undefined || slot.stamp === declaredStamp;
    if (decision !== 'allow' && (decision !== 'game-decides' || !stampsAgree)) return false;
    slot.isOnline = true;
    if (declaredStamp !== undefined) slot.stamp ??= declaredStamp;
    this.online.set(id, connectionId);
    this.#event({ kind: 'playerJoined', playerId: id, playerName: slot.name, connectionId });
    this.tell();
    return true;
  }

  /** Comes, makes the farmhand its own, and goes again. */
  async moveIn(connectionId: string, id: string, name: string, declaredStamp?: string): Promise<void> {
    const isIn = await this.join(connectionId, id, declaredStamp);
    if (!isIn) throw new Error(`${connectionId} was not let in as ${name}`);
    this.customize(id, name);
    this.leave(id);
  }

  /** The game says what has happened, and shows nothing anew. */
  happens(...events: readonly object[]): void {
    for (const event of events) this.#event(event);
  }

  customize(id: string, name: string): void {
    Object.assign(this.slot(id), { name, isCustomized: true });
    this.tell();
  }

  leave(id: string): void {
    const connectionId = this.online.get(id);
    if (connectionId === undefined) return;
    const slot = this.slot(id);
    slot.isOnline = false;
    this.online.delete(id);
    this.#event({ kind: 'playerLeft', playerId: id, playerName: slot.name, connectionId });
    if (!slot.isCustomized && slot.stamp !== undefined) {
      delete slot.stamp;
      this.#event({ kind: 'slotAbandoned', farmhandId: id });
    }
    this.tell();
  }

  remove(id: string): void {
    this.slots = this.slots.filter((slot) => slot.id !== id);
    this.#event({ kind: 'slotDeleted', farmhandId: id, name: '' });
    this.tell();
  }

  save(): void {
    this.generation += 1;
    this.saves.push({ generation: this.generation, slots: structuredClone(this.slots) });
    if (this.#end !== undefined) this.tell();
  }

  /** Goes back to the last save, or by more of them, as an operator who puts an old one in place. */
  crash(back = 1): void {
    this.saves.splice(Math.max(1, this.saves.length - back + 1));
    const { generation, slots } = this.saves.at(-1) ?? { generation: 1, slots: [] };
    this.generation = generation;
    this.slots = structuredClone(slots);
    for (const slot of this.slots) {
      slot.isOnline = false;
      if (!slot.isCustomized) delete slot.stamp;
    }
    this.online.clear();
  }

  /** Everything that was said is read, and what follows from it done: questions are answered in their turn. */
  async calm(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await this.shows('L_nobody');
  }

  get #farm() {
    return { farmId: this.farmId, saveGeneration: this.generation };
  }

  #ask(method: string, params: object): Promise<Message> {
    this.#requests += 1;
    const id = String(this.#requests);
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#answers.set(id, resolve);
    this.#say({ id, method, params });
    return promise;
  }

  #event(event: object): void {
    this.#say({ method: 'event', params: { event } });
  }

  #say(message: object): void {
    this.#end?.say({ jsonrpc: '2.0', ...message });
  }

  #read(text: string): void {
    const lines = `${this.#text}${text}`.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#heard(JSON.parse(line) as Message);
  }

  #heard(message: Message): void {
    const { id = '', method } = message;
    if (method === 'clearStamp') void this.#clearStamp(id, message['params'] as Record<string, string>);
    else if (method === 'journal') this.#say({ id, result: { entries: [] } });
    else {
      this.#answers.get(id)?.(message);
      this.#answers.delete(id);
    }
  }

  async #clearStamp(id: string, { command, farmhandId = '' }: Record<string, string>): Promise<void> {
    await this.#ask('claim', { command });
    const slot = this.slots.find((each) => each.id === farmhandId);
    const before = slot?.stamp === undefined ? {} : { stamp: slot.stamp };
    delete slot?.stamp;
    this.#say({ id, result: { outcome: 'applied', before, after: {} } });
    this.tell();
  }
}

export function freshSlot(id: string): Slot {
  return { id, name: '', isCustomized: false, isOnline: false, isAdmin: false };
}

export function farmhand(id: string, name: string, stamp?: string): Slot {
  return { ...freshSlot(id), name, isCustomized: true, ...(stamp === undefined ? {} : { stamp }) };
}
