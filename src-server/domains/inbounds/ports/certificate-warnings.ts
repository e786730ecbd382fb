import type * as z from 'zod';
import { isUnfit } from '../../../certificates/certificate-warnings.ts';
import { streamWarnings } from '../../../certificates/stream-certificates.ts';
import type { CertificateWarning } from '../../../contract/certificate-warning.ts';
import { normaliseInbound } from '../../../core/config/inbound/inbound-rules.ts';
import type { checkInboundCertificates } from '../contract.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { effectiveNodeId, type InboundShape } from '../verbs/candidate.ts';
import type { Listener } from './port-conflicts.ts';
import { isServedHere } from './served-here.ts';

type CertificatesBody = z.output<typeof checkInboundCertificates.body>;

/** Warnings of a save, also available to a form beforehand. */
export function createCertificateWarnings(deps: InboundServiceDeps) {
  const { certificateFolder, clock } = deps;
  /** @param where the node or server that reads the files */
  async function warningsOf(
    { streamSettings }: Pick<InboundShape, 'streamSettings'>,
    where: Pick<Listener, 'nodeId' | 'serverId'>,
  ): Promise<CertificateWarning[]> {
    const place = { folder: certificateFolder, isElsewhere: !isServedHere(deps, where), nowMs: clock() };
    return (await streamWarnings(streamSettings, place)).filter(isUnfit);
  }

  function checkCertificates(body: CertificatesBody): Promise<CertificateWarning[]> {
    const { protocol, nodeId, serverId = null, streamSettings } = body;
    const shape = normaliseInbound({ protocol, listen: '', port: 0, settings: {}, streamSettings, sniffing: null });
    return warningsOf(shape, { nodeId: effectiveNodeId(protocol, nodeId), serverId });
  }

  return { warningsOf, checkCertificates };
}
