import { EventEmitter } from 'node:events';
import type { Calendar, Character, Target } from './character.ts';
import { GameThread } from './game-thread.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

export interface FarmEvents {
  /** A normal public line in the chat box. */
  chat: [playerName: string, message: string];
  snapshot: [Snapshot];
}

export type Deletion = 'deleted' | 'not-found' | 'online';

/** The farm that the existing server hosts: what its endpoints show, and what they change. */
export class ExistingFarm extends EventEmitter<FarmEvents> {
  readonly thread = new GameThread();
  readonly characters: Character[] = [];
  readonly calendar: Calendar = { day: 1, season: 'spring', year: 1, timeOfDay: 600 };
  readonly inGameChat: string[] = [];
  farmName = 'Junimo';
  maxPlayers = 10;
  /** Of its own settings file, as its operator wrote them. */
  readonly gameSettings: Record<string, unknown> = {
    farmType: 0,
    profitMargin: 1,
    startingCabins: 1,
    spawnMonstersAtNight: 'auto',
  };
  /** What the last new world was asked to be. */
  askedWorld: object | undefined;
  fps = 0;
  isPaused = false;
  isReady = true;
  isInDayTransition = false;
  isSaving = false;
  /** How often the save was loaded anew. */
  reloads = 0;
  /** Without a world it shows nothing, and most of what it is told it is not ready for. */
  isLoaded = true;
  /** What goes wrong once a change was made, in the words of the exception. */
  fault: string | undefined;
  networkCode: string | undefined;
  /** Whether the network lobby points at the platform lobby, so that the other code works too. */
  isPlatformLobbyStamped = false;
  #snapshot: Snapshot | undefined;
  #nextId = 620_826_087_702_429_091n;

  constructor() {
    super();
    this.addSlot();
  }

  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  /** What it does once a second, and after each change. Days that end leave the last one standing. */
  publish(): void {
    if (this.thread.isFrozen || this.isInDayTransition) return;
    this.#snapshot = snapshotOf(this, (this.#snapshot?.version ?? 0) + 1);
    this.emit('snapshot', this.#snapshot);
  }

  /** Another world in this one's place. */
  found(farmName: string): void {
    this.farmName = farmName;
    Object.assign(this.calendar, { day: 1, season: 'spring', year: 1, timeOfDay: 600 });
    this.characters.length = 0;
    this.addSlot();
  }

  /** A fresh slot. The first one has an id that JavaScript's numbers would round. */
  addSlot(): Character {
    this.#nextId += 1n;
    const character = { id: this.#nextId, name: '', isCustomized: false, isOnline: false, isAdmin: false };
    this.characters.push(character);
    return character;
  }

  /** A new player takes the free slot. The name is there only when the client has sent its character. */
  join(): Character {
    const slot =
      this.characters.find(({ isCustomized, isOnline }) => !isCustomized && !isOnline) ?? this.addSlot();
    slot.isOnline = true;
    return slot;
  }

  customize(character: Character, name: string): void {
    character.name = name;
    character.isCustomized = true;
    if (this.characters.every(({ isCustomized }) => isCustomized)) this.addSlot();
  }

  /** By that server's own rule, not by ours: of several with one name it takes the first. */
  find(target: Target): Character | undefined {
    if ('playerId' in target) return this.characters.find(({ id }) => id === target.playerId);
    const wanted = target.name.toLowerCase();
    return this.characters.find(({ name }) => name.toLowerCase() === wanted);
  }

  delete(target: Target): Deletion {
    const character = this.find(target);
    if (character === undefined) return 'not-found';
    if (character.isOnline) return 'online';
    this.characters.splice(this.characters.indexOf(character), 1);
    if (this.characters.every(({ isCustomized }) => isCustomized)) this.addSlot();
    return 'deleted';
  }

  /** A line typed by a player. Commands and private lines stay in the game. */
  say(playerName: string, message: string): void {
    this.inGameChat.push(`${playerName}: ${message}`);
    if (message.length > 1 && message.startsWith('!')) return;
    this.emit('chat', playerName, message);
  }
}
