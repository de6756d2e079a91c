import { gzipSync } from 'node:zlib';
import { messageNumbers } from './numbers.ts';
import { messageType } from './protobufs.ts';

/** Source: docs/platform-emulator.md, wire: frame; CMsgProtoBufHeader in steammessages_base.proto. */
export interface FrameHeader {
  steamid?: string;
  client_sessionid?: number;
  routing_appid?: number;
  jobid_source?: string;
  jobid_target?: string;
  target_job_name?: string;
  eresult?: number;
}

export interface Frame {
  readonly message: number;
  readonly header: FrameHeader;
  readonly body: Buffer;
}

/** A job id that stands for "no job": all bits set. */
const noJob = '18446744073709551615';

const protobufMark = 0x80000000;
const prefixLength = 8;
const headerType = messageType<FrameHeader>('CMsgProtoBufHeader');

/** `u32 message with the protobuf mark · u32 header length · header · body`, one frame per binary WebSocket message. */
export function encodeFrame({ message, header, body }: Frame): Buffer {
  const headerBytes = headerType.encode({ jobid_source: noJob, jobid_target: noJob, ...header });
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32LE((message | protobufMark) >>> 0, 0);
  prefix.writeUInt32LE(headerBytes.length, 4);
  return Buffer.concat([prefix, headerBytes, body]);
}

/** Undefined for what is no protobuf frame: today's clients send nothing else. */
export function decodeFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < prefixLength) return undefined;
  const marked = bytes.readUInt32LE(0);
  const bodyStart = prefixLength + bytes.readUInt32LE(4);
  if ((marked & protobufMark) === 0 || bytes.length < bodyStart) return undefined;
  const header = decodeHeader(bytes.subarray(prefixLength, bodyStart));
  if (header === undefined) return undefined;
  return { message: (marked & ~protobufMark) >>> 0, header, body: bytes.subarray(bodyStart) };
}

function decodeHeader(bytes: Buffer): FrameHeader | undefined {
  try {
    return headerType.decode(bytes);
  } catch {
    return undefined;
  }
}

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
