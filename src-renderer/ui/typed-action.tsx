import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { plainDigits } from '../forms/plain-digits.ts';
import { withoutMarks } from '../i18n/i18n.ts';

interface TypedActionProps {
  /** The text to type. */
  name: string;
  /** Label of the field. */
  label: string;
  action: string;
  /** Why the last try failed; null = it did not. */
  failure: string | null;
  isBusy?: boolean;
  onAction: (typed: string) => void;
  onCancel?: () => void;
  /** Content above the question. */
  children?: ReactNode;
}

/** The last question before something irreversible: asks to type the thing's name, not only to click. */
export function TypedAction({
  name,
  label,
  action,
  failure,
  isBusy = false,
  onAction,
  onCancel,
  children,
}: TypedActionProps) {
  const { t } = useTranslation('shell');
  const [typed, setTyped] = useState('');
  const isSame = plainDigits(withoutMarks(typed).trim()) === plainDigits(name);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSame) onAction(name);
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        {failure !== null && (
          <Alert color="red" role="alert">
            <bdi>{failure}</bdi>
          </Alert>
        )}
        {children}
        <TextInput
          label={label}
          dir="ltr"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" color="red.9" loading={isBusy} disabled={!isSame}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
