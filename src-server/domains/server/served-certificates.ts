import { streamWarnings } from '../../certificates/stream-certificates.ts';
import type { CertificateWarning } from '../../contract/certificate-warning.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import { certificatePairsOf } from '../../core/config/certificate-pairs.ts';
import type { ServedCertificates } from './contract.ts';
import type { ServingInbound } from './repository.ts';

export interface ServedCertificateDeps {
  /** Certificates of the panel's own servers, and what is wrong with them. */
  ownWarnings: (nowMs: number) => Promise<{ owner: 'panel' | 'subscription'; warnings: CertificateWarning[] }[]>;
  inbounds: () => Promise<readonly ServingInbound[]>;
  /** Whether another machine reads the files of the inbound. */
  isElsewhere: (inbound: ServingInbound) => boolean;
  /** Where the core looks up relative certificate paths. */
  certificateFolder: string;
  clock: () => number;
}

/** Reads every certificate currently served. */
export function createServedCertificates({
  ownWarnings,
  inbounds,
  isElsewhere,
  certificateFolder,
  clock,
}: ServedCertificateDeps) {
  async function ofInbound(inbound: ServingInbound, nowMs: number): Promise<ServedCertificates[]> {
    const { id, remark, tag } = inbound;
    const stream = parseJsonObject(inbound.streamSettings);
    if (certificatePairsOf(stream).length === 0) return [];
    const place = { folder: certificateFolder, isElsewhere: isElsewhere(inbound), nowMs };
    const warnings = await streamWarnings(stream, place);
    return [{ owner: 'inbound', inboundId: id, name: remark || tag, warnings }];
  }

  return async (): Promise<ServedCertificates[]> => {
    const nowMs = clock();
    const own = (await ownWarnings(nowMs)).map((each) => ({ ...each, inboundId: 0, name: '' }));
    const found = await Promise.all((await inbounds()).map((inbound) => ofInbound(inbound, nowMs)));
    return [...own, ...found.flat()];
  };
}
