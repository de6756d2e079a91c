const finalText = 0x81;
const longestShort = 125;
const sixteenBits = 126;
const sixtyFourBits = 127;
const largestSixteenBits = 0xffff;

/** A whole unmasked text frame (RFC 6455 §5.2), as a server sends it: made once, written to any number of sockets. */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const head = bytes <= longestShort ? 2 : bytes <= largestSixteenBits ? 4 : 10;
  const frame = Buffer.allocUnsafeSlow(head + bytes);
  frame[0] = finalText;
  if (head === 2) frame[1] = bytes;
  else if (head === 4) {
    frame[1] = sixteenBits;
    frame.writeUInt16BE(bytes, 2);
  } else {
    frame[1] = sixtyFourBits;
    frame.writeBigUInt64BE(BigInt(bytes), 2);
  }
  frame.write(text, head);
  return frame;
}
