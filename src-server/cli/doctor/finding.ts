/** One line of the doctor: that something is fine, or what to do. */
export interface Finding {
  ok: boolean;
  text: string;
}

export const fine = (text: string): Finding => ({ ok: true, text });
/** @param text what is wrong and what to do about it */
export const todo = (text: string): Finding => ({ ok: false, text });

/** A path as a shell takes it, for commands that a finding names: on a Mac the usual data folder has a blank in it. */
export function shellWord(path: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\p{L}\p{N}\\/.,:=@%+_-]+$/u.test(path)) return path;
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
