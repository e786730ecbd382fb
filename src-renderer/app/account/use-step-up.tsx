import { useCallback, useState, type ReactNode } from 'react';
import { CallError } from '../../api/transport.ts';
import { StepUp, type Proof } from './step-up.tsx';

interface Pending {
  /** Sends the change again with the proof. */
  send: (proof: Proof) => void;
  cancel: () => void;
  /** Why the last proof was refused. */
  error: string;
  /** Whether the change is under way again. */
  isSending: boolean;
}

interface StepUpHook {
  /**
   * Runs a change that the server may guard: when it asks for a proof, the dialog opens and the change is sent again.
   * @returns false when the dialog was closed instead. @throws what the change itself throws.
   */
  prove: (action: (proof: Proof) => Promise<unknown>) => Promise<boolean>;
  dialog: ReactNode;
}

/** Confirms the admin's identity for delicate changes. `dialog` goes anywhere in the page. */
export function useStepUp(): StepUpHook {
  const [pending, setPending] = useState<Pending | null>(null);
  const prove = useCallback(
    (action: (proof: Proof) => Promise<unknown>) =>
      new Promise<boolean>((resolve, reject) => {
        const send = (proof: Proof): void => {
          setPending((before) => before && { ...before, isSending: true });
          attempt(proof);
        };
        const attempt = (proof: Proof): void => {
          action(proof).then(
            () => {
              setPending(null);
              resolve(true);
            },
            (error: unknown) => {
              const isRequired = error instanceof CallError && error.code === 'session.stepUpRequired';
              const isWrong = error instanceof CallError && error.code === 'session.stepUpFailed';
              if (isRequired || isWrong)
                setPending({ send, cancel, error: isWrong ? error.message : '', isSending: false });
              else {
                setPending(null);
                reject(error);
              }
            },
          );
        };
        const cancel = (): void => {
          setPending(null);
          resolve(false);
        };
        attempt({});
      }),
    [],
  );
  const dialog = pending !== null && (
    <StepUp
      isOpen
      isSending={pending.isSending}
      error={pending.error}
      onProof={pending.send}
      onClose={pending.cancel}
    />
  );
  return { prove, dialog };
}
