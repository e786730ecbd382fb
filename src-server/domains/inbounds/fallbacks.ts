import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError, type ValidationIssue } from '../../contract/envelope.ts';
import { canHostFallbacks } from '../../core/config/inbound/inbound-rules.ts';
import type { FallbackSource } from '../../core/config/source.ts';
import { inboundIssue } from './field-texts.ts';
import { announce } from '../../contract/announce.ts';
import { shapeOfRow } from './verbs/candidate.ts';
import type { BodyOf } from '../../contract/endpoint.ts';
import type { NodeNote, replaceFallbacks } from './contract.ts';
import type { InboundServiceDeps } from './dependencies.ts';
import { isServedHere } from './ports/served-here.ts';
import { allInbounds, findInbound, replaceFallbackRows, type InboundRow } from './repository.ts';
import type { Line } from '../../concurrency.ts';

type SentRule = BodyOf<typeof replaceFallbacks>['fallbacks'][number];

/** Which inbound behind a master handles connections that the master does not. */
export function createFallbacks(deps: InboundServiceDeps, inTurn: Line) {
  const { store, runtime, publish } = deps;

  /**
   * Whether the core accepts the master with these rules. Those of a master that cannot host any are stored for later.
   */
  async function requireAccepted(master: InboundRow, rules: readonly SentRule[], children: readonly InboundRow[]) {
    if (master.enable === 0 || !isServedHere(deps, master)) return;
    const { transports: _, ...shape } = shapeOfRow(master);
    if (!canHostFallbacks(shape.protocol, shape.settings, shape.streamSettings)) return;
    const fallbacks = rules.map(({ name, alpn, path, dest, xver, childId }): FallbackSource => {
      const child = children.find((inbound) => inbound.id === childId);
      return {
        name,
        alpn,
        path,
        dest,
        xver,
        child: child === undefined ? null : { listen: child.listen, port: child.port },
      };
    });
    const verdict = await runtime.testInbound({ ...shape, id: master.id, tag: master.tag, clients: [], fallbacks });
    if (!verdict.ok) throw new DomainError('inbound.coreRefused', { text: verdict.text });
  }

  return {
    /**
     * @throws {ValidationError} rules the core would refuse, unknown children.
     * @throws {DomainError} `inbound.notFound`, `inbound.coreRefused`
     */
    replaceFallbacks(masterId: number, sent: readonly SentRule[], requestId: string): Promise<NodeNote> {
      return inTurn(async () => {
        const inbounds = await allInbounds(store.reader);
        const master = inbounds.find(({ id }) => id === masterId);
        if (master === undefined) throw new DomainError('inbound.notFound');
        const rules = usableRules(masterId, sent);
        const issues = issuesOf(masterId, sent, new Set(inbounds.map(({ id }) => id)));
        if (issues.length > 0) throw new ValidationError(issues);
        await requireAccepted(master, rules, inbounds);
        const change = { inboundIds: [masterId] };
        await store.write(async (trx) => {
          if ((await findInbound(trx, masterId)) === null) throw new DomainError('inbound.notFound');
          await replaceFallbackRows(trx, masterId, rules);
          await runtime.stage(trx, change);
        });
        const { nodePending } = await runtime.apply(change);
        announce(publish, ['inbounds'], requestId);
        return nodePending ? { nodePending } : null;
      });
    },
  };
}

/** A rule to the master itself has no child; one with neither child nor destination has no effect and is dropped. */
function usableRules(masterId: number, sent: readonly SentRule[]): SentRule[] {
  return sent
    .map((rule, index) => ({
      ...rule,
      childId: rule.childId === masterId || rule.childId < 0 ? 0 : rule.childId,
      sortOrder: rule.sortOrder === 0 ? index : rule.sortOrder,
    }))
    .filter((rule) => rule.childId > 0 || rule.dest !== '');
}

function issuesOf(masterId: number, sent: readonly SentRule[], known: ReadonlySet<number>): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  for (const [index, rule] of sent.entries()) {
    const at = `fallbacks[${index}]`;
    if (rule.childId > 0 && rule.childId !== masterId && !known.has(rule.childId))
      issues.push(inboundIssue(`${at}.childId`, 'inboundField.childUnknown', { id: rule.childId }));
    if (rule.path !== '' && !rule.path.startsWith('/'))
      issues.push(inboundIssue(`${at}.path`, 'inboundField.fallbackPath'));
    if (rule.dest !== '' && !isDestination(rule.dest))
      issues.push(inboundIssue(`${at}.dest`, 'inboundField.fallbackDest'));
  }
  return issues;
}

/** Accepted by the core: a port here, a host with port, a socket path or abstract name, or its own web page. */
function isDestination(dest: string): boolean {
  if (dest.startsWith('/') || dest.startsWith('@') || dest === 'serve-ws-none') return true;
  const port = /^(?:(?:\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(dest)?.[1];
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
}
