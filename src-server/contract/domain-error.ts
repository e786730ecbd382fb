/**
 * An expected failure. `code` is a stable dotted key (`inbound.portTaken`) and the translation key of its text;
 * `params` fill the text's placeholders. Anything else that is thrown is a bug.
 */
export class DomainError extends Error {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  constructor(code: string, params: Record<string, string | number> = {}, options?: ErrorOptions) {
    super(code, options);
    this.name = 'DomainError';
    this.code = code;
    this.params = params;
  }
}
