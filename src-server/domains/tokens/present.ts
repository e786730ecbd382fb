import type { ApiTokenView } from './contract.ts';

export function presentToken(row: { id: number; name: string; enabled: 0 | 1; createdAtMs: number }): ApiTokenView {
  return { id: row.id, name: row.name, enabled: row.enabled === 1, createdAt: row.createdAtMs };
}
