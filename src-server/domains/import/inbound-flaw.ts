import type { Reason } from '../../contract/envelope.ts';
import { leftOut } from './left-out.ts';
import { isObject, parseJson } from './other-panel/other-rows.ts';

/** An inbound as a file has it. */
export interface GivenInbound {
  protocol: string;
  /** Parsed; null = no JSON. */
  settings: unknown;
  /** JSON, or empty. */
  streamSettings: string;
  port: number;
}

/** Why an inbound cannot be imported; null = it can. */
export function inboundFlaw(
  { protocol, settings, streamSettings, port }: GivenInbound,
  isKnown: (protocol: string) => boolean,
): Reason | null {
  if (!isKnown(protocol)) return leftOut('leftOut.protocolUnknown', { protocol });
  if (!isObject(settings)) return leftOut('leftOut.settings');
  if (streamSettings !== '' && !isObject(parseJson(streamSettings))) return leftOut('leftOut.streamSettings');
  return port < 0 || port > 65_535 ? leftOut('leftOut.port', { port }) : null;
}

/** Settings as stored; empty text means that there are none. */
export const settingsIn = (text: string): unknown => (text === '' ? {} : parseJson(text));
