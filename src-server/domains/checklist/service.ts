import type { Publish } from '../../contract/events.ts';
import { createLine } from '../../concurrency.ts';
import { isLoopbackAddress } from '../../core/config/cidr.ts';
import type { Settings } from '../settings/contract.ts';
import { CHECKS, type Check, type CheckName } from './contract.ts';

export interface ChecklistDeps {
  settings: { current(): Settings };
  /** Default ports of the panel. */
  defaults: Pick<Settings, 'webPort' | 'subPort'>;
  /** Names of dismissed checks, as a comma list. */
  dismissed: { read(): Promise<string>; write(names: string): Promise<void> };
  /** Counts certificates that visitors refuse, or will soon. */
  countCertificateWarnings(): Promise<number>;
  /** Ports that have to be reachable from outside: enabled inbounds of this machine. */
  openPorts(): Promise<number[]>;
  /** Version of the core that is released but not installed; empty = none. */
  newerCore(): Promise<string>;
  publish: Publish;
}

/** How the panel is used at the moment. */
interface Way {
  /** Over TLS, possibly through a reverse proxy. */
  isHttps: boolean;
  /** From this machine, not through a proxy on it. */
  isFromHere: boolean;
}

/** Most ports listed. */
const MAX_PORTS = 12;

/** Checks that make a new panel safe to run unattended, evaluated on each request. */
export function createChecklist(deps: ChecklistDeps) {
  const { settings, defaults, dismissed } = deps;
  const inLine = createLine();

  async function find({ isHttps, isFromHere }: Way): Promise<Record<CheckName, Pick<Check, 'isDone' | 'facts'>>> {
    const now = settings.current();
    const ports = await deps.openPorts();
    const isForHere = isLoopbackAddress(now.webListen);
    // Ports that only this machine reaches are neither scanned nor opened in a firewall.
    const own = [
      ...(isForHere ? [] : [now.webPort]),
      ...(now.subEnable && !isLoopbackAddress(now.subListen) ? [now.subPort] : []),
    ];
    const named = [...new Set([...own, ...ports])].sort((a, b) => a - b);
    const newer = await deps.newerCore();
    const isMoved = !own.includes(defaults.webPort) && !own.includes(defaults.subPort);
    return {
      https: {
        isDone: isHttps || (isForHere && isFromHere) || (now.webCertFile !== '' && now.webKeyFile !== ''),
        facts: {},
      },
      twoFactor: { isDone: now.twoFactorEnable, facts: {} },
      publicAddress: { isDone: now.subDomain !== '' || now.webDomain !== '', facts: {} },
      // No program can see every packet filter in front of a machine, so the operator confirms it.
      firewall: {
        isDone: named.length === 0,
        facts: { ports: named.slice(0, MAX_PORTS).join(', ') + (named.length > MAX_PORTS ? ', …' : '') },
      },
      backups: { isDone: now.tgBotEnable && now.tgBotBackup, facts: {} },
      certificates: { isDone: (await deps.countCertificateWarnings()) === 0, facts: {} },
      core: { isDone: newer === '', facts: newer === '' ? {} : { version: newer } },
      ports: { isDone: isMoved, facts: { ports: own.join(', ') } },
    };
  }

  const namesOf = (text: string): Set<string> => new Set(text.split(',').filter((name) => name !== ''));

  return {
    async list(way: Way): Promise<Check[]> {
      const found = await find(way);
      const away = namesOf(await dismissed.read());
      return CHECKS.map((name) => ({ name, ...found[name], isDismissed: away.has(name) }));
    },
    dismiss: (name: CheckName, isDismissed: boolean): Promise<void> =>
      inLine(async () => {
        const away = namesOf(await dismissed.read());
        if (isDismissed) away.add(name);
        else away.delete(name);
        await dismissed.write([...away].join(','));
        deps.publish({ type: 'invalidate', resource: 'settings' });
      }),
  };
}
export type Checklist = ReturnType<typeof createChecklist>;
