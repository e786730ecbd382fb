import type { Socket } from 'node:net';
import { questionHeaders, readHeaders } from './header-block.ts';
import {
  contentOf,
  createFrameReader,
  FIRST_WINDOW,
  FLAG,
  frameOf,
  FRAME_HEAD_BYTES,
  MAX_PAYLOAD,
  NO_LONGER_WANTED,
  numberPayload,
  opening,
  putFrame,
  SETTING,
  TYPE,
  type Frame,
} from './http2-frames.ts';

/** Bytes under way before the core waits for us: its counters are many megabytes. */
const WINDOW_BYTES = 1024 * 1024;
const LAST_STREAM = 2 ** 31 - 1;

/** What came back, or that the connection or the core ended the question without an answer. */
export type Outcome =
  { kind: 'answer'; status: number; text: string; parts: readonly Buffer[] } | { kind: 'lost'; cause: Error };

interface Question {
  id: number;
  message: Buffer;
  sentBytes: number;
  /** Bytes the core takes for this question at the moment. */
  window: number;
  parts: Buffer[];
  /** Bytes received since the core was last told that there is room for more. */
  takenBytes: number;
  headers: Map<string, string>;
  settle: (outcome: Outcome) => void;
}

export interface Http2Connection {
  /** False when it broke or the core wants no more questions on it: then another one is to be opened. */
  isUsable(): boolean;
  /** Asks one question. @returns a function that gives it up; `settle` is not called after that */
  ask(path: string, message: Buffer, timeoutMs: number, settle: (outcome: Outcome) => void): () => void;
  close(): void;
}

/**
 * The part of HTTP/2 that gRPC calls with one question and one answer take. A bulk change makes a thousand of them: a stream
 * object of Node for each, made for everything that HTTP/2 can do, takes four times as long and more than the core itself.
 * The core is told to remember no headers, so that reading them needs no memory of earlier ones.
 */
export function openHttp2(socket: Socket): Http2Connection {
  const questions = new Map<number, Question>();
  let nextId = 1;
  let isOpen = true;
  let acceptsMore = true;
  let window = FIRST_WINDOW;
  let firstWindow = FIRST_WINDOW;
  let takenBytes = 0;
  let unfinished: { id: number; flags: number; blocks: Buffer[] } | null = null;
  let outgoing: Buffer[] = [];

  /** What one turn has to say goes out as one piece. */
  function send(bytes: Buffer): void {
    if (outgoing.push(bytes) === 1) process.nextTick(flush);
  }
  function flush(): void {
    const bytes = outgoing.length === 1 ? outgoing[0]! : Buffer.concat(outgoing);
    outgoing = [];
    if (isOpen) socket.write(bytes);
  }

  function end(cause: Error): void {
    if (!isOpen) return;
    isOpen = false;
    socket.destroy();
    const left = [...questions.values()];
    questions.clear();
    for (const { settle } of left) settle({ kind: 'lost', cause });
  }

  /** Sends as much of a long message as the core takes now. */
  function pump(question: Question): void {
    const { id, message } = question;
    while (question.sentBytes < message.length) {
      const bytes = Math.min(message.length - question.sentBytes, MAX_PAYLOAD, window, question.window);
      if (bytes <= 0) return;
      const part = message.subarray(question.sentBytes, question.sentBytes + bytes);
      question.sentBytes += bytes;
      window -= bytes;
      question.window -= bytes;
      send(frameOf(TYPE.data, question.sentBytes === message.length ? FLAG.endStream : 0, id, part));
    }
  }

  function finish(id: number, outcome?: Outcome): void {
    const question = questions.get(id);
    if (question === undefined) return;
    questions.delete(id);
    const { headers, parts, settle, sentBytes, message } = question;
    if (sentBytes < message.length) send(frameOf(TYPE.reset, 0, id, numberPayload(NO_LONGER_WANTED)));
    const status = headers.get('grpc-status');
    if (status !== undefined)
      settle({ kind: 'answer', status: Number(status), text: headers.get('grpc-message') ?? '', parts });
    else settle(outcome ?? { kind: 'lost', cause: new Error('the core answered without a state') });
  }

  function takeData(frame: Frame): void {
    const question = questions.get(frame.stream);
    takenBytes += frame.payload.length;
    if (takenBytes >= WINDOW_BYTES / 2) {
      send(frameOf(TYPE.windowUpdate, 0, 0, numberPayload(takenBytes)));
      takenBytes = 0;
    }
    if (question === undefined) return;
    question.parts.push(contentOf(frame));
    question.takenBytes += frame.payload.length;
    if ((frame.flags & FLAG.endStream) !== 0) {
      finish(frame.stream);
    } else if (question.takenBytes >= WINDOW_BYTES / 2) {
      send(frameOf(TYPE.windowUpdate, 0, frame.stream, numberPayload(question.takenBytes)));
      question.takenBytes = 0;
    }
  }

  function takeHeaders(frame: Frame): void {
    if (frame.type === TYPE.headers) unfinished = { id: frame.stream, flags: frame.flags, blocks: [contentOf(frame)] };
    else unfinished?.blocks.push(frame.payload);
    if (unfinished === null || (frame.flags & FLAG.endHeaders) === 0) return;
    const { id, flags, blocks } = unfinished;
    unfinished = null;
    const block = blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks);
    const question = questions.get(id);
    if (question === undefined) return;
    for (const [name, value] of readHeaders(block, ['grpc-status', 'grpc-message'])) question.headers.set(name, value);
    if ((flags & FLAG.endStream) !== 0) finish(id);
  }

  function takeSettings({ flags, payload }: Frame): void {
    if ((flags & FLAG.ack) !== 0) return;
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      if (payload.readUInt16BE(at) !== SETTING.initialWindow) continue;
      const wanted = payload.readUInt32BE(at + 2);
      for (const question of questions.values()) question.window += wanted - firstWindow;
      firstWindow = wanted;
    }
    send(frameOf(TYPE.settings, FLAG.ack, 0, Buffer.alloc(0)));
    for (const question of questions.values()) pump(question);
  }

  function takeWindow({ stream, payload }: Frame): void {
    const bytes = payload.readUInt32BE() & 0x7fff_ffff;
    if (stream === 0) {
      window += bytes;
      for (const question of questions.values()) pump(question);
    } else {
      const question = questions.get(stream);
      if (question === undefined) return;
      question.window += bytes;
      pump(question);
    }
  }

  function takeGoAway({ payload }: Frame): void {
    acceptsMore = false;
    const last = payload.readUInt32BE() & 0x7fff_ffff;
    const cause = new Error('the core takes no more questions on this connection');
    for (const id of questions.keys()) if (id > last) finish(id, { kind: 'lost', cause });
  }

  function take(frame: Frame): void {
    if (!isOpen) return;
    if (frame.type === TYPE.data) takeData(frame);
    else if (frame.type === TYPE.headers || frame.type === TYPE.continuation) takeHeaders(frame);
    else if (frame.type === TYPE.windowUpdate) takeWindow(frame);
    else if (frame.type === TYPE.settings) takeSettings(frame);
    else if (frame.type === TYPE.ping && (frame.flags & FLAG.ack) === 0)
      send(frameOf(TYPE.ping, FLAG.ack, 0, frame.payload));
    else if (frame.type === TYPE.reset)
      finish(frame.stream, { kind: 'lost', cause: new Error('the core gave the question up') });
    else if (frame.type === TYPE.goAway) takeGoAway(frame);
  }

  const read = createFrameReader(take);
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.once('error', end);
  socket.once('close', () => end(new Error('the connection to the core ended')));
  send(
    opening([
      [SETTING.headerTableSize, 0],
      [SETTING.enablePush, 0],
      [SETTING.initialWindow, WINDOW_BYTES],
    ]),
  );
  send(frameOf(TYPE.windowUpdate, 0, 0, numberPayload(WINDOW_BYTES - FIRST_WINDOW)));

  return {
    isUsable: () => isOpen && acceptsMore && nextId < LAST_STREAM,
    ask(path, message, timeoutMs, settle) {
      const id = nextId;
      nextId += 2;
      const payload = questionHeaders(path, timeoutMs);
      const question: Question = {
        id,
        message,
        sentBytes: 0,
        window: firstWindow,
        parts: [],
        takenBytes: 0,
        headers: new Map(),
        settle,
      };
      questions.set(id, question);
      const fits = message.length <= Math.min(MAX_PAYLOAD, window, firstWindow);
      const bytes = Buffer.allocUnsafe(
        FRAME_HEAD_BYTES + payload.length + (fits ? FRAME_HEAD_BYTES + message.length : 0),
      );
      const at = putFrame(bytes, 0, { type: TYPE.headers, flags: FLAG.endHeaders, stream: id, payload });
      if (fits) {
        putFrame(bytes, at, { type: TYPE.data, flags: FLAG.endStream, stream: id, payload: message });
        question.sentBytes = message.length;
        window -= message.length;
      }
      send(bytes);
      if (!fits) pump(question);
      return () => {
        if (!questions.delete(id)) return;
        send(frameOf(TYPE.reset, 0, id, numberPayload(NO_LONGER_WANTED)));
      };
    },
    close: () => end(new Error('the connection was closed')),
  };
}
