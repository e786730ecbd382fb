import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface TestResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; null when it is not JSON. */
  json: { success: boolean; msg: string; obj: unknown } | null;
}

export interface TestRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Text or bytes unchanged; an object as JSON. */
  body?: string | Uint8Array | object;
}

/** Sends one request exactly as given: unlike with `fetch`, any Host and Origin may be set. */
export async function send(url: string, options: TestRequest = {}): Promise<TestResponse> {
  const { method = 'GET', headers = {}, body } = options;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  const bytes = isRaw ? body : JSON.stringify(body);
  const type: Record<string, string> = isRaw ? {} : { 'content-type': 'application/json' };
  const length: Record<string, string> =
    bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method, agent: false, headers: { ...type, ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('latin1');
          const utf8 = Buffer.from(text, 'latin1').toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: utf8, json: parse(utf8) });
        });
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

function parse(text: string): TestResponse['json'] {
  try {
    return JSON.parse(text) as TestResponse['json'];
  } catch {
    return null;
  }
}

/** A browser on our own pages: keeps cookies, sends the CSRF token with unsafe requests. */
export function createTestBrowser(baseUrl: string) {
  const cookies = new Map<string, string>();
  let csrf: string | null = null;

  async function go(path: string, options: TestRequest = {}): Promise<TestResponse> {
    const method = options.method ?? 'GET';
    if (method !== 'GET' && csrf === null) await fetchCsrf();
    const response = await send(`${baseUrl}${path.replace(/^\//, '')}`, {
      ...options,
      headers: {
        'x-requested-with': 'XMLHttpRequest',
        ...(cookies.size > 0 ? { cookie: cookieHeader() } : {}),
        ...(method !== 'GET' && csrf !== null ? { 'x-csrf-token': csrf } : {}),
        ...options.headers,
      },
    });
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  async function fetchCsrf(): Promise<string> {
    csrf = ((await go('csrf-token')).json?.obj ?? '') as string;
    return csrf;
  }
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  return {
    cookies,
    cookieHeader,
    fetchCsrf,
    get: (path: string, headers: Record<string, string> = {}) => go(path, { headers }),
    post: (path: string, body: TestRequest['body'] = {}, headers: Record<string, string> = {}) =>
      go(path, { method: 'POST', body, headers }),
    /** Tries to sign in; on success later requests use the session's CSRF token. */
    async login(body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<TestResponse> {
      const response = await go('login', { method: 'POST', body, headers });
      if (response.json?.success === true) csrf = null;
      return response;
    },
    async signIn(username: string, password: string): Promise<void> {
      const response = await this.login({ username, password });
      if (response.json?.success !== true) throw new Error(`sign-in failed: ${response.status} ${response.text}`);
    },
  };
}
