/** English texts of imports. */
export const texts: Readonly<Record<string, string>> = {
  'import.failed': 'An error occurred while importing the database. ({reason})',
  'import.done': 'The database has been successfully imported.',
  'import.noFile':
    'An error occurred while importing the database. (An error occurred while reading the database. (the field "db" holds no file))',
  'import.passphrase': 'The passphrase does not open the keys in this backup. Type the one it was made with.',
  'import.busy': 'An import is under way already. Wait until the panel has restarted.',
  'import.jobRunning': '"{job}" is under way. Wait until it has ended, or cancel it, then import.',
  'import.notConfirmed': 'Type the name of the backup to confirm: {name}',
};
