import { CoreApiError, isApiError } from './api-error.ts';
import { LoggerService } from './generated/app/log/command/config_pb.ts';
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
export interface RouteQuestion {
  inboundTag: string;
  network: 'tcp' | 'udp';
  /** Either a domain or an address of 4 or 16 bytes. */
  domain: string;
  ip: Uint8Array | null;
  port: number;
  protocol: string;
  user: string;
}

export interface RouteAnswer {
  outboundTag: string;
  /** The balancers that were asked on the way. */
  groupTags: string[];
}

export interface BalancerInfo {
  /** Empty: not overridden. */
  override: string;
  selected: string[];
}

/**
 * Every call this panel makes to a running core. A request that lacks a message field can kill the core, so requests are
 * made here only and their parts are required. All methods throw {@link CoreApiError}.
 */
export interface CoreApi {
  /** Age of the process in whole seconds. */
  uptimeSec(timeoutMs?: number): Promise<number>;
  /** Encoded QueryStatsResponse with all counters, not reset. */
  rawCounters(): Promise<Buffer>;
  /** Encoded GetUsersStatsResponse: users with open connections. */
  rawUsersStats(): Promise<Buffer>;
  /** Whether a user, spelled exactly so, has an open connection that the core can show. */
  hasConnections(email: string): Promise<boolean>;
  addInbound(inbound: InboundHandlerConfig): Promise<void>;
  /** An unknown tag is fine. */
  removeInbound(tag: string): Promise<void>;
  addOutbound(outbound: OutboundHandlerConfig): Promise<void>;
  /** An unknown tag is fine. */
  removeOutbound(tag: string): Promise<void>;
  /** @param account made by `accountOf` for the very inbound that runs under `tag` */
  addUser(tag: string, email: string, account: TypedMessage): Promise<void>;
  /** False when the inbound has no such user (hysteria and wireguard always say true). */
  removeUser(tag: string, email: string): Promise<boolean>;
  /** Whether the inbound lists the user, spelled exactly so. */
  hasUser(tag: string, email: string): Promise<boolean>;
  /** Replaces all rules and balancers. Not atomic: after any error the core has no rules at all. */
  replaceRouting(router: TypedMessage): Promise<void>;
  /** Adds the rules behind the others, which stay. */
  appendRules(router: TypedMessage): Promise<void>;
  /** An unknown tag is fine. */
  removeRule(ruleTag: string): Promise<void>;
  /** Tags of the rules that have one. */
  ruleTags(): Promise<string[]>;
  /** The outbound that would be taken; null when no rule matches (the default outbound). */
  testRoute(question: RouteQuestion): Promise<RouteAnswer | null>;
  balancer(tag: string): Promise<BalancerInfo>;
  /** Empty target: no override. */
  overrideBalancer(tag: string, target: string): Promise<void>;
  /** Closes and reopens the log files, after they were renamed. */
  reopenLogs(): Promise<void>;
}

/** Speaks to the process behind `channel`. */
export function createCoreApi({ call, callRaw }: CoreChannel): CoreApi {
  const handler = HandlerService.method;
  const stats = StatsService.method;
  const routing = RoutingService.method;

  const alter = async (tag: string, operation: TypedMessage, timeoutMs: number): Promise<void> => {
    await call(handler.alterInbound, { tag, operation }, timeoutMs);
  };

  return {
    uptimeSec: async (timeoutMs = STATS_MS) => (await call(stats.getSysStats, {}, timeoutMs)).Uptime,
    rawCounters: () => callRaw(stats.queryStats, { pattern: '', reset: false }, STATS_MS),
    rawUsersStats: () => callRaw(stats.getUsersStats, { includeTraffic: false, reset: false }, STATS_MS),
    hasConnections: async (email) => {
      try {
        const name = `user>>>${requireText(email, 'email')}>>>online`;
        const { ips } = await call(stats.getStatsOnlineIpList, { name, reset: false }, STATS_MS);
        return Object.keys(ips).length > 0;
      } catch (error) {
        if (isApiError(error, 'notFound')) return false;
        throw error;
      }
    },

    addInbound: async (inbound) => {
      await call(handler.addInbound, { inbound: requireMessage(inbound, 'inbound') }, HANDLER_MS);
    },
    removeInbound: async (tag) => {
      await call(handler.removeInbound, { tag: requireText(tag, 'tag') }, HANDLER_MS).catch(
        ignore('noMatch', 'notFound'),
      );
    },
    addOutbound: async (outbound) => {
      await call(handler.addOutbound, { outbound: requireMessage(outbound, 'outbound') }, HANDLER_MS);
    },
    removeOutbound: async (tag) => {
      await call(handler.removeOutbound, { tag: requireText(tag, 'tag') }, HANDLER_MS).catch(
        ignore('noMatch', 'notFound'),
      );
    },

    addUser: async (tag, email, account) => {
      const user = { level: 0, email: requireText(email, 'email'), account: requireMessage(account, 'account') };
      await alter(requireText(tag, 'tag'), typed(AddUserOperationSchema, { user }), HANDLER_MS);
    },
    removeUser: async (tag, email) => {
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
    hasUser: async (tag, email) => {
      const { users } = await call(handler.getInboundUsers, { tag, email: requireText(email, 'email') }, HANDLER_MS);
      // An unknown e-mail is answered with one empty user.
      return users.some((user) => user.email === email);
    },

    replaceRouting: async (router) => {
      await call(routing.addRule, { config: requireMessage(router, 'config'), shouldAppend: false }, ROUTING_MS);
    },
    appendRules: async (router) => {
      await call(routing.addRule, { config: requireMessage(router, 'config'), shouldAppend: true }, ROUTING_MS);
    },
    removeRule: async (ruleTag) => {
      await call(routing.removeRule, { ruleTag: requireText(ruleTag, 'rule tag') }, ROUTING_MS).catch(
        ignore('noMatch', 'notFound'),
      );
    },
    ruleTags: async () => {
      const { rules } = await call(routing.listRule, {}, STATS_MS);
      return rules.map(({ ruleTag }) => ruleTag).filter((tag) => tag !== '');
    },
    testRoute: async (question) => {
      try {
        const answer = await call(
          routing.testRoute,
          {
            PublishResult: false,
            RoutingContext: {
              InboundTag: question.inboundTag,
              Network: question.network === 'tcp' ? Network.TCP : Network.UDP,
              TargetDomain: question.domain,
              TargetIPs: question.ip === null ? [] : [question.ip],
              TargetPort: question.port,
              Protocol: question.protocol,
              User: question.user,
            },
          },
          STATS_MS,
        );
        return { outboundTag: answer.OutboundTag, groupTags: answer.OutboundGroupTags };
      } catch (error) {
        if (isApiError(error, 'noMatch')) return null;
        throw error;
      }
    },
    balancer: async (tag) => {
      const { balancer } = await call(routing.getBalancerInfo, { tag }, STATS_MS);
      return {
        override: balancer?.override?.target ?? '',
        selected: (balancer?.principleTarget?.tag ?? []).filter((name) => name !== ''),
      };
    },
    overrideBalancer: async (tag, target) => {
      await call(routing.overrideBalancerTarget, { balancerTag: requireText(tag, 'tag'), target }, STATS_MS);
    },
    reopenLogs: async () => {
      await call(LoggerService.method.restartLogger, {}, STATS_MS);
    },
  };
}

function requireText(value: string, what: string): string {
  // An empty e-mail is accepted by the core and can then never be removed.
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
