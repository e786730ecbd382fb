/** Calls to a panel that show secrets, export everything, or delete many: with a lock they need confirmation first. */
const SENSITIVE: readonly RegExp[] = [
  // Everything, with every secret.
  /^\/panel\/api\/server\/(getDb|getMigration|importDB)$/,
  /^\/panel\/api\/server\/backups\/[^/]+\/(download|restore)$/,
  /^\/panel\/api\/clients\/export$/,
  /^\/panel\/api\/journal\/export$/,
  /^\/panel\/api\/backuptobot$/,
  // Links and keys.
  /^\/panel\/api\/clients\/(links|subLinks)\/[^/]+$/,
  /^\/panel\/api\/inbounds\/allLinks$/,
  /^\/panel\/api\/setting\/apiTokens\/create$/,
  // Bulk deletions.
  /^\/panel\/api\/clients\/(bulkDel|delDepleted|delOrphans)$/,
  /^\/panel\/api\/(inbounds\/bulkDel|hosts\/bulk\/del|groups\/delete)$/,
  /^\/panel\/api\/inbounds\/\d+\/delAllClients$/,
];

/** @param path of a call, with or without its query */
export function isSensitive(path: string): boolean {
  const [plain = ''] = path.split('?', 1);
  // Panels answer the same with a slash at the end.
  const call = plain.replace(/\/$/, '');
  return SENSITIVE.some((pattern) => pattern.test(call));
}

/** The window's own calls that export or delete something. */
export const SENSITIVE_CHANNELS: ReadonlySet<string> = new Set([
  'connections.exportAll',
  'maintenance.exportTo',
  'maintenance.restore',
  'maintenance.remove',
]);

/** Calls that a locked window may still make. */
export const OPEN_CHANNELS: ReadonlySet<string> = new Set([
  'lock.view',
  'lock.answer',
  'shell.setTheme',
  'shell.setLanguage',
  'shell.listens',
]);
