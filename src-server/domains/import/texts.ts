/** English texts of imports. */
export const texts: Readonly<Record<string, string>> = {
  'import.failed': 'An error occurred while importing the database. ({reason})',
  'import.done': 'The database has been successfully imported.',
  'import.noFile':
    'An error occurred while importing the database. (An error occurred while reading the database. (the field "db" holds no file))',
  'import.passphrase': 'The passphrase does not open the keys in this backup. Type the one it was made with.',
  'import.addressBlocked':
    'The address of the other panel’s database is refused ({reason}). Where it is meant to be on this machine or its network, add --allow-private.',
  'import.passwordShows':
    'A password in the address shows in the list of processes. Leave it out, and name a file that holds it: IMPORT_PASSWORD_FILE',
  'import.busy':
    'An import is under way, or another file is being checked. Wait until that has ended or the panel has restarted.',
  'import.waits':
    'A restore or an import waits for the next start of the panel already. Withdraw it first: restore --cancel',
  'import.noneWaits': 'Nothing waits for the next start of the panel.',
  'import.jobRunning': '"{job}" is under way. Wait until it has ended, or cancel it, then import.',
  'import.notConfirmed': 'Type the name of the backup to confirm: {name}',
};
