import type { ApiCall } from './api-document.ts';

/** Path and query of a call with its values; blank query parameters are left out. */
export function addressOf({ path, parameters }: ApiCall, values: Readonly<Record<string, string>>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = values[name] ?? '';
    if (place === 'query' && value !== '') query.set(name, value);
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}
