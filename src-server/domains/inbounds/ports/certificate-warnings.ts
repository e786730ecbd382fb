import type * as z from 'zod';
import { isUnfit } from '../../../certificates/certificate-warnings.ts';
import { streamWarnings } from '../../../certificates/stream-certificates.ts';
import type { CertificateWarning } from '../../../contract/certificate-warning.ts';
import { normaliseInbound } from '../../../core/config/inbound/inbound-rules.ts';
import type { checkInboundCertificates } from '../contract.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { effectiveNodeId, type InboundShape } from '../verbs/candidate.ts';

type CertificatesBody = z.output<typeof checkInboundCertificates.body>;

/** What a save warns about, and what a form asks before it. */
export function createCertificateWarnings({ certificateFolder, clock }: InboundServiceDeps) {
  /** @param nodeId of the node that reads the files; null = this panel */
  async function warningsOf(
    { streamSettings }: Pick<InboundShape, 'streamSettings'>,
    nodeId: number | null,
  ): Promise<CertificateWarning[]> {
    const place = { folder: certificateFolder, isElsewhere: nodeId !== null, nowMs: clock() };
    return (await streamWarnings(streamSettings, place)).filter(isUnfit);
  }

  function checkCertificates({ protocol, nodeId, streamSettings }: CertificatesBody): Promise<CertificateWarning[]> {
    const shape = normaliseInbound({ protocol, listen: '', port: 0, settings: {}, streamSettings, sniffing: null });
    return warningsOf(shape, effectiveNodeId(protocol, nodeId));
  }

  return { warningsOf, checkCertificates };
}
