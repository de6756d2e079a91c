import { createHash } from 'node:crypto';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import type { RequestableVisibility } from '@steward/shared/wire-values';
import type { Random } from '../time/random.ts';
import type { TicketVerifier } from './app-ticket.ts';

export interface NetworkAccount {
  readonly networkId: bigint;
}

// The network's accounts and lobbies are 64-bit numbers of one kind each, told apart by their upper bits.
const accountBits = 46n << 56n;
const lobbyBits = 6n << 58n;
const lowerBits = (1n << 56n) - 1n;

/** The second network: whoever shows a valid app ticket is signed in, and lobbies are joined by their raw id. */
export class CrossPlatformNetwork {
  readonly #verifier: TicketVerifier;
  readonly #random: Random;
  readonly #lobbies = new Map<bigint, Lobby>();
  /** False in an outage: what exists goes on to exist, and nobody can reach it. */
  reachable = true;

  constructor(verifier: TicketVerifier, random: Random) {
    this.#verifier = verifier;
    this.#random = random;
  }

  signIn(ticket: Buffer): Parsed<NetworkAccount> {
    if (!this.reachable) return unreachable;
    const account = this.#verifier.verify(ticket);
    return account.ok ? accepted({ networkId: networkIdOf(account.value) }) : account;
  }

  createLobby(visibility: RequestableVisibility): Parsed<Lobby> {
    if (!this.reachable) return unreachable;
    const lobby = { rawId: lobbyBits | (this.#random.bits64() & lowerBits), visibility };
    this.#lobbies.set(lobby.rawId, lobby);
    return accepted(lobby);
  }

  /** What the holder of a code does: the raw id alone, so the host need not know the player. */
  joinLobby(rawId: bigint): Parsed<Lobby> {
    if (!this.reachable) return unreachable;
    const lobby = this.#lobbies.get(rawId);
    if (lobby === undefined) return refused('the network knows no such lobby');
    if (lobby.visibility !== 'public') {
      return refused(`the lobby is ${lobby.visibility}, and its host is nobody's friend`);
    }
    return accepted(lobby);
  }

  /** The lobby is no more, and neither are the codes that lead to it. */
  closeLobby(rawId: bigint): void {
    this.#lobbies.delete(rawId);
  }
}

/** One account has one id here for ever, and no one can tell it from the platform's id. */
export function networkIdOf(platformAccount: bigint): bigint {
  const digest = createHash('sha256').update(`network account of ${platformAccount}`).digest();
  return accountBits | (digest.readBigUInt64BE() & lowerBits);
}

const unreachable = refused('the cross-platform network cannot be reached');

export interface Lobby {
  /** What an invite code carries. */
  readonly rawId: bigint;
  readonly visibility: RequestableVisibility;
}
