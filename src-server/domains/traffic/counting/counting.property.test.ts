import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CounterReading } from '../../../core/core.ts';
import { forAllTests } from '../../../testing/for-each-test.ts';
import { trafficPanel } from '../../../testing/panels/traffic-panel.ts';

/**
 * Random histories of one panel and its core. A model tracks who really moved what; after each step it is compared with
 * the panel's counts.
 */
type Step =
  | { do: 'move'; name: number; up: number; down: number }
  | { do: 'create' | 'delete' | 'rename' | 'reset'; name: number; to: number }
  | { do: 'tick' | 'finalRead' | 'overlap' | 'restart' | 'crash' | 'killPanel' }
  | { do: 'keepReading' | 'lateTick' | 'repeatedTick' }
  | { do: 'failingTick'; mode: 'before' | 'after'; kill: boolean }
  | { do: 'jumpClock'; ms: number };

interface ModelClient {
  id: number;
  moved: { up: number; down: number };
  /** Bytes that no reading has seen yet. */
  unread: number;
  /** A core died before its last bytes were read, so they are lost. */
  hasLost: boolean;
  counted: { up: number; down: number };
}

const name = fc.integer({ min: 0, max: 3 });
const bytes = fc.integer({ min: 0, max: 1_000_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('move' as const), name, up: bytes, down: bytes }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('create', 'delete', 'rename', 'reset'), name, to: name }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'tick',
        'finalRead',
        'overlap',
        'restart',
        'crash',
        'killPanel',
        'keepReading',
        'lateTick',
        'repeatedTick',
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('failingTick' as const),
      mode: fc.constantFrom('before', 'after'),
      kill: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('jumpClock' as const), ms: fc.integer({ min: -1e9, max: 1e9 }) }),
  },
);

let round = 0;
const panel = forAllTests(trafficPanel);

class History {
  readonly #prefix = `r${round++}-`;
  /** Current owner of a name. */
  readonly #bearers = new Map<number, ModelClient>();
  /** Who moves bytes under a name: its last owner in this core process, null when that client is deleted. */
  readonly #activeClients = new Map<number, ModelClient | null>();
  readonly clients = new Set<ModelClient>();
  #kept: CounterReading | null = null;

  #email(index: number): string {
    return `${this.#prefix}${index}`;
  }

  /** A new core process: no client moves bytes under a former name. */
  #cutConnections(): void {
    this.#activeClients.clear();
    for (const [index, client] of this.#bearers) this.#activeClients.set(index, client);
  }

  /** Everything moved so far has been read. */
  #settled(): void {
    for (const client of this.clients) client.unread = 0;
  }

  async apply(action: Step): Promise<void> {
    const { core } = panel;
    switch (action.do) {
      case 'move': {
        const active = this.#activeClients.get(action.name);
        if (active === undefined) return;
        core.move('users', this.#email(action.name), action.up, action.down);
        if (active === null) return;
        active.moved.up += action.up;
        active.moved.down += action.down;
        active.unread += action.up + action.down;
        return;
      }
      case 'create':
        return this.#create(action.name);
      case 'delete':
        return this.#delete(action.name);
      case 'rename':
        return this.#rename(action.name, action.to);
      case 'reset': {
        const client = this.#bearers.get(action.name);
        if (client !== undefined) await panel.resetClient(client.id);
        return;
      }
      case 'tick':
        await panel.tick();
        return this.#settled();
      case 'finalRead':
        await panel.service().finalRead();
        return this.#settled();
      case 'overlap':
        await Promise.all([panel.service().tick(), panel.service().finalRead(), panel.service().finalRead()]);
        return this.#settled();
      case 'restart':
        await core.restart();
        this.#settled();
        this.#cutConnections();
        await panel.advance(1);
        return;
      case 'crash':
        core.crash();
        for (const client of this.clients) client.hasLost ||= client.unread > 0;
        this.#settled();
        core.start();
        this.#cutConnections();
        await panel.advance(1);
        return;
      case 'killPanel':
        return panel.reopen();
      case 'keepReading':
        this.#kept = await core.readCounters();
        return;
      case 'lateTick':
        core.nextReading = this.#kept;
        await panel.tick();
        core.nextReading = null;
        return;
      case 'repeatedTick':
        await panel.tick();
        await panel.service().tick();
        return this.#settled();
      case 'failingTick':
        panel.failNextWrite(action.mode);
        await panel.tick();
        panel.failNextWrite(null);
        if (action.kill) panel.reopen();
        return;
      case 'jumpClock':
        return panel.jumpClock(action.ms);
    }
  }

  async #create(index: number): Promise<void> {
    if (this.#bearers.has(index)) return;
    const email = this.#email(index);
    await panel.service().port.settleSubjects([email]);
    const id = await panel.addClient(email);
    const client: ModelClient = {
      id,
      moved: { up: 0, down: 0 },
      unread: 0,
      hasLost: false,
      counted: { up: 0, down: 0 },
    };
    this.clients.add(client);
    this.#bearers.set(index, client);
    this.#activeClients.set(index, client);
  }

  async #delete(index: number): Promise<void> {
    const client = this.#bearers.get(index);
    if (client === undefined) return;
    await panel.deleteClient(client.id);
    this.#bearers.delete(index);
    for (const [other, active] of this.#activeClients) if (active === client) this.#activeClients.set(other, null);
    this.clients.delete(client);
  }

  async #rename(index: number, to: number): Promise<void> {
    const client = this.#bearers.get(index);
    if (client === undefined || this.#bearers.has(to)) return;
    await panel.service().port.settleSubjects([this.#email(to)]);
    await panel.renameClient(client.id, this.#email(to));
    this.#bearers.delete(index);
    this.#bearers.set(to, client);
    this.#activeClients.set(to, client);
  }

  /** Invariants at any moment. */
  async check(): Promise<void> {
    for (const client of this.clients) {
      const { upBytes, downBytes } = await panel.state(client.id);
      const counted = await panel.ledgerSum(client.id, 'core');
      expect(await panel.ledgerSum(client.id)).toEqual({ up: upBytes, down: downBytes });
      expect(counted.up).toBeLessThanOrEqual(client.moved.up);
      expect(counted.down).toBeLessThanOrEqual(client.moved.down);
      expect(counted.up).toBeGreaterThanOrEqual(client.counted.up);
      expect(counted.down).toBeGreaterThanOrEqual(client.counted.down);
      client.counted = counted;
    }
  }

  /** Invariants after a final read: every byte is counted, except those that died with a core. */
  async checkExact(): Promise<void> {
    await panel.service().finalRead();
    await this.check();
    for (const { counted, moved, hasLost } of this.clients) if (!hasLost) expect(counted).toEqual(moved);
  }
}

it('never counts more than was moved, never less without a reset, and everything in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const history = new History();
      for (const index of [0, 1]) await history.apply({ do: 'create', name: index, to: 0 });
      for (const action of steps) {
        await history.apply(action);
        await history.check();
      }
      await history.checkExact();
    }),
    { numRuns: 60 },
  );
});
