import { flag, int32, shape, text } from '../rules/field-rules.ts';
import type { Transport } from './transport.ts';

export const grpc: Transport = {
  name: 'grpc',
  aliases: [],
  blocks: ['grpcSettings'],
  winner: 'grpcSettings',
  carriesReality: true,
  rules: shape({
    serviceName: text,
    authority: text,
    multiMode: flag,
    idle_timeout: int32,
    health_check_timeout: int32,
    permit_without_stream: flag,
    initial_windows_size: int32,
    user_agent: text,
  }),
};
