import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DomainError } from '../../contract/domain-error.ts';
import { isApiError } from '../../core/api/api-error.ts';
import type { CoreApi } from '../../core/api/core-api.ts';
import { listOf, objectOf, textListOf, textOf } from '../../core/config/json-access.ts';
import type { BalancerStatus, RouteResult } from './contract.ts';
import type { TemplateStore } from './template-store.ts';

export interface RoutingToolsDeps {
  core: {
    api(): Pick<CoreApi, 'balancer' | 'testRoute'> | null;
    overrideBalancer(tag: string, target: string): Promise<boolean>;
    clearedOverride(tag: string): string;
    runningOutbounds(): string[] | null;
  };
  templates: Pick<TemplateStore, 'read'>;
}

export interface RouteQuery {
  domain: string;
  ip: string;
  port: number;
  network: 'tcp' | 'udp';
  inboundTag: string;
  protocol: string;
  email: string;
}

/** Routing decisions of the running core, and the operator's overrides. Unsaved edits do not count. */
export function createRoutingTools({ core, templates }: RoutingToolsDeps) {
  async function statusOf(tag: string): Promise<BalancerStatus> {
    const cleared = core.clearedOverride(tag);
    const known = { tag, ...(cleared === '' ? {} : { clearedOverride: cleared }) };
    const silent = { ...known, running: false, override: '', selected: [] };
    const api = core.api();
    if (api === null) return silent;
    try {
      return { ...known, running: true, ...(await api.balancer(tag)) };
    } catch (error) {
      if (isApiError(error, 'gone', 'notFound', 'noMatch', 'refused', 'unimplemented')) return silent;
      throw error;
    }
  }

  /** Another balancer as the target, reached through the loopback outbound of its rule. */
  async function outboundFor(target: string): Promise<string> {
    const routing = objectOf((await templates.read())['routing']);
    for (const rule of listOf(routing['rules']).map(objectOf)) {
      const first = [rule['inboundTag']].flat()[0];
      if (textOf(rule['balancerTag']) === target && textOf(first).startsWith('_bl_')) return textOf(first);
    }
    return target;
  }

  /** The balancer that an outbound leads into; null when it leaves the core. */
  async function balancerBehind(outbound: string): Promise<string | null> {
    const { outbounds, routing } = await templates.read();
    const loopback = listOf(outbounds)
      .map(objectOf)
      .find(({ tag, protocol }) => tag === outbound && protocol === 'loopback');
    if (loopback === undefined) return null;
    const inboundTag = textOf(objectOf(loopback['settings'])['inboundTag']);
    const rules = listOf(objectOf(routing)['rules']).map(objectOf);
    const rule = rules.find((one) => textListOf(one['inboundTag']).includes(inboundTag));
    return rule === undefined ? null : textOf(rule['balancerTag']) || null;
  }

  /** Whether traffic of this outbound comes back to the balancer. The core would send it in circles without end. */
  async function comesBack(outbound: string, tag: string): Promise<boolean> {
    const seen = new Set<string>();
    for (let at = outbound; at !== '' && !seen.has(at);) {
      seen.add(at);
      const balancer = await balancerBehind(at);
      if (balancer === tag) return true;
      at = balancer === null ? '' : (await statusOf(balancer)).override;
    }
    return false;
  }

  return {
    /** Blank tags are skipped; an unknown one is reported as not running. */
    async balancers(tags: readonly string[]): Promise<Record<string, BalancerStatus>> {
      const wanted = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
      return Object.fromEntries(await Promise.all(wanted.map(async (tag) => [tag, await statusOf(tag)] as const)));
    },

    /**
     * @throws {DomainError} `coreSettings.tagRequired`, `core.notRunning`, `coreSettings.unknownBalancer`,
     *   `.unknownTarget`, `.overrideLoops`
     */
    async override(tag: string, target: string): Promise<''> {
      if (tag === '') throw new DomainError('coreSettings.tagRequired');
      const running = core.runningOutbounds();
      if (running === null) throw new DomainError('core.notRunning');
      if (!(await statusOf(tag)).running) throw new DomainError('coreSettings.unknownBalancer', { tag });
      const outbound = target === '' ? '' : await outboundFor(target);
      if (outbound !== '' && !running.includes(outbound))
        throw new DomainError('coreSettings.unknownTarget', { target: outbound });
      if (await comesBack(outbound, tag)) throw new DomainError('coreSettings.overrideLoops', { tag, target });
      if (!(await core.overrideBalancer(tag, outbound))) throw new DomainError('core.notRunning');
      return '';
    },

    /**
     * @throws {DomainError} `coreSettings.destinationRequired`, `.invalidIp`, `.invalidPort`, `.noChoice`, `core.notRunning`
     */
    async route(query: RouteQuery): Promise<RouteResult> {
      const { domain, ip, port, network, inboundTag, protocol, email } = query;
      if (domain === '' && ip === '') throw new DomainError('coreSettings.destinationRequired');
      if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new DomainError('coreSettings.invalidPort');
      if (ip !== '' && (isIP(ip) === 0 || ip.includes('%'))) throw new DomainError('coreSettings.invalidIp', { ip });
      const api = core.api();
      if (api === null) throw new DomainError('core.notRunning');
      const destination = { domain, ip: ip === '' ? null : Uint8Array.from(ipaddr.parse(ip).toByteArray()), port };
      const found = await api
        .testRoute({ ...destination, network, inboundTag, protocol, user: email })
        .catch((error: unknown) => {
          if (isApiError(error, 'gone')) throw new DomainError('core.notRunning');
          // For instance a balancer whose selectors match no outbound.
          if (isApiError(error, 'refused', 'timeout'))
            throw new DomainError('coreSettings.noChoice', { text: error.message });
          throw error;
        });
      if (found === null) return { matched: false, outboundTag: '' };
      const { outboundTag, groupTags } = found;
      return { matched: true, outboundTag, ...(groupTags.length === 0 ? {} : { groupTags }) };
    },
  };
}
