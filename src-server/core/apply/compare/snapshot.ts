import type { UserKind } from '../../api/account.ts';
import type { JsonObject } from '../../config/source.ts';
import { createTimeSlices } from '../../../time-slices.ts';
import { sectionKey } from './content-key.ts';
import type { InboundParts } from './inbound-parts.ts';
import { objectOf, objectsOf, partsOf, textOf } from './inbound-parts.ts';
import { UserTable } from './user-table.ts';

/** One inbound as it runs. */
export interface RunningInbound {
  tag: string;
  kind: UserKind;
  /** The inbound without its users. */
  frame: JsonObject;
  frameKey: string;
  users: UserTable;
  /** False when an entry has no e-mail or a duplicate one: such an inbound is replaced as a whole. */
  isAddressable: boolean;
}

interface RunningOutbound {
  tag: string;
  key: string;
}

/** What the running core was started with or changed to since. Small: users are stored as numbers, see `UserTable`. */
export interface Snapshot {
  inbounds: Map<string, RunningInbound>;
  /** In order; the first is the default route. */
  outbounds: RunningOutbound[];
  /** False when a tag is empty or used twice: then nothing can be changed by tag. */
  hasUniqueTags: boolean;
  routing: { isThere: boolean; listsKey: string; restKey: string };
  /** Keys of all other top-level sections. */
  sections: Map<string, string>;
  apiTag: string;
}

const STEPS_PER_CLOCK = 200;

/** Takes the snapshot of a config, yielding to the event loop in between. */
export async function snapshotOf(config: JsonObject): Promise<Snapshot> {
  const slices = createTimeSlices();
  const inbounds = new Map<string, RunningInbound>();
  const listed = objectsOf(config.inbounds);
  for (const inbound of listed) {
    const running = await runningInbound(partsOf(inbound), slices);
    inbounds.set(running.tag, running);
  }
  const outbounds: RunningOutbound[] = [];
  for (const outbound of objectsOf(config.outbounds)) {
    outbounds.push({ tag: textOf(outbound.tag), key: sectionKey(outbound) });
    if (slices.isOver()) await slices.next();
  }
  const outboundTags = new Set(outbounds.map(({ tag }) => tag));
  const { rules, balancers, ...rest } = objectOf(config.routing);
  return {
    inbounds,
    outbounds,
    hasUniqueTags:
      inbounds.size === listed.length &&
      !inbounds.has('') &&
      outboundTags.size === outbounds.length &&
      !outboundTags.has(''),
    routing: {
      isThere: sectionKey(config.routing) !== '',
      listsKey: `${sectionKey(rules)}|${sectionKey(balancers)}`,
      restKey: sectionKey(rest),
    },
    sections: new Map(
      Object.entries(config)
        .filter(([name]) => name !== 'inbounds' && name !== 'outbounds' && name !== 'routing')
        // The core reads keys case-insensitively.
        .map(([name, value]) => [name.toLowerCase(), sectionKey(value)] as const)
        .filter(([, key]) => key !== ''),
    ),
    apiTag: textOf(objectOf(config.api).tag),
  };
}

/** One inbound of a snapshot. */
export async function runningInbound(parts: InboundParts, slices = createTimeSlices()): Promise<RunningInbound> {
  const users = new UserTable();
  let isAddressable = true;
  let steps = 0;
  for (const entry of parts.users) {
    if (!users.add(entry)) isAddressable = false;
    steps += 1;
    if (steps % STEPS_PER_CLOCK === 0 && slices.isOver()) await slices.next();
  }
  const { tag, kind, frame } = parts;
  return { tag, kind, frame, frameKey: sectionKey(frame), users, isAddressable };
}
