import type { ComponentType } from 'react';
import type { Transport } from '#wire/protocol-catalogue';
import { GrpcFields } from './grpc.tsx';
import { HttpUpgradeFields } from './httpupgrade.tsx';
import { HysteriaFields } from './hysteria.tsx';
import { KcpFields } from './kcp.tsx';
import { TcpFields } from './tcp.tsx';
import { WsFields } from './ws.tsx';
import { XhttpFields } from './xhttp.tsx';

/** The form of each transport. */
export const TRANSPORT_FIELDS: Readonly<Record<Transport, ComponentType>> = {
  tcp: TcpFields,
  ws: WsFields,
  grpc: GrpcFields,
  httpupgrade: HttpUpgradeFields,
  xhttp: XhttpFields,
  kcp: KcpFields,
  hysteria: HysteriaFields,
};
