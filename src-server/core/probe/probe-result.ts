/**
 * `tcp`: dial alone. `http`: a request through the outbound, timed on an open connection. `real`: the whole first
 * request.
 */
export type ProbeMode = 'tcp' | 'http' | 'real';

export interface EndpointResult {
  address: string;
  success: boolean;
  delay: number;
  error?: string;
}

/** Result of testing one outbound; times in milliseconds, absent = not measured. */
export interface OutboundResult {
  tag: string;
  success: boolean;
  delay: number;
  mode: ProbeMode;
  error?: string;
  httpStatus?: number;
  connectMs?: number;
  tlsMs?: number;
  ttfbMs?: number;
  endpoints?: EndpointResult[];
}
