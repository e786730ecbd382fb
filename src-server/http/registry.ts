import type Router from '@koa/router';
import type { Endpoint } from '../contract/endpoint.ts';
import { isApiPath } from './guards/access.ts';
import type { Mounted } from './bind.ts';

/**
 * Routes without a contract and contracts without a route, as `METHOD /path`; both lists are empty in a sound panel. A
 * route mounted without `bind` would have no validation and no entry in the API document.
 */
export function routesWithoutContract(
  router: Router,
  mounted: Mounted,
): { routesWithoutEndpoint: string[]; endpointsWithoutRoute: string[] } {
  const routes = new Set(
    router.stack.flatMap((layer) =>
      layer.methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(layer.path)}`),
    ),
  );
  const endpoints = new Set(mounted.endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`));
  return {
    routesWithoutEndpoint: [...routes].filter((route) => !endpoints.has(route)).sort(),
    endpointsWithoutRoute: [...endpoints].filter((endpoint) => !routes.has(endpoint)).sort(),
  };
}

/** @throws {Error} when an endpoint's path contradicts who may call it, or two endpoints share a path. */
export function checkMounted(mounted: Mounted): void {
  const seen = new Set<string>();
  for (const endpoint of mounted.endpoints) {
    const place = `${endpoint.method} ${endpoint.path}`;
    if (seen.has(place)) throw new Error(`${place} is mounted twice`);
    seen.add(place);
    if (!isPlacedRight(endpoint)) throw new Error(`${place} is ${endpoint.access}, which its path contradicts`);
  }
}

function isPlacedRight({ path, access }: Endpoint): boolean {
  return access === 'public' ? !path.startsWith('/panel') : path.startsWith('/panel/') || isApiPath(path);
}
