import { expect, test } from 'vitest';
import { Place } from './messages.ts';
import { changedUrl } from './place-change.ts';

const before = { scheme: 'http', port: 2053, basePath: '/' } as const;
const after = { scheme: 'https', port: 443, basePath: '/next/' } as const;

test.each([
  ['http://panel.example.com:2053/', 'https://panel.example.com/next/'],
  ['http://[2001:db8::1]:2053/', 'https://[2001:db8::1]/next/'],
  // A reverse proxy stays where it is, and passes the path on.
  ['https://panel.example.com/', 'https://panel.example.com/next/'],
  ['https://panel.example.com/own/', 'https://panel.example.com/own/'],
])('%s becomes %s', (url, next) => {
  expect(changedUrl(url, { before, after })).toBe(next);
  expect(changedUrl(next, { before: after, after })).toBe(next);
});

test.each([
  ['/next/', true],
  // Behind an address, this would name another host.
  ['@127.0.0.1:8080/', false],
])('a place below %s: %s', (basePath, isOne) => {
  expect(Place.safeParse({ ...after, basePath, run: 'a' }).success).toBe(isOne);
});
