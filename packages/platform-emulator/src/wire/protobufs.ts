import { createRequire } from 'node:module';
import { type MessageTypes, type Roots, withLateTypes } from '@steward/service-kit/late-message-types';

const require = createRequire(import.meta.url);
const { Root }: { Root: Roots } = createRequire(require.resolve('steam-user'))('protobufjs');
// The very schemas that the client libraries read, so that both ends of the wire can only differ in their manners.
const schemas = withLateTypes(Root, (): MessageTypes => require('steam-user/protobufs/generated/_load.js'));

// 64-bit fields are decimal strings on both sides: they never pass through a JavaScript number.
const conversion = { longs: String, arrays: true };

/** One message type of the platform. `Body` names the fields that the emulator reads or writes, out of the schema's many. */
export interface MessageType<Body extends object> {
  readonly name: string;
  encode(body: Body): Buffer;
  /** Lists are always there; every other field only when it was sent. */
  decode(bytes: Uint8Array): Partial<Body>;
}

/** Without the package `long`, protobufjs would turn 64-bit ids into doubles, and ids would come out as their neighbours. */
function keepsEveryBit(): boolean {
  const header = schemas['CMsgProtoBufHeader'];
  const odd = { steamid: '76561198860265729' };
  if (header === undefined) return false;
  const copy = header.toObject(header.decode(header.encode(header.fromObject(odd)).finish()), conversion);
  return JSON.stringify(copy).includes(odd.steamid);
}
if (!keepsEveryBit()) {
  throw new Error(
    'protobufjs found no "long" package (or a module in its place): 64-bit ids would be rounded',
  );
}

export function messageType<Body extends object>(name: string): MessageType<Body> {
  const type = schemas[name];
  if (type === undefined) throw new Error(`steam-user carries no protobuf message named ${name}`);
  return {
    name,
    encode: (body) => Buffer.from(type.encode(type.fromObject(body)).finish()),
    decode: (bytes) => type.toObject(type.decode(bytes), conversion) as Partial<Body>,
  };
}
