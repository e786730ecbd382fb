/** URL of the installer beside the packages of this build. @param downloads their folder; empty = the build has none */
export const installerAddress = (downloads: string): string =>
  downloads === '' ? '' : `${downloads.replace(/\/+$/, '')}/install.sh`;
