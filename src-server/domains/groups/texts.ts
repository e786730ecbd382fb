/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'group.created': 'The group has been created.',
  'group.renamed': 'The group has been renamed.',
  'group.deleted': 'The group has been deleted.',
  'group.trafficReset': 'The traffic shown for the group has been reset.',
  'group.nameRequired': 'group name is required',
  'group.oldNameRequired': 'old group name is required',
  'group.newNameRequired': 'new group name is required',
  'group.exists': 'group already exists',
};
