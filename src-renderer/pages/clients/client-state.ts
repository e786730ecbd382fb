import type { SlimClientRow } from '#contract/clients';

export type ClientState = 'depleted' | 'deactive' | 'expiring' | 'active';

/** State of a row, from the same partition that the server counts. */
export function stateOf(
  row: SlimClientRow,
  { depleted, expiring }: { depleted: ReadonlySet<string>; expiring: ReadonlySet<string> },
): ClientState {
  if (depleted.has(row.email)) return 'depleted';
  if (!row.enable) return 'deactive';
  return expiring.has(row.email) ? 'expiring' : 'active';
}
