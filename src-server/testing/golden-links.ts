import { readFileSync } from 'node:fs';
import type { JsonObject } from '../contract/json.ts';
import type { LinkClient } from '../links/types.ts';

/** An inbound, a client, and the links that lead it there. */
export interface Example {
  id: string;
  title: string;
  inbound: { protocol: string; port: number; remark: string; settings: JsonObject; streamSettings: JsonObject };
  client: Record<string, string>;
  hosts?: Record<string, unknown>[];
  address: string;
  links: string[];
}

/** The expected links and documents, from `links/golden`. */
export const golden = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../links/golden/${name}.json`, import.meta.url), 'utf8'));

export const EXAMPLES = golden('share-links') as Example[];
export const exampleOf = (id: string): Example => EXAMPLES.find((example) => example.id === id)!;

export const clientOf = ({ client: { id = '', ...rest } }: Pick<Example, 'client'>): LinkClient => ({
  uuid: id,
  email: '',
  subId: '',
  password: '',
  auth: '',
  flow: '',
  security: '',
  ...rest,
});
