/**
 * An expected failure. `code` is a stable dotted key (`inbound.portTaken`) and the translation key of its text;
 * `params` fill the text's placeholders. Anything else that is thrown is a bug.
 */
export class DomainError extends Error {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** Path of the offending part of the request body, `outbounds[2]`; empty where the failure has no place. */
  readonly field: string;
  constructor(
    code: string,
    params: Record<string, string | number> = {},
    { field = '', ...options }: ErrorOptions & { field?: string } = {},
  ) {
    super(code, options);
    this.name = 'DomainError';
    this.code = code;
    this.params = params;
    this.field = field;
  }
  /** The words it brings, of the core for example; its code where it has none. */
  get text(): string {
    return String(this.params['text'] ?? this.code);
  }
}
