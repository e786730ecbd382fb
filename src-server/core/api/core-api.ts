import { CoreApiError, isApiError } from './api-error.ts';
import {
  AddUserOperationSchema,
  HandlerService,
  RemoveUserOperationSchema,
} from './generated/app/proxyman/command/command_pb.ts';
import { RoutingService } from './generated/app/router/command/command_pb.ts';
import { StatsService } from './generated/app/stats/command/command_pb.ts';
import type { TypedMessage } from './generated/common/serial/typed_message_pb.ts';
import type { InboundHandlerConfig, OutboundHandlerConfig } from './generated/core/config_pb.ts';
import type { CoreChannel } from './channel.ts';
import { Network } from './generated/common/net/network_pb.ts';
import { typed } from './typed-message.ts';

const HANDLER_MS = 10_000;
const REMOVE_USER_MS = 5_000;
const ROUTING_MS = 30_000;
const STATS_MS = 10_000;

/** A connection asked about by {@link CoreApi.testRoute}. */
export interface RouteQuery {
  inboundTag: string;
  network: 'tcp' | 'udp';
  /** Either a domain or an address of 4 or 16 bytes. */
  domain: string;
  ip: Uint8Array | null;
  port: number;
  protocol: string;
  user: string;
}

export interface RouteResult {
  outboundTag: string;
  /** The balancers that were consulted on the way. */
  groupTags: string[];
}

export interface BalancerInfo {
  /** Empty = not overridden. */
  override: string;
  selected: string[];
}

/** Talks to the process behind `channel`. */
export function createCoreApi({ call, callRaw }: CoreChannel) {
  const handler = HandlerService.method;
  const stats = StatsService.method;
  const routing = RoutingService.method;

  const alter = async (tag: string, operation: TypedMessage, timeoutMs: number): Promise<void> => {
    await call(handler.alterInbound, { tag, operation }, timeoutMs);
  };

  return {
    /** Age of the process in whole seconds. */
    uptimeSec: async (timeoutMs: number = STATS_MS): Promise<number> =>
      (await call(stats.getSysStats, {}, timeoutMs)).Uptime,
    /** Encoded QueryStatsResponse with all counters, not reset. */
    rawCounters: (): Promise<Buffer> => callRaw(stats.queryStats, { pattern: '', reset: false }, STATS_MS),
    /** Encoded GetUsersStatsResponse: users with open connections. */
    rawUsersStats: (): Promise<Buffer> =>
      callRaw(stats.getUsersStats, { includeTraffic: false, reset: false }, STATS_MS),
    /** Whether a user, in exactly this spelling, has an open connection that the core can show. */
    hasConnections: async (email: string): Promise<boolean> => {
      try {
        const name = `user>>>${requireText(email, 'email')}>>>online`;
        const { ips } = await call(stats.getStatsOnlineIpList, { name, reset: false }, STATS_MS);
        return Object.keys(ips).length > 0;
      } catch (error) {
        if (isApiError(error, 'notFound')) return false;
        throw error;
      }
    },

    addInbound: async (inbound: InboundHandlerConfig): Promise<void> => {
      await call(handler.addInbound, { inbound: requireMessage(inbound, 'inbound') }, HANDLER_MS);
    },
    /** An unknown tag is fine. */
    removeInbound: async (tag: string): Promise<void> => {
      await call(handler.removeInbound, { tag: requireText(tag, 'tag') }, HANDLER_MS).catch(
        ignore('noMatch', 'notFound'),
      );
    },
    addOutbound: async (outbound: OutboundHandlerConfig): Promise<void> => {
      await call(handler.addOutbound, { outbound: requireMessage(outbound, 'outbound') }, HANDLER_MS);
    },
    /** An unknown tag is fine. */
    removeOutbound: async (tag: string): Promise<void> => {
      await call(handler.removeOutbound, { tag: requireText(tag, 'tag') }, HANDLER_MS).catch(
        ignore('noMatch', 'notFound'),
      );
    },

    /** @param account made by `accountOf` for exactly the inbound that runs under `tag` */
    addUser: async (tag: string, email: string, account: TypedMessage): Promise<void> => {
      const user = { level: 0, email: requireText(email, 'email'), account: requireMessage(account, 'account') };
      await alter(requireText(tag, 'tag'), typed(AddUserOperationSchema, { user }), HANDLER_MS);
    },
    /** False when the inbound has no such user (hysteria and wireguard always return true). */
    removeUser: async (tag: string, email: string): Promise<boolean> => {
      try {
        await alter(
          requireText(tag, 'tag'),
          typed(RemoveUserOperationSchema, { email: requireText(email, 'email') }),
          REMOVE_USER_MS,
        );
        return true;
      } catch (error) {
        if (isApiError(error, 'notFound')) return false;
        throw error;
      }
    },
    /** Whether the inbound lists the user in exactly this spelling. */
    hasUser: async (tag: string, email: string): Promise<boolean> => {
      const { users } = await call(handler.getInboundUsers, { tag, email: requireText(email, 'email') }, HANDLER_MS);
      // For an unknown e-mail the core returns one empty user.
      return users.some((user) => user.email === email);
    },

    /** Replaces all rules and balancers. Not atomic: after any error the core has no rules at all. */
    replaceRouting: async (router: TypedMessage): Promise<void> => {
      await call(routing.addRule, { config: requireMessage(router, 'config'), shouldAppend: false }, ROUTING_MS);
    },
    /** Adds the rules after the existing ones. */
    appendRules: async (router: TypedMessage): Promise<void> => {
      await call(routing.addRule, { config: requireMessage(router, 'config'), shouldAppend: true }, ROUTING_MS);
    },
    /** An unknown tag is fine. */
    removeRule: async (ruleTag: string): Promise<void> => {
      await call(routing.removeRule, { ruleTag: requireText(ruleTag, 'rule tag') }, ROUTING_MS).catch(
        ignore('noMatch', 'notFound'),
      );
    },
    /** Tags of the rules that have one. */
    ruleTags: async (): Promise<string[]> => {
      const { rules } = await call(routing.listRule, {}, STATS_MS);
      return rules.map(({ ruleTag }) => ruleTag).filter((tag) => tag !== '');
    },
    /** The outbound that would be chosen; null when no rule matches (the default outbound). */
    testRoute: async (query: RouteQuery): Promise<RouteResult | null> => {
      try {
        const response = await call(
          routing.testRoute,
          {
            PublishResult: false,
            RoutingContext: {
              InboundTag: query.inboundTag,
              Network: query.network === 'tcp' ? Network.TCP : Network.UDP,
              TargetDomain: query.domain,
              TargetIPs: query.ip === null ? [] : [query.ip],
              TargetPort: query.port,
              Protocol: query.protocol,
              User: query.user,
            },
          },
          STATS_MS,
        );
        return { outboundTag: response.OutboundTag, groupTags: response.OutboundGroupTags };
      } catch (error) {
        if (isApiError(error, 'noMatch')) return null;
        throw error;
      }
    },
    balancer: async (tag: string): Promise<BalancerInfo> => {
      const { balancer } = await call(routing.getBalancerInfo, { tag }, STATS_MS);
      return {
        override: balancer?.override?.target ?? '',
        selected: (balancer?.principleTarget?.tag ?? []).filter((name) => name !== ''),
      };
    },
    /** Empty target: no override. */
    overrideBalancer: async (tag: string, target: string): Promise<void> => {
      await call(routing.overrideBalancerTarget, { balancerTag: requireText(tag, 'tag'), target }, STATS_MS);
    },
  };
}
/**
 * Every call this panel makes to a running core. A request that lacks a message field can kill the core, so requests
 * are made only here and their parts are required. All methods throw {@link CoreApiError}.
 */
export type CoreApi = ReturnType<typeof createCoreApi>;

function requireText(value: string, what: string): string {
  // The core accepts an empty e-mail, which can then never be removed.
  if (value === '') throw new CoreApiError('refused', `empty ${what}`);
  return value;
}

function requireMessage<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new CoreApiError('refused', `no ${what}`);
  return value;
}

function ignore(...codes: Parameters<typeof isApiError>[1][]): (error: unknown) => void {
  return (error) => {
    if (!isApiError(error, ...codes)) throw error;
  };
}
