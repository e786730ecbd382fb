import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/server';

/**
 * The work continues after the response: query its progress and result, or cancel it, by this id under
 * `/panel/api/jobs`.
 */
export const StartedJob = z.object({ jobId: z.string() });

/** Result of an installation job. */
export const InstalledCore = z.object({ version: z.string() });
export type InstalledCore = z.infer<typeof InstalledCore>;

/** Result of a geo update job, by file name. */
export const UpdatedGeoFiles = z.object({ updated: z.array(z.string()), unchanged: z.array(z.string()) });
export type UpdatedGeoFiles = z.infer<typeof UpdatedGeoFiles>;

export const getCoreVersion = endpoint('GET', `${BASE}/getCoreVersion`, {
  summary: 'Versions of the core that can be installed, newest first.',
  result: z.array(z.string()),
});

export const installCore = endpoint('POST', `${BASE}/installCore/:version`, {
  summary:
    'Installs a version of the core by its tag, or `latest`, as a job: verified, tested with the present config, taken back when it does not run.',
  params: z.object({
    /** Tag of the version as listed, or `latest`. */
    version: z.string().max(256),
  }),
  result: StartedJob,
  message: 'coreFiles.installStarted',
});

/** A list file that rules can refer to. */
export const GeoFile = z.object({
  /** File name, such as geoip.dat. */
  name: z.string(),
  /** Size in bytes. */
  size: z.int(),
  /** When its list was released, in ms since 1970; 0 = unknown, because it came with the product. */
  updatedAt: z.int(),
  /** What kind of categories the file holds. */
  kind: z.enum(['ip', 'site']),
  /** Categories as used in rules, such as `cn`, sorted; empty when the file cannot be read as a list. */
  categories: z.array(z.string()),
});
export type GeoFile = z.infer<typeof GeoFile>;

export const listGeoFiles = endpoint('GET', `${BASE}/geoFiles`, {
  summary: 'Geo files of the core with the categories in them.',
  result: z.array(GeoFile),
});

const FileName = z.string().max(256);

export const updateGeofiles = endpoint('POST', `${BASE}/updateGeofile`, {
  summary: 'Fetches newer geo files, all known ones or the named one, as a job.',
  body: z.object({
    /** File name as listed; left out of the body = all known files. */
    fileName: FileName.optional(),
  }),
  result: StartedJob,
  message: 'coreFiles.geoStarted',
});

export const updateGeofile = endpoint('POST', `${BASE}/updateGeofile/:fileName`, {
  summary: 'Fetches one geo file if there is a newer one, as a job.',
  params: z.object({
    /** File name as listed; left out of the body = all known files. */
    fileName: FileName,
  }),
  result: StartedJob,
  message: 'coreFiles.geoStarted',
});
