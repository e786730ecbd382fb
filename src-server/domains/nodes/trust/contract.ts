import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { StepUpProof } from '../../../contract/step-up-proof.ts';
import { NODES_PATH } from '../contract.ts';

export const nodeAuthority = endpoint('POST', `${NODES_PATH}/mtls/ca`, {
  summary: 'The authority of this panel, for nodes that are to know it by its certificate; made at the first call.',
  result: z.object({ caCert: z.string() }),
});

export const trustAuthority = endpoint('POST', `${NODES_PATH}/mtls/trustCA`, {
  summary: 'Lets panels in that show a certificate of this authority, from the next start on; an empty text ends that.',
  /** PEM, one or more certificates and nothing else. */
  body: z.object({ caCert: z.string().max(1_048_576), ...StepUpProof.shape }),
  result: z.null(),
  message: 'node.trustSaved',
});
