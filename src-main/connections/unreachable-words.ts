import type { Texts } from '../texts/en.ts';
import { fill } from '../texts/texts.ts';
import { WrongCertificate } from './checked-agent.ts';

/** Why a panel could not be reached, for people: whether it is down, or another panel answers in its place. */
export function unreachableWords(error: unknown, texts: Texts): string {
  if (error instanceof WrongCertificate) return fill(texts.wrongCertificate, { shown: error.shown });
  const { code, message } = error as NodeJS.ErrnoException;
  return fill(texts.noAnswer, { reason: code ?? message });
}
