import type { DescMethodUnary, DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, credentials } from '@grpc/grpc-js';
import { classifyApiError } from './api-error.ts';
import type { ApiEndpoint } from './endpoint.ts';
import { grpcTarget } from './endpoint.ts';

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

const CHANNEL_OPTIONS = {
  // grpc-js would send even loopback calls through a proxy named in the environment.
  'grpc.enable_http_proxy': 0,
  // 100,000 counters exceed the default of 4 MiB.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2000,
  // Channels of the same address share connections by default, back-off of a dead process included.
  'grpc.use_local_subchannel_pool': 1,
} as const;

/** Opens the channel of one process. It connects with the first call; close it when the process ends. */
export function openChannel(endpoint: ApiEndpoint): CoreChannel {
  const client = new Client(grpcTarget(endpoint), credentials.createInsecure(), CHANNEL_OPTIONS);

  const callRaw: CoreChannel['callRaw'] = (method, request, timeoutMs) =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest<Uint8Array, Buffer>(
        `/${method.parent.typeName}/${method.name}`,
        (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        (bytes) => bytes,
        toBinary(method.input, create(method.input, request)),
        // grpc-js has no default deadline.
        { deadline: Date.now() + timeoutMs },
        (error, answer) => {
          if (error) reject(classifyApiError(error));
          else resolve(answer ?? Buffer.alloc(0));
        },
      );
    });

  return {
    callRaw,
    call: async (method, request, timeoutMs) => fromBinary(method.output, await callRaw(method, request, timeoutMs)),
    close: () => client.close(),
  };
}
