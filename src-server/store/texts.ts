/** English texts of the store's errors. */
export const texts: Readonly<Record<string, string>> = {
  'store.folderInUse':
    'Another panel uses the data folder {folder}. Stop it, or give this one another folder: --data-dir',
  'store.folderReadOnly':
    'The data folder {folder} cannot be written ({reason}). Correct its permissions, or choose another one: --data-dir',
  'store.fileUnusable':
    'The database {file} cannot be opened ({reason}). It was left as it is. Check that it belongs to the user of the panel, that no other program has locked it, and that the disk has room.',
  'store.newerVersion':
    'The database was written by a newer panel (version {found}, this program knows {known}). Update this program, or go back to a backup in the folder "backups".',
  'store.otherVersion':
    'The panel that uses this data folder has another version (database {found}, this command {known}). Run the command of that version.',
  'store.notInFolder':
    'The panel that uses the data folder {folder} has its database on a server, or is just starting. Give this command the same DATABASE_URL as the panel.',
  'store.onServer':
    'The database of the panel in {folder} is on a server. Give the same DATABASE_URL as before. To use the file in the folder again, bring the data back into it with "migrate --to file", or, to go on with what it holds now, delete {note}.',
  'store.badAddress': 'The address of the database cannot be read. It looks like postgres://user@host:5432/name',
  'store.noPasswordFile': 'The file {file} with the password of the database cannot be read ({reason}).',
  'store.unreachable':
    'The database server cannot be reached ({reason}). Check address, network and firewall, and that it runs.',
  'store.signInRefused': 'The database server refuses the user or the password ({reason}).',
  'store.noSuchDatabase': 'The database server has no such database ({reason}). Create it: createdb -E UTF8 name',
  'store.rightsMissing':
    'The user of the database lacks a right ({reason}). Grant it: GRANT CREATE, TEMPORARY ON DATABASE name TO user',
  'store.serverTooOld': 'The database server is PostgreSQL {found}; this program needs {oldest} or later.',
  'store.isReplica': 'The database server is a replica, which takes no changes. Name the primary server.',
  'store.wrongEncoding':
    'The database stores texts as {found}. Create one with UTF8: createdb -E UTF8 -T template0 name',
  'store.foreignSchema':
    'The database has a schema "{schema}" that is not of this program. Choose another database; nothing was changed.',
  'store.notEmpty': 'The database has rows already (table {table}). Choose an empty one; nothing was changed.',
  'store.fileExists': 'The file {file} exists. Put it away first; nothing was changed.',
  'store.nothingToMigrate': 'There is no database at {where}.',
  'store.copyDiffers':
    'The copy differs (table {table}: {rows} rows, {copied} in the copy). It was given up; the source is as it was.',
  'store.schemaDiffers':
    'The database has version {found} of the schema, this program knows {known}. Run the version of the program that the panel has.',
  'store.schemaMoved':
    'The database has another schema than before. Bring this program to the version of the panel and start it again.',
  'store.roleNeedsServer':
    'A subscription server reads a database on a PostgreSQL server. Name it: DATABASE_URL, DATABASE_URL_READ, or --database postgres://user@host/name',
  'store.needsDirect':
    'The address of the database leads to a connection pooler. Name the server itself beside it: DATABASE_URL_DIRECT=postgres://user@host:5432/name',
  'store.poolerElsewhere':
    'The connection pooler leads to another database than DATABASE_URL_DIRECT. Both have to lead to the same one.',
  'store.standby': 'This panel stands by and takes no changes. {name} is active: {address}',
  'store.otherKey':
    'The file {file} is not the key of this database, so that passwords and keys in it cannot be read. Copy secret.key from the data folder of {name} into its place, and start again.',
  'store.dumpProgramMissing':
    'pg_dump is not installed on this machine: install the package postgresql-client-{needed} (Debian, Ubuntu), then try again.',
  'store.dumpProgramOld':
    'The newest pg_dump on this machine is of PostgreSQL {found}, and the server is PostgreSQL {needed}: install the package postgresql-client-{needed} (Debian, Ubuntu), then try again.',
  'store.dumpFailed': 'pg_dump ended without a backup ({reason}).',
  'store.databaseInUse': 'Another panel uses this database. Stop it, or give this one a database of its own.',
};
