import { expect, test } from 'vitest';
import type { Host, HostGroup } from '#contract/hosts';
import { NEW_HOST, rowCount, toContent, toForm } from './host-form.ts';

const { inboundIds: _inboundIds, hosts: _hosts, ...CONTENT } = NEW_HOST;
const HOST = {
  ...CONTENT,
  id: 3,
  inboundId: 7,
  groupId: 'g',
  sortOrder: 2,
  remark: 'CDN {{EMAIL}}',
  address: 'cdn.example',
  port: 8443,
  tags: ['EU'],
  security: 'tls',
  isHidden: true,
  nodeGuids: ['n'],
  yamlX25519: false,
  shuffleHost: true,
  createdAt: 1,
  updatedAt: 1,
} as unknown as Host;

test('a stored host goes through the form unchanged, members without a field included', () => {
  const form = toForm(HOST);
  expect(form).toMatchObject({ inboundIds: ['7'], address: 'cdn.example', port: 8443 });
  const { inboundIds: _i, hosts: _h, address: _a, port: _p, ...fields } = form;
  expect(toContent(form, HOST)).toEqual({
    ...fields,
    isHidden: true,
    shuffleHost: true,
    nodeGuids: ['n'],
    yamlX25519: false,
  });
});

test('a group counts every address at every inbound', () => {
  const { id: _id, inboundId: _inbound, address: _address, ...shared } = HOST;
  const group = { ...shared, inboundIds: [7, 8], hosts: ['a.example', 'b.example:443', 'a.example'] } as HostGroup;
  expect(rowCount(toForm(group))).toBe(4);
  expect(rowCount({ inboundIds: ['7', '8'], hosts: [] })).toBe(2);
  expect(rowCount({ inboundIds: [], hosts: ['a'] })).toBe(0);
});
