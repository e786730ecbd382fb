/** A refusal of the API. */
export interface Refusal {
  status: number;
  description: string;
  retryAfterS?: number;
}

export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(status: number, description: string) {
    super(description);
    this.refusal = { status, description };
  }
}
