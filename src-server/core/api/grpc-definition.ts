import type { DescMessage, DescService, Message, MessageInitShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { ServiceDefinition } from '@grpc/grpc-js';
import type { TypedMessage } from './generated/common/serial/typed_message_pb.js';
import { TypedMessageSchema } from './generated/common/serial/typed_message_pb.js';

/** A protobuf-es service as grpc-js wants it; used by the in-process servers of tests. */
export function toGrpcDefinition(service: DescService): ServiceDefinition {
  return Object.fromEntries(
    service.methods.map((method) => [
      method.localName,
      {
        path: `/${service.typeName}/${method.name}`,
        requestStream: false,
        responseStream: method.methodKind === 'server_streaming',
        requestSerialize: (value: Message) => Buffer.from(toBinary(method.input, value)),
        requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
        responseSerialize: (value: Message) => Buffer.from(toBinary(method.output, value)),
        responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
      },
    ]),
  );
}

/** The core's envelope for a message: its bare full name (without `type.googleapis.com/`) and its bytes. */
export function typed<S extends DescMessage>(schema: S, value: MessageInitShape<S>): TypedMessage {
  return create(TypedMessageSchema, { type: schema.typeName, value: toBinary(schema, create(schema, value)) });
}
