import type { DriftKind } from './contract.ts';

/** Groups keys by kind. */
export function setOf(rows: readonly { kind: DriftKind; key: string }[]): Record<DriftKind, ReadonlySet<string>> {
  const keys = (wanted: DriftKind): ReadonlySet<string> =>
    new Set(rows.filter(({ kind }) => kind === wanted).map(({ key }) => key));
  return { inbound: keys('inbound'), client: keys('client') };
}
