import type { ClientHttp2Session } from 'node:http2';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import type { DescMethodUnary, DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { CoreApiError, apiErrorOf } from './api-error.ts';
import type { ApiEndpoint } from './endpoint.ts';
import { framed, unframed } from './grpc-frame.ts';

/** One connection to the API of one core process. Never reused for another process: see {@link openChannel}. */
export interface CoreChannel {
  /** @throws {CoreApiError} */
  call: <I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    timeoutMs: number,
  ) => Promise<MessageShape<O>>;
  /** Like {@link call} but hands out the encoded answer, for answers too large to decode in one go. */
  callRaw: <I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    timeoutMs: number,
  ) => Promise<Buffer>;
  close(): void;
}

/** Bytes under way before the core waits for us: its counters are many megabytes. */
const WINDOW_BYTES = 1024 * 1024;

/**
 * Opens the channel of one process. It connects with the first call, and again with the first one after its connection
 * broke; close it when the process ends.
 *
 * The core speaks gRPC, of which this is what a single question and answer takes. Its general client costs three times as
 * much for each of the thousands of calls that a bulk change is.
 */
export function openChannel(endpoint: ApiEndpoint): CoreChannel {
  let session: ClientHttp2Session | null = null;
  let isClosed = false;

  function connected(): ClientHttp2Session {
    if (session !== null && !session.closed && !session.destroyed) return session;
    const opened = connectHttp2('http://core', {
      createConnection: () =>
        endpoint.kind === 'unix' ? connectSocket(endpoint.path) : connectSocket(endpoint.port, '127.0.0.1'),
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
    });
    opened.once('connect', () => opened.setLocalWindowSize(WINDOW_BYTES));
    // Every call that is under way hears of it by itself.
    opened.on('error', () => undefined);
    const forget = (): void => {
      if (session === opened) session = null;
    };
    opened.once('goaway', forget);
    opened.once('close', forget);
    session = opened;
    return opened;
  }

  const callRaw: CoreChannel['callRaw'] = (method, request, timeoutMs) => {
    if (isClosed) return Promise.reject(new CoreApiError('gone', 'the channel is closed'));
    const message = framed(toBinary(method.input, create(method.input, request)));
    return ask(connected(), `/${method.parent.typeName}/${method.name}`, message, timeoutMs);
  };

  return {
    callRaw,
    call: async (method, request, timeoutMs) => fromBinary(method.output, await callRaw(method, request, timeoutMs)),
    close: () => {
      isClosed = true;
      session?.destroy();
    },
  };
}

/** One question and its answer. @throws {CoreApiError} */
function ask(session: ClientHttp2Session, path: string, message: Buffer, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${timeoutMs}m`,
    });
    const parts: Buffer[] = [];
    let status: number | null = null;
    let text = '';
    let cause: Error | undefined;
    const readStatus = (headers: Readonly<Record<string, unknown>>): void => {
      const { 'grpc-status': state, 'grpc-message': words } = headers;
      if (state === undefined) return;
      status = Number(state);
      text = typeof words === 'string' ? decodedText(words) : '';
    };
    // Not left to the core alone: one that hangs answers nothing.
    const deadline = setTimeout(() => {
      reject(new CoreApiError('timeout', `the core did not answer within ${timeoutMs} ms`));
      stream.close(constants.NGHTTP2_CANCEL);
    }, timeoutMs);
    // A refusal at once has its status in the first headers, everything else in the last.
    stream.on('response', readStatus);
    stream.on('trailers', readStatus);
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.once('error', (error: Error) => (cause = error));
    stream.once('close', () => {
      clearTimeout(deadline);
      if (status === 0) resolve(unframed(parts));
      else if (status !== null) reject(apiErrorOf(status, text));
      else reject(new CoreApiError('gone', cause?.message ?? 'the connection to the core ended', { cause }));
    });
    stream.end(message);
  });
}

/** Error texts travel percent-encoded; one that is not stays as it is. */
function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
