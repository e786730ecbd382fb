import type { FromPanels, Questions, Verb } from './messages.ts';

const ANSWER_LIMIT_MS = 30_000;
/** Copying a line may restart a core. */
const CHANGE_LIMIT_MS = 130_000;

/** Questions that the process which reads panels has not answered yet. */
export function createOpenQuestions() {
  const questions = new Map<number, { answer: (value: unknown) => void; fail: (error: Error) => void }>();
  let lastQuestion = 0;

  return {
    /** @param send sends the question under this id. @throws {Error} when it fails, or is not answered in time */
    ask<V extends Verb>(verb: V, send: (id: number) => void): Promise<Questions[V]['answer']> {
      const id = (lastQuestion += 1);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => {
            questions.delete(id);
            reject(new Error('the process that reads panels does not answer'));
          },
          verb === 'takeLine' ? CHANGE_LIMIT_MS : ANSWER_LIMIT_MS,
        );
        questions.set(id, {
          answer: (value) => {
            clearTimeout(timer);
            resolve(value as Questions[V]['answer']);
          },
          fail: (error) => {
            clearTimeout(timer);
            reject(error);
          },
        });
        send(id);
      });
    },
    /** The process answered a question, or failed to; one that is not open any more is ignored. */
    take(message: Extract<FromPanels, { type: 'answer' | 'failure' }>): void {
      const asked = questions.get(message.id);
      questions.delete(message.id);
      if (message.type === 'answer') asked?.answer(message.answer);
      else asked?.fail(new Error(message.text));
    },
    /** The process ended: nothing of what is open will be answered. */
    failAll(): void {
      for (const { fail } of questions.values()) fail(new Error('the process that reads panels ended'));
      questions.clear();
    },
  };
}
