import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { Basics } from '../../basics.ts';
import {
  Moved,
  NodeCertificate,
  PlaceChange,
  Refused,
  TRUNK_REQUEST,
  type Place,
} from '../../../net/trunk/messages.ts';
import { changedUrl } from '../../../net/trunk/place-change.ts';
import type { Store } from '../../../store/open-store.ts';
import type { Secrets } from '../../../store/secrets/secrets.ts';
import type { KeptMaster } from './kept-master.ts';
import { masterKeySeal, moveMaster, renewCertificate } from './repository.ts';

interface HandlerDeps extends Pick<Basics, 'log'> {
  store: Pick<Store, 'write'>;
  secrets: Pick<Secrets, 'seal'>;
  /** Where this panel listens. */
  place: () => Place;
}
type RequestingMaster = Pick<KeptMaster, 'row' | 'nextKey'>;

/**
 * Handles a request of a master: renews this panel's certificate for a new key, created here, says where this panel
 * listens, or notes that the master has moved or refuses it. @returns null = the request is unknown, or the certificate does not fit the key
 */
export async function handleMasterRequest(
  { store, secrets, log, place }: HandlerDeps,
  master: RequestingMaster,
  path: string,
  request: unknown,
): Promise<object | null> {
  if (path === TRUNK_REQUEST.renew) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    master.nextKey = pair.privateKey;
    return { publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString() };
  }
  if (path === TRUNK_REQUEST.place) return place();
  if (path === TRUNK_REQUEST.refused) {
    const { text } = Refused.parse(request);
    log.warn('master.refused', { master: master.row.name, text });
    return {};
  }
  if (path === TRUNK_REQUEST.moved || path === TRUNK_REQUEST.placeChange) {
    const url =
      path === TRUNK_REQUEST.moved ? Moved.parse(request).url : changedUrl(master.row.url, PlaceChange.parse(request));
    if (url === master.row.url) return {};
    await store.write((trx) => moveMaster(trx, master.row, url));
    log.info('master.moved', { master: master.row.name, url });
    Object.assign(master.row, { formerUrl: master.row.url, url, name: new URL(url).host });
    return {};
  }
  if (path !== TRUNK_REQUEST.certificate || master.nextKey === null) return null;
  const { certificate } = NodeCertificate.parse(request);
  const { trunkId, authority } = master.row;
  const [own, ca] = [new X509Certificate(certificate), new X509Certificate(authority)];
  if (!own.publicKey.equals(createPublicKey(master.nextKey)) || !own.verify(ca.publicKey)) return null;
  const pem = master.nextKey.export({ type: 'sec1', format: 'pem' }).toString();
  const values = { certificate, key: secrets.seal(masterKeySeal(trunkId), pem) };
  await store.write((trx) => renewCertificate(trx, trunkId, values));
  Object.assign(master.row, values);
  master.nextKey = null;
  log.info('master.certificateRenewed', { master: master.row.name });
  return {};
}
