/** A response envelope of the panel. */
export interface ApiResponse<T = unknown> {
  success: boolean;
  msg: string;
  obj: T;
}

/** The panel's API as a script uses it, with a bearer token. Calls throw when the envelope reports a failure. */
export function createApi(panelUrl: string, token: string) {
  const base = panelUrl.replace(/\/$/, '');
  async function send<T>(method: string, path: string, body?: unknown): Promise<ApiResponse<T>> {
    const form = body instanceof URLSearchParams;
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!text.startsWith('{')) throw new Error(`${method} ${path}: HTTP ${response.status} ${text.slice(0, 200)}`);
    return JSON.parse(text) as ApiResponse<T>;
  }
  async function expectOk<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await send<T>(method, path, body);
    if (!response.success) throw new Error(`${method} ${path}: ${response.msg} ${JSON.stringify(response.obj)}`);
    return response.obj;
  }
  /** The body of a file response. */
  async function download(path: string): Promise<Uint8Array> {
    const response = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`GET ${path}: HTTP ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
  /** Sends a form with files. */
  async function upload<T>(path: string, form: FormData): Promise<ApiResponse<T>> {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return (await response.json()) as ApiResponse<T>;
  }
  return {
    send,
    download,
    upload,
    get: <T>(path: string) => expectOk<T>('GET', path),
    post: <T>(path: string, body: unknown = {}) => expectOk<T>('POST', path, body),
  };
}
export type Api = ReturnType<typeof createApi>;
