/** English texts of backups. */
export const texts: Readonly<Record<string, string>> = {
  'backup.retrieveFailed': 'An error occurred while retrieving the database. ({reason})',
  'backup.unknown': 'There is no automatic backup of this name. Load the list again.',
  'backup.fileExists': '{file} exists already. Choose another name, or move that file away first.',
};
