import type { Logger } from '../../contract/logger.ts';
import type { Channel } from './channel.ts';
import type { EventKind, Subscriber } from './contract.ts';
import type { Listening } from './intake.ts';
import type { DeliveryLine } from './line.ts';

/** How a subscriber stands in the grid. */
export interface Registration {
  /** What it calls itself, for those that are several. */
  label?: () => string;
  /** Setting with its kinds as a comma list. */
  setting?: Exclude<Subscriber['setting'], '' | 'panelEnabledEvents'>;
  /** Its kinds when no setting holds them. */
  kinds?: () => readonly EventKind[];
  /** Those that it can be told of; all when absent. */
  offers?: readonly EventKind[];
  /** Whether it is switched on at all; on when absent. */
  isOn?: () => boolean;
  /** Tells each one concerned apart, so a storm is not summed up for it. */
  isEach?: boolean;
}

export interface Registered extends Listening {
  registration: Registration;
  line: DeliveryLine;
}

/** One that cannot say what it wants, wants nothing: the others are told all the same. */
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
