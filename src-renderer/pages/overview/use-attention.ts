import { useTranslation } from 'react-i18next';
import { listCountedInbounds, type CountedInbound } from '#contract/inbounds';
import { listJobs } from '#contract/jobs';
import { listOutboundSubs } from '#contract/outboundSubs';
import { getPanelUpdateInfo } from '#contract/panelUpdate';
import { getCertificates, type ServedCertificates, type ServerStatus } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { failureOf, useRead } from '../../api/use-read.ts';
import { useCertificateWords } from '../../i18n/certificate-words.ts';
import { jobFailureWords } from '../../i18n/refusal-words.ts';
import { useRefusalTexts } from '../../i18n/use-refusal-texts.ts';
import { serverNow } from '../../stores/server-clock.ts';
import { lastErrorWords, syncWords } from '../nodes/node-refusal-words.ts';
import { stateOf } from '../nodes/node-state.ts';
import { useNodes } from '../nodes/use-nodes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A problem that waits for the operator. */
export interface Matter {
  id: string;
  /** The panel's name for what it is about; empty where the reason names it. */
  name: string;
  reason: string;
  /** The page that fixes it. */
  to: string;
}

/** Parts of the status that may need the operator. */
export interface Watched {
  core: ServerStatus['core'];
  web: ServerStatus['web'];
  isDiskFull: boolean;
}

/**
 * Everything that is stored but does not work, or soon will not, with the page that fixes it; also what could not be read.
 * @returns `isWhole`: everything has been looked at, so that no matter means that all is well
 */
export function useAttention({ core, web, isDiskFull }: Watched): { matters: Matter[]; isWhole: boolean } {
  const { t } = useTranslation(['overview', 'shell', 'settings']);
  const inboundList = useRead(listCountedInbounds, {}, [...keys.inbounds, 'counted']);
  const subscriptionList = useRead(listOutboundSubs, {}, [...keys.outbounds, 'subscriptions']);
  const jobList = useRead(listJobs, {}, keys.jobs);
  const { data: update } = useRead(getPanelUpdateInfo, {}, ['panelUpdate', 'info'], {
    staleTime: 600_000,
    // The operator did not ask for this check: a machine without internet gets no error from it.
    retry: false,
  });
  const certificateList = useRead(getCertificates, {}, [...keys.inbounds, 'certificates'], {
    // Settings refer to some of these too, and files change by themselves.
    staleTime: 0,
    refetchInterval: HOUR_MS,
  });
  const certificateWords = useCertificateWords();
  const nodeList = useNodes();
  const [inbounds, subscriptions, jobs] = [inboundList.data ?? [], subscriptionList.data ?? [], jobList.data ?? []];
  const [certificates, nodes] = [certificateList.data ?? [], nodeList.data ?? []];
  useRefusalTexts(
    jobs.some(({ error }) => error !== '') || nodes.some((node) => node.lastError !== '' || node.syncError !== ''),
  );
  const matters: Matter[] = [];
  const read = [
    { list: inboundList, name: t('shell:nav.inbounds'), to: '/panel/inbounds' },
    { list: nodeList, name: t('shell:nav.nodes'), to: '/panel/nodes' },
    { list: certificateList, name: t('settings:section.certificates'), to: '/panel/settings/certificates' },
    { list: subscriptionList, name: t('shell:nav.core'), to: '/panel/core/subscriptions' },
    { list: jobList, name: '', to: '' },
  ];
  for (const { list, name, to } of read) {
    const failure = failureOf(list);
    if (failure !== undefined) matters.push({ id: `unread ${name}`, name, reason: failure, to });
  }
  if (web.problem !== '') matters.push({ id: 'web', name: '', reason: web.problem, to: '/panel/settings/general' });
  for (const { kind, name, reason } of core.leftOut)
    matters.push({ id: `${kind} ${name} ${reason}`, name, reason, to: pageOf(kind) });
  if (isDiskFull) matters.push({ id: 'disk', name: '', reason: t('attention.disk'), to: '/panel/settings/backup' });
  for (const inbound of inbounds) {
    const end = endOf(inbound, serverNow());
    if (end === null) continue;
    const name = inbound.remark || inbound.tag;
    matters.push({
      id: `ended ${inbound.id}`,
      name,
      reason: t(`attention.${end}`),
      to: `/panel/inbounds/${inbound.id}`,
    });
  }
  for (const served of certificates) {
    const name = served.owner === 'inbound' ? served.name : t(`attention.${served.owner}`);
    for (const warning of served.warnings) {
      const id = `certificate ${served.owner} ${served.inboundId} ${warning.field} ${warning.kind}`;
      matters.push({ id, name, reason: certificateWords(warning), to: placeOf(served) });
    }
  }
  for (const node of nodes) {
    const { id, name, guid, coreError } = node;
    const to = node.transitive === true ? '/panel/nodes' : `/panel/nodes?show=${id}`;
    const state = stateOf(node);
    const tell = (reason: string): number => matters.push({ id: `node ${id} ${guid} ${reason}`, name, reason, to });
    if (state === 'offline') tell(t('attention.nodeOffline', { error: lastErrorWords(node) }));
    if (state === 'misplaced') tell(lastErrorWords(node));
    if (state === 'coreError') tell(t('attention.nodeCore', { error: coreError }));
    for (const { kind, inboundCount, clientCount } of node.plans)
      tell(t(`attention.plan.${kind}`, { inbounds: inboundCount, clients: clientCount }));
    const refused = syncWords(node);
    if (refused.length > 0) tell(t('attention.nodeRefused', { error: refused.join('; ') }));
  }
  for (const { id, remark, url, enabled, lastError } of subscriptions) {
    if (!enabled || lastError === '') continue;
    matters.push({ id: `sub ${id}`, name: remark || url, reason: lastError, to: '/panel/core/subscriptions' });
  }
  for (const job of jobs) {
    if (job.state !== 'failed' || job.finishedAt < serverNow() - DAY_MS) continue;
    matters.push({ id: `job ${job.id}`, name: job.title, reason: jobFailureWords(job), to: '' });
  }
  if (update?.updateAvailable === true) {
    const reason = t('attention.update', { version: update.latestVersion });
    matters.push({ id: 'update', name: '', reason, to: '/panel/about' });
  }
  return { matters, isWhole: read.every(({ list }) => list.data !== undefined) };
}

/** Why an enabled inbound accepts no clients; null = it does. */
function endOf(
  { expiryTime, total, up, down }: Pick<CountedInbound, 'expiryTime' | 'total' | 'up' | 'down'>,
  nowMs: number,
): 'expired' | 'usedUp' | null {
  if (expiryTime > 0 && expiryTime <= nowMs) return 'expired';
  return total > 0 && up + down >= total ? 'usedUp' : null;
}

/** The page on which a certificate is set. */
function placeOf({ owner, inboundId }: ServedCertificates): string {
  if (owner === 'inbound') return `/panel/inbounds/${inboundId}`;
  return owner === 'panel' ? '/panel/settings/general?q=webCertFile' : '/panel/settings/subscription?q=subCertFile';
}

/** The page that fixes what the core left out. */
function pageOf(kind: string): string {
  if (kind === 'inbound' || kind === 'client') return `/panel/${kind}s`;
  if (kind === 'outbound') return '/panel/core/outbounds';
  return kind === 'rule' || kind === 'routing' ? '/panel/core/routing' : '/panel/core/template';
}
