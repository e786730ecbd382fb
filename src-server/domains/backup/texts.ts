/** English texts of backups. */
export const texts: Readonly<Record<string, string>> = {
  'backup.retrieveFailed': 'An error occurred while retrieving the database. ({reason})',
  'backup.unknown': 'There is no automatic backup of this name. Load the list again.',
  'backup.nativeNeedsServer':
    'The database of this panel is a file. Native backups are for a database on a PostgreSQL server.',
  'backup.nativeWithoutKeys': 'A native backup cannot hold keys of certificates. Leave --with-keys out, or --native.',
  'backup.fileExists': '{file} exists already. Choose another name, or move that file away first.',
};
