import { expect, test } from 'vitest';
import { addressesIn, withoutOptions } from './addresses.ts';

test.each([
  ['postgres://panel@db.example/panel', ['postgres://panel@db.example/panel'], false],
  [
    'postgres://panel:p%40ss@one:5432,two:5433/panel?sslmode=verify-full&target_session_attrs=read-write',
    [
      'postgres://panel:p%40ss@one:5432/panel?sslmode=verify-full',
      'postgres://panel:p%40ss@two:5433/panel?sslmode=verify-full',
    ],
    false,
  ],
  [
    'postgres://panel@/panel?host=%2Frun%2Fone,%2Frun%2Ftwo&port=5433&target_session_attrs=standby',
    ['postgres://panel@/panel?host=%2Frun%2Fone&port=5433', 'postgres://panel@/panel?host=%2Frun%2Ftwo&port=5433'],
    true,
  ],
  [
    'postgresql://[::1]:5432,[::2]/x?target_session_attrs=any',
    ['postgresql://[::1]:5432/x', 'postgresql://[::2]/x'],
    null,
  ],
])('%s', (url, urls, wantsReplica) => {
  expect(addressesIn(url)).toEqual({ urls, wantsReplica });
});

test.each([
  ['postgres://panel@db.example/panel', 'postgres://panel@db.example/panel', ''],
  ['postgres://p@db/x?options=-c%20geqo%3Doff', 'postgres://p@db/x', '-c geqo=off'],
  [
    'postgres://p@/x?host=%2Frun%2Fa%20b&options=a%3Db&application_name=y',
    'postgres://p@/x?host=%2Frun%2Fa%20b',
    'a=b',
  ],
])('%s without options', (url, address, options) => {
  expect(withoutOptions(url)).toEqual({ address, options });
});
