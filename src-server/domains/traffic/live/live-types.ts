/** Rows for live messages, as read from the store. */
export interface LiveClientRow {
  clientId: number;
  /** Lowest inbound the client is attached to; null = none. */
  inboundId: number | null;
  email: string;
  enable: number;
  upBytes: number;
  downBytes: number;
  quotaBytes: number;
  expiresAtMs: number;
  resetDays: number;
  resetDay: number;
  lastOnlineAtMs: number;
}

export interface LiveInboundRow {
  id: number;
  upBytes: number;
  downBytes: number;
  quotaBytes: number;
  enable: number;
}

export interface LiveOutboundRow {
  tag: string;
  upBytes: number;
  downBytes: number;
}
