import { connect } from 'node:net';
import type { DescMethodUnary, DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { CoreApiError, apiErrorOf } from './api-error.ts';
import type { ApiEndpoint } from './endpoint.ts';
import { framed, unframed } from './grpc-frame.ts';
import { openHttp2, type Http2Connection } from './http2-connection.ts';

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

/**
 * Opens the channel of one process. It connects with the first call, and again with the first one after its connection
 * broke; close it when the process ends.
 *
 * The core speaks gRPC, of which this is what a single question and answer takes. Its general client costs three times as
 * much for each of the thousands of calls that a bulk change is.
 */
export function openChannel(endpoint: ApiEndpoint): CoreChannel {
  let connection: Http2Connection | null = null;
  let isClosed = false;

  function connected(): Http2Connection {
    if (connection?.isUsable() === true) return connection;
    const socket = endpoint.kind === 'unix' ? connect(endpoint.path) : connect(endpoint.port, '127.0.0.1');
    // Small questions one after another: none waits for the next to fill its packet.
    socket.setNoDelay(true);
    connection = openHttp2(socket);
    return connection;
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
      connection?.close();
    },
  };
}

/** One question and its answer. @throws {CoreApiError} */
function ask(connection: Http2Connection, path: string, message: Buffer, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Not left to the core alone: one that hangs answers nothing.
    const deadline = setTimeout(() => {
      giveUp();
      reject(new CoreApiError('timeout', `the core did not answer within ${timeoutMs} ms`));
    }, timeoutMs);
    const giveUp = connection.ask(path, message, timeoutMs, (outcome) => {
      clearTimeout(deadline);
      if (outcome.kind === 'lost') reject(new CoreApiError('gone', outcome.cause.message, { cause: outcome.cause }));
      else if (outcome.status === 0) resolve(unframed(outcome.parts));
      else reject(apiErrorOf(outcome.status, decodedText(outcome.text)));
    });
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
