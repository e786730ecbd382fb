/** The base path of a panel when the path of one of its pages was copied, which lies below `panel/`. */
export function baseOfPage(path: string): string {
  return path.replace(/\/*$/, '/').replace(/^(.*\/)panel\/.*$/, '$1');
}
