import { expect, it } from 'vitest';
import { firewallCommands, systemOf } from './firewall.ts';

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36', 'mac'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'linux'],
])('%s is %s', (userAgent, system) => {
  expect(systemOf(userAgent)).toBe(system);
});

it('opens every port in both firewalls of Linux', () => {
  expect(firewallCommands([2053, 2096])).toEqual([
    'sudo ufw allow 2053/tcp && sudo ufw allow 2096/tcp',
    'sudo firewall-cmd --permanent --add-port=2053/tcp --add-port=2096/tcp && sudo firewall-cmd --reload',
  ]);
});
