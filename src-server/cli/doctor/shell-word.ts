/** A path as a shell takes it, for commands that a finding names: on a Mac the usual data folder has a blank in it. */
export function shellWord(path: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\p{L}\p{N}\\/.,:=@%+_-]+$/u.test(path)) return path;
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
