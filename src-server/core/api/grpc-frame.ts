/** Bytes in front of a message: 0 for "not compressed", and its length as 32 bits, big-endian. */
const HEAD_BYTES = 5;

/** A message as it is sent in the body of a request. */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEAD_BYTES);
  return frame;
}

/** The single message of a response body; empty when it has none. @param parts the body, split anywhere */
export function unframed(parts: readonly Buffer[]): Buffer {
  const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  return body.subarray(Math.min(HEAD_BYTES, body.length));
}
