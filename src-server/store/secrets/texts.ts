/** English texts of the errors of this folder. */
export const texts: Readonly<Record<string, string>> = {
  'secrets.keyElsewhere':
    'The key of this data folder is kept by the desktop application. Change secrets there, or while no desktop application uses this folder delete secret.key and enter all secrets again.',
};
