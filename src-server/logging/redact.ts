/** Replaces a value that must not be written down. */
const REDACTED = '[redacted]';

/** Parts of field names whose values are never written. */
const SECRET_PARTS =
  /password|passwd|passphrase|secret|token|authorization|cookie|credential|csrf|private_?key|api_?key|preshared_?key/i;
/** Names that are secret only as a whole: `key` is, `keyFile` is a path. */
const SECRET_NAMES = new Set(['key', 'keys', 'auth', 'link', 'links', 'subid', 'uuid', 'psk', 'totp', 'twofactorcode']);

/** Share links and bearer tokens inside longer texts, and credentials inside addresses. */
const SECRET_TEXT: readonly [RegExp, string][] = [
  [/\b(vless|vmess|trojan|ss|hysteria2?|hy2|wireguard|wg):\/\/\S+/gi, `$1://${REDACTED}`],
  [/\bbearer\s+\S+/gi, `Bearer ${REDACTED}`],
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@]+@/gi, `$1${REDACTED}@`],
];

const MAX_TEXT = 1000;
const MAX_STACK = 4000;
const MAX_DEPTH = 6;
const MAX_ENTRIES = 50;

/** A copy of a log value that is safe to write: plain data, bounded, without secrets. Never throws. */
export function redact(value: unknown, name = '', depth = 0): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (value === undefined) return null;
  if (isSecretName(name)) return REDACTED;
  if (typeof value === 'string') return plainText(value, MAX_TEXT);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return `[${typeof value}]`;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (depth >= MAX_DEPTH) return '[nested deeper]';
  if (value instanceof Error) return describeError(value, depth);
  try {
    return Array.isArray(value) ? redactArray(value, name, depth) : redactObject(value, depth);
  } catch {
    // A getter or a proxy that throws must not lose the log line.
    return '[unreadable]';
  }
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase()) || SECRET_PARTS.test(name);
}

function redactArray(values: readonly unknown[], name: string, depth: number): unknown[] {
  const shown = values.slice(0, MAX_ENTRIES).map((value) => redact(value, name, depth + 1));
  return values.length > MAX_ENTRIES ? [...shown, `… ${values.length - MAX_ENTRIES} more`] : shown;
}

function redactObject(value: object, depth: number): unknown {
  const entries = Object.entries(
    value instanceof Map ? Object.fromEntries(value) : value instanceof Set ? [...value] : value,
  );
  const shown = entries
    .slice(0, MAX_ENTRIES)
    .map(([key, inner]) => [plainText(key, 100), redact(inner, key, depth + 1)]);
  if (entries.length > MAX_ENTRIES) shown.push(['…', `${entries.length - MAX_ENTRIES} more`]);
  return Object.fromEntries(shown);
}

function describeError(error: Error, depth: number): unknown {
  const { name, message, stack, cause } = error;
  return {
    name,
    message: plainText(message, MAX_TEXT),
    ...('code' in error ? { errorCode: plainText(String(error.code), 100) } : {}),
    ...('params' in error ? { params: redact(error.params, '', depth + 1) } : {}),
    ...(stack === undefined ? {} : { stack: plainText(stack, MAX_STACK) }),
    ...(cause === undefined ? {} : { cause: redact(cause, '', depth + 1) }),
  };
}

function plainText(text: string, maxLength: number): string {
  // Cut first: patterns must not run over megabytes.
  const kept = text.slice(0, maxLength);
  let safe = kept;
  for (const [pattern, replacement] of SECRET_TEXT) safe = safe.replace(pattern, replacement);
  return text.length > maxLength ? `${safe}… (${text.length} characters)` : safe;
}
