import type { Logger } from '../../contract/logger.ts';
import type { Channel } from './channel.ts';
import type { EventKind, Subscriber } from './contract.ts';
import type { Listening } from './intake.ts';
import type { DeliveryLine } from './line.ts';

/** A subscriber's row in the grid. */
export interface Registration {
  /** Its own name, for channels of which there are several. */
  label?: () => string;
  /** Setting that holds its kinds as a comma list. */
  setting?: Exclude<Subscriber['setting'], '' | 'panelEnabledEvents'>;
  /** Its kinds, when no setting holds them. */
  kinds?: () => readonly EventKind[];
  /** Kinds it can subscribe to; all when absent. */
  offers?: readonly EventKind[];
  /** Whether it is enabled at all; enabled when absent. */
  isOn?: () => boolean;
  /** Notifies each client individually, so storms are not summarised for it. */
  isEach?: boolean;
}

export interface Registered extends Listening {
  registration: Registration;
  line: DeliveryLine;
}

/** A channel whose filter throws gets nothing; the others are not affected. */
export function careful(channel: Channel, log: Logger): Channel {
  return {
    name: channel.name,
    wants(event) {
      try {
        return channel.wants(event);
      } catch (error) {
        log.error('notify.channelFailed', { channel: channel.name, error });
        return false;
      }
    },
    deliver: (event, signal) => channel.deliver(event, signal),
  };
}
