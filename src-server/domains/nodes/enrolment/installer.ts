/** The installer beside the packages of this build. @param downloads their folder; empty = the build names none */
export const installerAddress = (downloads: string): string =>
  downloads === '' ? '' : `${downloads.replace(/\/+$/, '')}/install.sh`;
