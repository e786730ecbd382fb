import type { ComponentType } from 'react';
import type { Security } from '#wire/protocol-catalogue';
import { RealityFields } from './reality.tsx';
import { TlsFields } from './tls.tsx';

/** The fields of each security; none for none. */
export const SECURITY_FIELDS: Readonly<Record<Security, ComponentType | null>> = {
  none: null,
  tls: TlsFields,
  reality: RealityFields,
};
