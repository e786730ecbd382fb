/** Calls of a panel that show secrets, hand out everything, or delete many: confirmed first where there is a lock. */
const SENSITIVE: readonly RegExp[] = [
  // Everything with every secret.
  /^\/panel\/api\/server\/(getDb|getMigration|importDB)$/,
  /^\/panel\/api\/server\/backups\/[^/]+\/(download|restore)$/,
  /^\/panel\/api\/clients\/export$/,
  /^\/panel\/api\/journal\/export$/,
  /^\/panel\/api\/backuptobot$/,
  // Links and keys.
  /^\/panel\/api\/clients\/(links|subLinks)\/[^/]+$/,
  /^\/panel\/api\/inbounds\/allLinks$/,
  /^\/panel\/api\/setting\/apiTokens\/create$/,
  // Many at once.
  /^\/panel\/api\/clients\/(bulkDel|delDepleted|delOrphans)$/,
  /^\/panel\/api\/(inbounds\/bulkDel|hosts\/bulk\/del|groups\/delete)$/,
  /^\/panel\/api\/inbounds\/\d+\/delAllClients$/,
];

/** @param path of a call, with or without its query */
export function isSensitive(path: string): boolean {
  const [plain = ''] = path.split('?', 1);
  return SENSITIVE.some((pattern) => pattern.test(plain));
}

/** Calls of the window's own that hand something out or delete it. */
export const SENSITIVE_CHANNELS: ReadonlySet<string> = new Set([
  'connections.exportAll',
  'maintenance.exportTo',
  'maintenance.restore',
  'maintenance.remove',
]);

/** What a locked window may still ask. */
export const OPEN_CHANNELS: ReadonlySet<string> = new Set(['lock.view', 'lock.answer', 'shell.setTheme']);
