import { gzipSync } from 'node:zlib';
import { encodeFrame } from './frame.ts';
import { messageNumbers } from './message-numbers.ts';
import { messageType } from './protobufs.ts';

/** CMsgMulti in steammessages_base.proto: a size says that the frames inside are gzipped. */
const multiType = messageType<{ size_unzipped?: number; message_body: Buffer }>('CMsgMulti');

export type MultiForm = 'gzip' | 'plain';

/** Several frames in one, each behind its length; the platform sends small ones plain and large ones gzipped. */
export function encodeMulti(frames: readonly Buffer[], form: MultiForm): Buffer {
  const joined = Buffer.concat(
    frames.flatMap((frame) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(frame.length);
      return [length, frame];
    }),
  );
  const body =
    form === 'gzip'
      ? { size_unzipped: joined.length, message_body: gzipSync(joined) }
      : { message_body: joined };
  return encodeFrame({ message: messageNumbers.Multi, header: {}, body: multiType.encode(body) });
}
