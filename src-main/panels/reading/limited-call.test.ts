import { expect, it } from 'vitest';
import { afterTest } from '../../../src-server/testing/for-each-test.ts';
import { openBrokenPanel, type Way } from '../../../src-server/testing/peers/broken-panels.ts';
import { remoteLink, type Link } from '../../connections/link.ts';
import { target } from '../testing-target.ts';
import { readCall } from './limited-call.ts';

/** A call that may take a quarter of a second and answer 64 KiB. */
async function failureAt(way: Way): Promise<string> {
  const panel = await openBrokenPanel(way);
  const { saved, secrets } = target(way, panel.url);
  const link = remoteLink(saved, secrets, () => undefined);
  afterTest(panel.close);
  afterTest(() => link.close());
  const request = { path: '/panel/api/server/status' };
  return readCall(link, request, { ms: 250, bytes: 64 * 1024 }).then(
    () => 'none',
    (error: { trouble: string; message: string }) => `${error.trouble}: ${error.message}`,
  );
}

it.each<[Way, string]>([
  ['hangs', 'down: no whole answer within 0.25 s'],
  ['drips', 'down: no whole answer within 0.25 s'],
  ['isNone', 'wrong: what it answers is no JSON'],
  ['refuses', 'refused: it answers with status 401'],
  ['fails', 'down: it answers with status 502'],
  ['breaksOff', 'down: aborted'],
])('a panel that %s is given up', async (way, failure) => {
  expect(await failureAt(way)).toBe(failure);
});

// The size limit ends them, unless a busy machine has not read that much in time.
it.each<Way>(['floods', 'explodes'])('a panel that %s is read no further than allowed', async (way) => {
  expect(['wrong: it answers more than 64 KiB', 'down: no whole answer within 0.25 s']).toContain(await failureAt(way));
});

it.each([
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'refused'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'refused'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'down'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'untrusted'],
  ['ECONNREFUSED', 'down'],
])('%s: our certificate or the panel’s (%s)', async (code, trouble) => {
  const forward = (): Promise<never> => Promise.reject(Object.assign(new Error('tls'), { code }));
  const failed = readCall({ forward } as Partial<Link> as Link, { path: '/' }, { ms: 1_000, bytes: 1 });
  await expect(failed).rejects.toMatchObject({ trouble });
});
