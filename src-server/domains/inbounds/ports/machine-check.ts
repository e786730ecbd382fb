import { DomainError } from '../../../contract/domain-error.ts';
import { ValidationError, type ValidationIssue } from '../../../contract/envelope.ts';
import { certificatePairsOf } from '../../../core/config/inbound/inbound-rules.ts';
import { geoFilesNamedBy } from '../../../core/config/template/template-rules.ts';
import type { FallbackSource } from '../../../core/config/source.ts';
import type { InboundShape } from '../verbs/candidate.ts';
import { checkCertificates } from './certificates.ts';
import { inboundIssue } from '../field-texts.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import type { Transport } from './port-conflicts.ts';
import { allInbounds, fallbacksOfMaster, type Database } from '../repository.ts';

/** An inbound about to run on this machine's core, with its identity. */
export interface RunCandidate {
  id: number;
  tag: string;
  shape: InboundShape;
  fallbacks: readonly FallbackSource[];
  /** Transports of this port already used by our own core, because the inbound runs there now. */
  heldTransports: readonly Transport[];
}

/**
 * Checks everything an inbound needs from this machine before it is enabled here: geo files, certificates, a port that
 * no other program uses, and the core's consent. The core's test leaves its clients out: they are checked one by one
 * when they are written, and an inbound with 50,000 of them must not take longer to save.
 * @returns warnings of the core
 * @throws {ValidationError} for files. @throws {DomainError} `inbound.portForeign`, `inbound.coreRefused`
 */
export async function requireRunnable(
  deps: Pick<InboundServiceDeps, 'hasGeoFile' | 'certificateFolder' | 'findForeignUse' | 'runtime'>,
  candidate: RunCandidate,
): Promise<readonly string[]> {
  const { id, tag, shape, fallbacks, heldTransports } = candidate;
  const { listen, port, protocol, settings, streamSettings, sniffing } = shape;
  const issues: ValidationIssue[] = missingGeoFiles(shape, deps.hasGeoFile);
  issues.push(...(await checkCertificates(certificatePairsOf(streamSettings), deps.certificateFolder)));
  if (issues.length > 0) throw new ValidationError(issues);

  const free = shape.transports.filter((transport) => !heldTransports.includes(transport));
  const transport = await deps.findForeignUse(listen, port, free);
  if (transport !== null) throw new DomainError('inbound.portForeign', { port, transport });

  const source = { id, tag, listen, port, protocol, settings, streamSettings, sniffing, clients: [], fallbacks };
  const verdict = await deps.runtime.testInbound(source);
  // The core's message may contain private keys: it goes to the caller and nowhere else.
  if (!verdict.ok) throw new DomainError('inbound.coreRefused', { text: verdict.text });
  return verdict.warnings ?? [];
}

function missingGeoFiles({ sniffing }: InboundShape, hasGeoFile: (name: string) => boolean): ValidationIssue[] {
  return geoFilesNamedBy(sniffing)
    .filter((name) => !hasGeoFile(name))
    .map((name) => inboundIssue('sniffing', 'inboundField.geoFile', { name }));
}

/** The stored fallback rules of a master in the format for the core. */
export async function fallbackSources(db: Database, masterId: number): Promise<FallbackSource[]> {
  const rules = await fallbacksOfMaster(db, masterId);
  if (rules.length === 0) return [];
  const children = new Map((await allInbounds(db)).map(({ id, listen, port }) => [id, { listen, port }]));
  return rules.map(({ name, alpn, path, dest, xver, childId }) => ({
    name,
    alpn,
    path,
    dest,
    xver,
    child: children.get(childId) ?? null,
  }));
}
