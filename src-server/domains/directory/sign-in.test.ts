import { expect, test } from 'vitest';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { afterTest } from '../../testing/for-each-test.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { LDAP_ADMIN, LDAP_BASE, LDAP_PASSWORD, openLdap } from '../../testing/peers/open-ldap.ts';
import { DEFAULTS } from '../settings/stored-values.ts';
import { createDirectorySignIn } from './sign-in.ts';

test('a refusal takes the same steps for any name: how long it takes would tell which ones exist', async () => {
  const twins = ['one', 'other'].map((uid) => ({ uid, mail: 'twin', userPassword: 'twin' }));
  const ldap = await openLdap({ people: [{ uid: 'anna', mail: 'anna', userPassword: 'right' }, ...twins] });
  afterTest(() => ldap.close());
  const log = recordingLogger();
  const dialer = createGuardedDialer({ log });
  let connections = 0;
  const isRight = createDirectorySignIn({
    dialer: {
      connect(request) {
        connections += 1;
        return dialer.connect(request);
      },
    },
    settings: () => ({
      ...DEFAULTS,
      ldapEnable: true,
      ldapHost: '127.0.0.1',
      ldapPort: ldap.port,
      ldapAllowPrivate: true,
      ldapBindDN: LDAP_ADMIN,
      ldapPassword: LDAP_PASSWORD,
      ldapBaseDN: LDAP_BASE,
    }),
    log,
  });
  const tried = async (username: string, password: string) => {
    connections = 0;
    return [await isRight(username, password), connections];
  };
  expect(await tried('anna', 'right')).toEqual([true, 2]);
  for (const name of ['anna', 'nobody', 'twin']) expect(await tried(name, 'twin'), name).toEqual([false, 2]);
  expect(log.lines).toEqual([]);
});
