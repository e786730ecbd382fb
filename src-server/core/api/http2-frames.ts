/** HTTP/2 as far as a client that asks and is answered needs it (RFC 9113). */
export const FRAME_HEAD_BYTES = 9;
/** Payload of one frame that every peer takes. */
export const MAX_PAYLOAD = 16_384;
export const FIRST_WINDOW = 65_535;

export const TYPE = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;
export const SETTING = { headerTableSize: 1, enablePush: 2, initialWindow: 4 } as const;
export const NO_LONGER_WANTED = 8;

export interface Frame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

/** Puts a frame's head and payload at `at`. @returns where the next one begins */
export function putFrame(
  into: Buffer,
  at: number,
  { type, flags, stream, payload }: Omit<Frame, 'payload'> & { payload: Uint8Array },
): number {
  into.writeUIntBE(payload.length, at, 3);
  into[at + 3] = type;
  into[at + 4] = flags;
  into.writeUInt32BE(stream, at + 5);
  into.set(payload, at + FRAME_HEAD_BYTES);
  return at + FRAME_HEAD_BYTES + payload.length;
}

export function frameOf(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + payload.length);
  putFrame(frame, 0, { type, flags, stream, payload });
  return frame;
}

/** A 32-bit number as the payload of a frame. */
export function numberPayload(value: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(value);
  return payload;
}

/** What a client says first. */
export function opening(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(settings.length * 6);
  for (const [at, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, at * 6);
    payload.writeUInt32BE(value, at * 6 + 2);
  }
  return Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frameOf(TYPE.settings, 0, 0, payload)]);
}

/** Cuts frames out of what arrives, in whatever pieces. */
export function createFrameReader(take: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let neededBytes = FRAME_HEAD_BYTES;
  return (chunk) => {
    rest.push(chunk);
    restBytes += chunk.length;
    if (restBytes < neededBytes) return;
    const bytes = rest.length === 1 ? chunk : Buffer.concat(rest);
    let at = 0;
    neededBytes = FRAME_HEAD_BYTES;
    while (bytes.length - at >= FRAME_HEAD_BYTES) {
      const end = at + FRAME_HEAD_BYTES + bytes.readUIntBE(at, 3);
      if (end > bytes.length) {
        neededBytes = end - at;
        break;
      }
      take({
        type: bytes[at + 3]!,
        flags: bytes[at + 4]!,
        stream: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
        payload: bytes.subarray(at + FRAME_HEAD_BYTES, end),
      });
      at = end;
    }
    rest = at === bytes.length ? [] : [bytes.subarray(at)];
    restBytes = bytes.length - at;
  };
}

/** What a frame carries besides its padding and priority. @throws {RangeError} when they leave nothing */
export function contentOf({ type, flags, payload }: Frame): Buffer {
  const isPadded = (flags & FLAG.padded) !== 0;
  const padding = isPadded ? (payload[0] ?? 0) : 0;
  const start = (isPadded ? 1 : 0) + (type === TYPE.headers && (flags & FLAG.priority) !== 0 ? 5 : 0);
  if (start + padding > payload.length) throw new RangeError('a frame is shorter than its padding');
  return payload.subarray(start, payload.length - padding);
}
