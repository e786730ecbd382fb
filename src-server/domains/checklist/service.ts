import type { Publish } from '../../contract/events.ts';
import { createLine } from '../../concurrency.ts';
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

/** Most ports listed. */
const MOST_PORTS = 12;

/** Checks that make a new panel safe to run unattended, evaluated on each request. */
export function createChecklist(deps: ChecklistDeps) {
  const { settings, defaults, dismissed } = deps;
  const inLine = createLine();

  /** @param isHttps whether the request came over TLS, possibly through a reverse proxy */
  async function find(isHttps: boolean): Promise<Record<CheckName, Pick<Check, 'isDone' | 'facts'>>> {
    const now = settings.current();
    const ports = await deps.openPorts();
    const own = [now.webPort, ...(now.subEnable ? [now.subPort] : [])];
    const named = [...new Set([...own, ...ports])].sort((a, b) => a - b);
    const newer = await deps.newerCore();
    const isMoved = now.webPort !== defaults.webPort && (!now.subEnable || now.subPort !== defaults.subPort);
    return {
      https: { isDone: isHttps || (now.webCertFile !== '' && now.webKeyFile !== ''), facts: {} },
      twoFactor: { isDone: now.twoFactorEnable, facts: {} },
      publicAddress: { isDone: now.subDomain !== '' || now.webDomain !== '', facts: {} },
      // No program can see every packet filter in front of a machine, so the operator confirms it.
      firewall: {
        isDone: false,
        facts: { ports: named.slice(0, MOST_PORTS).join(', ') + (named.length > MOST_PORTS ? ', …' : '') },
      },
      backups: { isDone: now.tgBotEnable && now.tgBotBackup, facts: {} },
      certificates: { isDone: (await deps.countCertificateWarnings()) === 0, facts: {} },
      core: { isDone: newer === '', facts: newer === '' ? {} : { version: newer } },
      ports: { isDone: isMoved, facts: { ports: own.join(', ') } },
    };
  }

  const namesOf = (text: string): Set<string> => new Set(text.split(',').filter((name) => name !== ''));

  return {
    async list(isHttps: boolean): Promise<Check[]> {
      const found = await find(isHttps);
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
