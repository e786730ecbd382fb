/** Which servers an address may lead to; the driver itself knows only one. */
export interface Addresses {
  /** One address per server, in the order in which they are tried. */
  urls: string[];
  /** Whether a replica is wanted, as `target_session_attrs` says; null = the first server that responds. */
  wantsReplica: boolean | null;
}

const WANTED: Readonly<Record<string, boolean | null>> = { any: null, standby: true, 'prefer-standby': true };

/**
 * Reads an address as `libpq` does: `postgres://user@one:5432,two/db`, or `?host=one,two&port=5432,5433`.
 * Without `target_session_attrs` the server that accepts writes is wanted, since the panel writes.
 */
export function addressesIn(url: string): Addresses {
  const [, before, names, path, query] = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)\??(.*)$/.exec(url) ?? [];
  if (before === undefined) return { urls: [url], wantsReplica: false };
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get('target_session_attrs') ?? '';
  parameters.delete('target_session_attrs');
  const named = parameters.get('host') ?? '';
  const ports = (parameters.get('port') ?? '').split(',');
  const urlOf = (authority: string): string => `${before}${authority}${path}${queryOf(parameters)}`;
  const urls =
    named === ''
      ? names!.split(',').map(urlOf)
      : named.split(',').map((host, at) => {
          parameters.set('host', host);
          const port = ports[at] ?? ports[0]!;
          if (port !== '') parameters.set('port', port);
          return urlOf(names!);
        });
  return { urls, wantsReplica: WANTED[wanted] === undefined ? false : WANTED[wanted] };
}

/**
 * An address without what the panel sets itself, and the options that were in it: the driver prefers those of an
 * address, and tables would go to another schema.
 */
export function withoutOptions(url: string): { address: string; options: string } {
  const [, place = url, query] = /^([^?]*)\?(.*)$/.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const options = parameters.get('options') ?? '';
  parameters.delete('options');
  parameters.delete('application_name');
  return { address: `${place}${queryOf(parameters)}`, options };
}

/** A space encoded as `+` would reach the server as a plus. */
function queryOf(parameters: URLSearchParams): string {
  const text = parameters.toString().replaceAll('+', '%20');
  return text === '' ? '' : `?${text}`;
}
