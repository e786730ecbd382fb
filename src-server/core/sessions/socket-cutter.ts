import { createServer, connect, isIP, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import type { CommandResult } from '../binary/run-command.ts';

/** Runs a program to its end; see `runCommand`. */
export type RunTool = (program: string, args: readonly string[]) => Promise<CommandResult>;

/** Connections to one local port that are to be ended. */
export interface CutTarget {
  port: number;
  /** Address of the other end; IPv6 without brackets. */
  addresses: readonly string[];
}

export interface Ability {
  canCut: boolean;
  /** Why it cannot, for the operator; empty when it can. */
  reason: string;
}

/** Addresses per call: a filter of this length is well inside what the kernel takes. */
const ADDRESSES_PER_CALL = 200;
/** States in which data can still flow, even one way: a client that only downloads may have closed its side. */
const STATES = ['established', 'close-wait', 'fin-wait-1', 'fin-wait-2'].flatMap((name) => ['state', name]);
const PROBE_MS = 2_000;

/**
 * Uses `ss --kill`, which asks the kernel to destroy sockets (Linux with CONFIG_INET_DIAG_DESTROY, as root or with
 * CAP_NET_ADMIN). The kernel resets both ends at once.
 */
export function createSocketCutter(run: RunTool, platform: NodeJS.Platform = process.platform) {
  let known: Promise<Ability> | null = null;

  async function kill(port: number, addresses: readonly string[]): Promise<string[]> {
    const peers = addresses.map((address) => `dst = ${isIP(address) === 6 ? `[${address}]` : address}`).join(' or ');
    const { stdout } = await run('ss', ['-K', '-H', '-n', '-t', ...STATES, `( sport = :${port} ) and ( ${peers} )`]);
    return stdout.split('\n').flatMap((line) => peerOf(line) ?? []);
  }

  async function probe(): Promise<Ability> {
    if (platform !== 'linux') return no('ending single connections is only possible on Linux');
    const pair = await openPair();
    try {
      await kill(pair.port, ['127.0.0.1']);
      if (await pair.isCut(PROBE_MS)) return { canCut: true, reason: '' };
      return no('the kernel does not let this panel end connections (it needs root or CAP_NET_ADMIN)');
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      return no(isMissing ? 'the program "ss" (package iproute2) is not installed' : String(error));
    } finally {
      pair.close();
    }
  }

  const ability = (): Promise<Ability> => (known ??= probe());
  return {
    /** Whether that works here: found out once, with a pair of our own sockets. */
    ability,
    /**
     * Ends the established connections between the ports and the addresses, and no others. Does nothing where {@link
     * ability} says that it cannot.
     * @returns for every port and address with ended connections, how many
     */
    async cut(targets: readonly CutTarget[]): Promise<{ port: number; address: string; count: number }[]> {
      if (!(await ability()).canCut) return [];
      const ended: { port: number; address: string; count: number }[] = [];
      for (const { port, addresses } of targets) {
        const valid = [...new Set(addresses)].filter((address) => isIP(address) !== 0 && !address.includes('%'));
        for (let at = 0; at < valid.length; at += ADDRESSES_PER_CALL) {
          const counts = new Map<string, number>();
          const chunk = valid.slice(at, at + ADDRESSES_PER_CALL);
          for (const peer of await kill(port, chunk)) counts.set(peer, (counts.get(peer) ?? 0) + 1);
          for (const address of chunk) {
            const count = counts.get(plainAddress(address)) ?? 0;
            if (count > 0) ended.push({ port, address, count });
          }
        }
      }
      return ended;
    },
  };
}
/** Ends TCP connections of this machine from outside the process that holds them. */
export type SocketCutter = ReturnType<typeof createSocketCutter>;

function no(reason: string): Ability {
  return { canCut: false, reason };
}

/** `ESTAB 0 0 [::ffff:127.0.0.1]:443 [::ffff:192.0.2.7]:35775`: the address in the last column. */
function peerOf(line: string): string | null {
  const peer = line.trim().split(/\s+/).at(4);
  const match = peer === undefined ? null : /^\[?([^\]%]+?)(?:%[^\]]*)?\]?:\d+$/.exec(peer);
  return match === null ? null : plainAddress(match[1]!);
}

/** One spelling per address; a dual-stack socket names 192.0.2.1 as ::ffff:192.0.2.1. */
function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** A connection of our own on loopback to try it on. */
async function openPair() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1');
  const ends: Socket[] = [client];
  const cut = new Promise<boolean>((resolve) => {
    client.on('error', () => resolve(true));
    client.on('close', () => resolve(true));
  });
  const [socket] = await accepted;
  ends.push(socket.on('error', () => undefined));
  return {
    port,
    isCut(withinMs: number): Promise<boolean> {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(resolve, withinMs, false);
      });
      return Promise.race([cut, late]).finally(() => clearTimeout(timer));
    },
    close(): void {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}
