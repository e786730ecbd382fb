/** English texts of the store's errors. */
export const texts: Readonly<Record<string, string>> = {
  'store.folderInUse':
    'Another panel uses the data folder {folder}. Stop it, or give this one another folder: --data-dir',
  'store.folderReadOnly':
    'The data folder {folder} cannot be written ({reason}). Correct its permissions, or choose another one: --data-dir',
  'store.newerVersion':
    'The database was written by a newer panel (version {found}, this program knows {known}). Update this program, or go back to a backup in the folder "backups".',
  'store.otherVersion':
    'The panel that uses this data folder has another version (database {found}, this command {known}). Run the command of that version.',
};
