/** Bytes in front of a message: 0 for "not compressed", and its length as 32 bits, big-endian. */
const HEAD_BYTES = 5;

/** A message as it stands in the body of a request. */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEAD_BYTES);
  return frame;
}

/** The one message of an answer's body; empty when it has none. @param parts the body, cut anywhere */
export function unframed(parts: readonly Buffer[]): Buffer {
  const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  return body.subarray(Math.min(HEAD_BYTES, body.length));
}
