/** What the panel process prints on stdout, as one line of JSON, when it accepts requests. */
export interface ReadyLine {
  ready: true;
  /** Address of the panel with its base path. */
  panel: string;
  /** Address of the subscription server; empty while it is switched off. */
  sub: string;
  /** Of the panel process. */
  pid: number;
}

/** Null when a line of output is something else. */
export function parseReadyLine(text: string): ReadyLine | null {
  if (!text.startsWith('{')) return null;
  try {
    const value = JSON.parse(text) as Partial<ReadyLine> | null;
    return value?.ready === true ? (value as ReadyLine) : null;
  } catch {
    return null;
  }
}
