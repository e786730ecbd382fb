import type { ComponentType } from 'react';
import type { Security } from '#wire/protocol-catalogue';
import { RealityFields } from './reality.tsx';
import { TlsFields } from './tls.tsx';

/** The form of each security; `none` has no form. */
export const SECURITY_FIELDS: Readonly<Record<Security, ComponentType | null>> = {
  none: null,
  tls: TlsFields,
  reality: RealityFields,
};
