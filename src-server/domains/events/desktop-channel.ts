import type { Publish } from '../../contract/events.ts';
import type { Settings } from '../settings/contract.ts';
import type { Channel } from './channel.ts';
import { eventAddress } from './contract.ts';
import { EVENT_LANGUAGES, eventText } from './event-text.ts';
import { kindsOf } from './kinds-of.ts';

/** Passes events to the desktop window, which shows them as system notifications in its own language. */
export function desktopChannel(settings: { current(): Settings }, publish: Publish): Channel {
  return {
    name: 'desktop',
    wants({ kind, facts }) {
      const { desktopEnabledEvents, panelCpu } = settings.current();
      if (!kindsOf(desktopEnabledEvents).includes(kind)) return false;
      return kind !== 'cpu.high' || (panelCpu > 0 && Number(facts['percent']) > panelCpu);
    },
    async deliver(event) {
      const { timeLocation } = settings.current();
      const words = Object.fromEntries(
        EVENT_LANGUAGES.map((language) => [language, eventText(event, language, timeLocation)]),
      );
      publish({ type: 'told', kind: event.kind, path: eventAddress(event), words });
    },
  };
}
