const DAY_MS = 86_400_000;

/** What the form of many new clients holds. */
export interface ManyClients {
  prefix: string;
  /** Number of the first name. */
  first: number;
  count: number;
  /** Of each; 0 = unlimited. */
  quotaBytes: number;
  /** Days from now; null = never expires. */
  days: number | null;
  group: string;
  inboundIds: readonly string[];
}

/** Numbered clients as a bulk call takes them: `team-08`, `team-09`, `team-10`, which sort as they count. */
export function manyClients(form: ManyClients, nowMs: number) {
  const digits = String(form.first + form.count - 1).length;
  return Array.from({ length: form.count }, (_, at) => ({
    client: {
      email: `${form.prefix.trim()}${String(form.first + at).padStart(digits, '0')}`,
      totalGB: form.quotaBytes,
      expiryTime: form.days === null ? 0 : nowMs + form.days * DAY_MS,
      group: form.group.trim(),
      enable: true,
    },
    inboundIds: form.inboundIds.map(Number),
  }));
}
