import { expect, test } from 'vitest';
import { csvText } from '../ui/csv/csv.ts';
import { groupsCsv } from './groups/groups-csv.ts';
import { hostsCsv } from './hosts/hosts-csv.ts';
import { nodesCsv } from './nodes/nodes-csv.ts';
import { nodeRow } from './nodes/testing-node.ts';
import { sessionsCsv } from './sessions/sessions-csv.ts';

const lines = (rows: Parameters<typeof csvText>[0]): string[] => csvText(rows).trim().split('\r\n');

test('a list is exported as a header and rows, and no cell is a formula', () => {
  const group = { name: '=cmd|x', clientCount: 2, trafficUsed: 3, up: 1, down: 2 };
  expect(lines(groupsCsv([group]))).toEqual([
    '\uFEFFname,clients,up_bytes,down_bytes,shown_bytes'.trim(),
    "'=cmd|x,2,1,2,3",
  ]);
  const host = { id: 4, inboundId: 7, remark: 'a, "b"', enable: false, address: '+1.example', port: 0 };
  expect(lines(hostsCsv([{ ...host, security: 'same', sni: '', tags: ['CDN', 'X'] } as never])).at(-1)).toBe(
    `4,7,"a, ""b""",0,'+1.example,,same,,CDN X`,
  );
  const node = nodeRow({ id: 3, scheme: 'https', address: '2001:db8::1', port: 2053, basePath: '/' });
  expect(lines(nodesCsv([node])).at(-1)).toContain(',https://[2001:db8::1]:2053/,');
  const session = { email: 'a', guid: 'g', place: '', isHere: true, since: 0, up: null, down: 5 };
  const inbounds = [{ id: 1, name: 'Door', protocol: 'vless' }];
  const addresses = [{ ip: '192.0.2.1', seen: 1 }];
  expect(lines(sessionsCsv([{ ...session, inbounds, addresses }])).at(-1)).toBe('a,g,,Door,192.0.2.1,,,5');
});
