import { DomainError } from '../../../contract/domain-error.ts';
import type { Settings } from '../contract.ts';

const PATHS = [
  ['webBasePath', 'web base path'],
  ['subPath', 'subscription path'],
  ['subJsonPath', 'subscription JSON path'],
  ['subYamlPath', 'subscription YAML path'],
] as const;
export type PathKey = (typeof PATHS)[number][0];
export const PATH_KEYS: readonly PathKey[] = PATHS.map(([key]) => key);

/** `/a` and `a` become `/a/`: older rows and flags may hold anything. */
export function normalisePath(raw: string): string {
  const inner = raw.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '/' : `/${inner}/`;
}

/**
 * Paths are plain segments; browsers resolve `.` and `..` before they ask. Besides characters that are invalid in URLs,
 * this excludes those with a meaning elsewhere: `%` and non-ASCII (one path, two spellings), `;` and `,` (end a cookie's
 * path), `:`, `*` and brackets (route patterns).
 * @throws {DomainError} `settings.path`, `settings.samePath`, `settings.mailPath`
 */
export function checkPaths(settings: Settings): void {
  for (const [key, path] of PATHS) {
    if (!isPlainPath(settings[key])) throw new DomainError('settings.path', { path });
  }
  const { subPath, subJsonPath, subYamlPath } = settings;
  const shared = [subPath, subJsonPath, subYamlPath].map(normalisePath);
  const twice = shared.find((path, at) => shared.indexOf(path) !== at);
  if (twice !== undefined) throw new DomainError('settings.samePath', { value: twice });
  // Pages that e-mails link to: the subscription server looks for them first.
  const value = `${normalisePath(subPath)}mail/`;
  for (const field of ['subJsonPath', 'subYamlPath'] as const) {
    if (normalisePath(settings[field]) === value) throw new DomainError('settings.mailPath', { field, value });
  }
}

function isPlainPath(path: string): boolean {
  if (!/^\/(?:[A-Za-z0-9._~-]+\/)*(?:[A-Za-z0-9._~-]+)?$/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '.' && segment !== '..');
}
