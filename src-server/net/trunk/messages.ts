import * as z from 'zod';

/** Requests of a master about the trunk itself. */
export const TRUNK_REQUEST = {
  introduce: '/introduce',
  renew: '/renew',
  certificate: '/certificate',
  done: '/done',
  refused: '/refused',
  moved: '/moved',
  place: '/place',
  placeChange: '/place-change',
} as const;

/** What a host tells about itself when it enrols. */
export const Introduction = z.object({
  ticket: z.string().max(64),
  secret: z.string().max(128),
  guid: z.string().min(1).max(64),
  hostName: z.string().max(253).default(''),
  panelVersion: z.string().max(64).default(''),
  scheme: z.enum(['http', 'https']),
  port: z.int().min(1).max(65_535),
  basePath: z.string().startsWith('/').max(512),
});
export type Introduction = z.infer<typeof Introduction>;

const Listening = Introduction.pick({ scheme: true, port: true, basePath: true });
export type Listening = z.infer<typeof Listening>;

/** Where a node listens now, which a command line may have changed. */
export const Place = Listening.extend({
  /** Different for every process: two that answer at once are two machines. */
  run: z.string().min(1).max(64),
});
export type Place = z.infer<typeof Place>;

/** Where the master listens, and where from its next start on. */
export const PlaceChange = z.object({ before: Listening, after: Listening });
export type PlaceChange = z.infer<typeof PlaceChange>;

/** The key that a node will use from now on, as soon as it has a certificate for it. */
export const NewKey = z.object({ publicKey: z.string().max(4_096) });

/** What a node receives; PEM. */
export const NodeCertificate = z.object({
  trunkId: z.uuid(),
  masterName: z.string().max(256),
  authority: z.string().max(16_384),
  certificate: z.string().max(16_384),
});
export type NodeCertificate = z.infer<typeof NodeCertificate>;

/** Why a host is refused; the text is the master's, in English. */
export const Refused = z.object({ text: z.string().max(1_024) });

/** The master has saved the node under this name. */
export const Done = z.object({ name: z.string().max(256) });

/** Address of the master, now or from a later time. */
export const Moved = z.object({ url: z.url({ protocol: /^https?$/ }).max(2_048) });
