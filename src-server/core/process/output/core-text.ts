/**
 * The part of the core's message that helps an operator: without the leading `Failed to start`, without the steps that
 * only name our own temp file, and for a panic its first line alone.
 */
export function reasonOf(output: string): string {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '');
  const panic = lines.find((line) => line.startsWith('panic:') || line.startsWith('fatal error:'));
  const failed = lines.findLast((line) => line.includes('Failed to start: '));
  return withoutPaths(failed ?? panic ?? lines.at(-1) ?? '');
}

/** The core's warnings while it reads a config, each once: without time and place in its source. */
export function warningsOf(output: string): string[] {
  const found = output.matchAll(/\[Warning\] (?:[\w/]+: )?(.+)/g);
  return [...new Set([...found].map(([, text = '']) => text.trim()))];
}

function withoutPaths(line: string): string {
  return line
    .replace(/^.*?Failed to start: /, '')
    .replace(/^main: failed to load config files: \[[^\]]*\] > /, '')
    .replace(/^main: failed to create server > /, '')
    .replace(/^failed to load config: \[[^\]]*\] > /, '')
    .replace(/^infra\/conf\/serial: failed to (?:decode|read) config: \S+ > /, '')
    .trim();
}

/** The inbound or outbound that the core names as the reason; null when its text names none. */
export function culpritOf(reason: string): { kind: 'inbound' | 'outbound'; tag: string } | null {
  const match = /failed to build (inbound|outbound) config with tag (.*?)(?: > |$)/.exec(reason);
  return match ? { kind: match[1] === 'inbound' ? 'inbound' : 'outbound', tag: match[2] ?? '' } : null;
}

/** A place where the core could not listen. */
export type Listener =
  | { listen: string }
  /** `network` and `host` are empty where the core does not name them. */
  | { port: number; network: string; host: string };

/**
 * Where the core could not listen: another program is there, the address or the folder does not exist on this machine,
 * or the permission is missing. Null when the core ended for another reason.
 */
export function listenerOf(reason: string): Listener | null {
  const socket = /failed to listen Unix Domain Socket on (.+?) > /.exec(reason)?.[1];
  if (socket !== undefined) return { listen: socket };
  const named = /failed to listen TCP on (\d+)/.exec(reason)?.[1];
  const [, network = '', host = '', port = named] = /listen (tcp|udp)\d? (\S*):(\d+): /.exec(reason) ?? [];
  return port === undefined ? null : { port: Number(port), network, host };
}
