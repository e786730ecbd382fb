import { expect, it } from 'vitest';
import { collide } from './inbound-places.ts';

const tcp = (listen: string, port = 443) => ({ listen, port, transports: ['tcp'] as const });

it.each([
  ['every address of IPv6, in brackets', tcp('[::]'), tcp('10.0.0.1'), true],
  ['one address in two spellings', tcp('::1'), tcp('0:0:0:0:0:0:0:1'), true],
  ['two addresses', tcp('10.0.0.1'), tcp('10.0.0.2'), false],
  ['a socket with another mode', tcp('/run/one.sock,0600', 1), tcp('/run/one.sock,0666', 2), true],
  ['a socket and a port', tcp('/run/one.sock'), tcp(''), false],
  ['TCP and UDP', tcp(''), { ...tcp(''), transports: ['udp'] as const }, false],
  ['inbounds without a port', tcp('', 0), tcp('', 0), false],
])('places of inbounds: %s', (_, one, other, isSame) => {
  expect(collide(one, other)).toBe(isSame);
});
