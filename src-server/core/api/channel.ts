import { connect as connectHttp2, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import type { DescMethodUnary, DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { CoreApiError, apiErrorOf } from './api-error.ts';
import type { ApiEndpoint } from './endpoint.ts';
import { framed, unframed } from './grpc-frame.ts';

/** Bytes in flight before the core waits for us: its counters take many megabytes. */
const WINDOW_BYTES = 1024 * 1024;
/** The core takes no longer message, and breaks off a call that sends one, which may then never end here. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** One connection to the API of one core process. Never reused for another process: see {@link openChannel}. */
export interface CoreChannel {
  /** @throws {CoreApiError} */
  call: <I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    timeoutMs: number,
  ) => Promise<MessageShape<O>>;
  /** Like {@link call} but returns the encoded response, for responses too large to decode in one go. */
  callRaw: <I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    timeoutMs: number,
  ) => Promise<Buffer>;
  close(): void;
}

/**
 * Opens the channel of one process. It connects with the first call, and again with the first call after the connection
 * broke; close it when the process ends.
 *
 * The core speaks gRPC. Unary calls are little more than HTTP/2, which Node provides; Node also respects the number of
 * parallel calls that the core allows.
 */
export function openChannel(endpoint: ApiEndpoint): CoreChannel {
  let session: ClientHttp2Session | null = null;
  let isClosed = false;

  function connected(): ClientHttp2Session {
    if (session?.closed === false && !session.destroyed) return session;
    const socket = endpoint.kind === 'unix' ? connect(endpoint.path) : connect(endpoint.port, '127.0.0.1');
    // Small requests one after another: none waits for the next to fill its packet.
    socket.setNoDelay(true);
    const opened = connectHttp2('http://localhost', {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
    });
    opened.once('connect', () => opened.setLocalWindowSize(WINDOW_BYTES));
    // Every open call fails by itself.
    opened.on('error', () => undefined);
    session = opened;
    return opened;
  }

  const callRaw: CoreChannel['callRaw'] = async (method, request, timeoutMs) => {
    if (isClosed) throw new CoreApiError('gone', 'the channel is closed');
    const message = toBinary(method.input, create(method.input, request));
    if (message.length > MAX_MESSAGE_BYTES)
      throw new CoreApiError('tooLarge', `a message of ${message.length} bytes is larger than the core takes`);
    return exchange(connected(), `/${method.parent.typeName}/${method.name}`, framed(message), timeoutMs);
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

/** One call. @throws {CoreApiError} */
function exchange(session: ClientHttp2Session, path: string, message: Buffer, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${timeoutMs}m`,
    });
    const parts: Buffer[] = [];
    let state: IncomingHttpHeaders = {};
    let failure = new CoreApiError('gone', 'the core gave no answer');
    // Not left to the core alone: one that hangs never answers.
    const deadline = setTimeout(() => {
      stream.close(constants.NGHTTP2_CANCEL);
      // A stream that the core closed while the request was being written may never close here.
      reject(new CoreApiError('timeout', `the core did not answer within ${timeoutMs} ms`));
    }, timeoutMs);
    const takeState = (headers: IncomingHttpHeaders): void => {
      if (headers['grpc-status'] !== undefined) state = headers;
    };
    stream.on('response', takeState);
    stream.on('trailers', takeState);
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('error', (cause) => {
      failure = new CoreApiError('gone', cause.message, { cause });
    });
    stream.once('close', () => {
      clearTimeout(deadline);
      const status = state['grpc-status'];
      if (status === undefined) reject(failure);
      else if (status === '0') resolve(unframed(parts));
      else reject(apiErrorOf(Number(status), decodedText(String(state['grpc-message'] ?? ''))));
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
