import type { DomainError } from '../../../contract/domain-error.ts';
import type { BotState } from '../contract.ts';

export interface StateDeps {
  clock: () => number;
  /** English text of a refusal. */
  textOf: (error: Pick<DomainError, 'code' | 'params'>) => string;
  /** Called when the state has changed. */
  onChange: (state: BotState) => void;
}

/** Keeps the state of the bot; `sinceMs` is the time of its last change. */
export function createBotState({ clock, textOf, onChange }: StateDeps, mode: BotState['mode']) {
  let state: BotState = {
    state: 'starting',
    mode,
    username: '',
    sinceMs: clock(),
    lastAnswerAtMs: 0,
    problem: null,
    retryAtMs: 0,
  };

  function become(next: Partial<BotState>): void {
    const before = state;
    state = { ...state, ...next };
    const isOther = state.state !== before.state || state.problem?.text !== before.problem?.text;
    if (!isOther) return;
    state = { ...state, sinceMs: clock() };
    onChange(state);
  }

  return {
    current: (): BotState => state,
    named: (username: string): void => become({ username }),
    running: (): void => become({ state: 'running', lastAnswerAtMs: clock(), problem: null, retryAtMs: 0 }),
    waiting(error: DomainError, retryAtMs: number): void {
      const { code, params } = error;
      become({ state: 'waiting', problem: { code, params: { ...params }, text: textOf(error) }, retryAtMs });
    },
  };
}

/** State of a bot that is switched off. */
export const botIsOff = (mode: BotState['mode'], sinceMs: number): BotState => ({
  state: 'off',
  mode,
  username: '',
  sinceMs,
  lastAnswerAtMs: 0,
  problem: null,
  retryAtMs: 0,
});
