import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { NewGroupName } from '../../contract/fields/group-name.ts';
import { line } from '../../contract/fields/line.ts';
import { ByteCount } from '../../contract/fields/port.ts';

/**
 * Label shared by any number of clients: trimmed, compared as typed. A group exists when it is stored or any client
 * carries the label.
 */
const GroupName = line(64).default('');

export const Group = z.object({
  name: z.string(),
  clientCount: z.int(),
  /** Traffic of the members since the group's display was reset: up plus down. */
  trafficUsed: ByteCount,
  up: ByteCount,
  down: ByteCount,
});
export type Group = z.infer<typeof Group>;

const Affected = z.object({ affected: z.int() });

/** `before` is empty when a change of labels is too large to be undone. */
export const MAX_REMEMBERED = 2_000;
const REMEMBERED = { query: z.object({ remember: z.enum(['0', '1']).default('0') }) };
const Relabelled = Affected.extend({
  /**
   * With `remember=1`: the previous labels of the changed clients; empty = none. Sending them back undoes the change.
   */
  before: z.array(z.object({ group: z.string(), emails: z.array(z.string()) })).optional(),
});
export type FormerLabels = NonNullable<z.infer<typeof Relabelled>['before']>;
const Emails = z.array(z.string().max(1024)).max(500_000).default([]);
const BASE = '/panel/api/clients/groups';

export const listGroups = endpoint('GET', BASE, {
  summary: 'Stored groups and labels in use, sorted without regard to case.',
  result: z.array(Group),
});

export const groupEmails = endpoint('GET', `${BASE}/:name/emails`, {
  summary: 'E-mails of the members of a group.',
  params: z.object({ name: z.string().max(1024) }),
  result: z.array(z.string()),
});

export const createGroup = endpoint('POST', `${BASE}/create`, {
  summary: 'Creates an empty group.',
  body: z.object({ name: NewGroupName }),
  result: z.object({ name: z.string() }),
  message: 'group.created',
});

export const renameGroup = endpoint('POST', `${BASE}/rename`, {
  summary: 'Renames a group and the label of every member.',
  body: z.object({ oldName: GroupName, newName: NewGroupName }),
  result: Affected,
  message: 'group.renamed',
});

export const deleteGroup = endpoint('POST', `${BASE}/delete`, {
  summary: 'Deletes a group; its members stay without a label.',
  body: z.object({ name: GroupName }),
  result: Affected,
  message: 'group.deleted',
});

export const addToGroup = endpoint('POST', `${BASE}/bulkAdd`, {
  summary: 'Puts clients into a group, which is created when it is new.',
  ...REMEMBERED,
  body: z.object({ emails: Emails, group: NewGroupName }),
  result: Relabelled,
});

export const removeFromGroups = endpoint('POST', `${BASE}/bulkRemove`, {
  summary: 'Takes clients out of their groups.',
  ...REMEMBERED,
  body: z.object({ emails: Emails }),
  result: Relabelled,
});

export const resetGroupTraffic = endpoint('POST', `${BASE}/resetTraffic`, {
  summary: 'Makes the shown traffic of a group start at 0; counters of clients are untouched.',
  body: z.object({ name: GroupName }),
  result: z.object({ name: z.string() }),
  message: 'group.trafficReset',
});
