/** English texts of the errors of this folder. */
export const texts: Readonly<Record<string, string>> = {
  'secrets.keyUnreadable':
    'The key file {file} cannot be read ({reason}). It was left as it is: without it, stored passwords and keys are lost. Check that it belongs to the user of the panel.',
  'secrets.keyElsewhere':
    'The key of this data folder is kept by the desktop application. Change secrets there, or while no desktop application uses this folder delete secret.key and enter all secrets again.',
};
