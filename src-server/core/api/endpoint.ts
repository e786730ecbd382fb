/** Where the API of one core process listens. */
export type ApiEndpoint = { kind: 'unix'; path: string } | { kind: 'tcp'; port: number };

/** The value of `api.listen` in the core's config. The mode keeps other accounts of the machine away from the socket. */
export function listenText(endpoint: ApiEndpoint): string {
  return endpoint.kind === 'unix' ? `${endpoint.path},0600` : `127.0.0.1:${endpoint.port}`;
}

/** Reverse of {@link listenText}; null when the text is neither form. */
export function parseListenText(text: string): ApiEndpoint | null {
  if (text.startsWith('/')) return { kind: 'unix', path: text.replace(/,0[0-7]{3}$/, '') };
  const port = /^127\.0\.0\.1:(\d{1,5})$/.exec(text)?.[1];
  return port === undefined ? null : { kind: 'tcp', port: Number(port) };
}
