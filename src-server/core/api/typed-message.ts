import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { create, toBinary } from '@bufbuild/protobuf';
import type { TypedMessage } from './generated/common/serial/typed_message_pb.ts';
import { TypedMessageSchema } from './generated/common/serial/typed_message_pb.ts';

/** The core's envelope for a message: its bare full name (without `type.googleapis.com/`) and its bytes. */
export function typed<S extends DescMessage>(schema: S, value: MessageInitShape<S>): TypedMessage {
  return create(TypedMessageSchema, { type: schema.typeName, value: toBinary(schema, create(schema, value)) });
}
