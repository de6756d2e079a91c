import { keyCheck } from '@steward/service-kit/http/bearer';
import type { Secret } from '@steward/service-kit/secret';
import { type HelloParams, helloParams } from '@steward/shared/bridge/hello';
import { protocolVersion } from '@steward/shared/bridge/protocol';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import { type Params, RpcFault } from '../rpc/json-rpc-peer.ts';

/** Reads a game's `hello`, or refuses it with what its author or the operator can do about it. */
export function readHello(params: Params, secret: Secret | undefined): HelloParams {
  if (secret !== undefined) checkSecret(params['secret'], secret);
  checkVersion(params['protocol']);
  const parsed = helloParams.safeParse(params);
  if (!parsed.success) {
    throw new RpcFault(
      'invalidParams',
      `hello is malformed: ${firstIssue(parsed.error)}. See docs/game-bridge.md`,
    );
  }
  return parsed.data;
}

/** Before the rest is read: another major may have another form. */
function checkVersion(given: unknown): void {
  const parsed = helloParams.shape.protocol.safeParse(given);
  if (!parsed.success || parsed.data.major === protocolVersion.major) return;
  const ours = `${protocolVersion.major}.${protocolVersion.minor}`;
  const theirs = `${parsed.data.major}.${parsed.data.minor}`;
  const older = parsed.data.major < protocolVersion.major ? "the game's mod" : 'the control API';
  throw new RpcFault(
    'protocolMismatch',
    `The control API speaks bridge protocol ${ours} and the game ${theirs}: update ${older}`,
  );
}

function checkSecret(given: unknown, secret: Secret): void {
  if (typeof given === 'string' && keyCheck(secret)(given)) return;
  const what = given === undefined ? 'hello carries no secret' : 'The secret in hello is wrong';
  throw new RpcFault('wrongSecret', `${what}: give the game the value of GAME_BRIDGE_SECRET`);
}
