import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/fields/line.ts';
import { StepUpProof } from '../../contract/step-up-proof.ts';

/** An API token as listed: never its value. `createdAt` in ms since 1970. */
export const ApiTokenView = z.object({
  id: z.int(),
  /** Name of the token; must be unique. */
  name: z.string(),
  enabled: z.boolean(),
  createdAt: z.int(),
});
export type ApiTokenView = z.output<typeof ApiTokenView>;

/** The only response that contains the value. */
export const CreatedApiToken = z.object({
  ...ApiTokenView.shape,
  /** The token itself, for `Authorization: Bearer`. It cannot be retrieved again later. */
  token: z.string(),
});
export type CreatedApiToken = z.output<typeof CreatedApiToken>;

/** Required from a session older than `RECENT_SIGN_IN_MS`: one of the two. */
const Proof = StepUpProof.shape;

/** A form carries texts only. */
const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** Any text: the service decides which ids are invalid. */
const Params = z.object({
  /** Id of the token. */
  id: z.string().max(64),
});

export const listApiTokens = endpoint('GET', '/panel/api/setting/apiTokens', {
  summary: 'API tokens, oldest first, without their values.',
  result: z.array(ApiTokenView),
});

export const createApiToken = endpoint('POST', '/panel/api/setting/apiTokens/create', {
  summary: 'Makes an API token; its value is shown in this answer only.',
  body: z.object({
    /** Name of the token; must be unique. */
    name: line(1024).default(''),
    ...Proof,
  }),
  result: CreatedApiToken,
});

export const deleteApiToken = endpoint('POST', '/panel/api/setting/apiTokens/delete/:id', {
  summary: 'Deletes an API token; its callers are refused from the next request on.',
  params: Params,
  body: z.object(Proof),
  result: z.null(),
});

export const setApiTokenEnabled = endpoint('POST', '/panel/api/setting/apiTokens/setEnabled/:id', {
  summary: 'Switches an API token on or off.',
  params: Params,
  body: z.object({ enabled: Flag, ...Proof }),
  result: z.null(),
});
