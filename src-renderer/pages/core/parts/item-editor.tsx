import { Alert, Button, Modal, Stack, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { createDraft, isDirty, textOf } from '../../../forms/draft/draft-store.ts';
import { JsonEditor } from '../../../ui/json/json-editor.tsx';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import type { JsonSchema } from '../../../ui/json/json-editor-schema.ts';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { useHoldDraft } from '../model/draft.ts';
import classes from '../../../ui/notices/notices.module.css';
import { useIntoView } from '../../../ui/notices/use-into-view.ts';

interface ItemEditorProps {
  title: string;
  item: JsonObject;
  /** JSON schema for hints. */
  schema?: JsonSchema;
  /** Why it cannot be applied, in words; null = it can. */
  check: (item: JsonObject) => string | null;
  onDone: (item: JsonObject) => void;
  onClose: () => void;
  children: (item: JsonObject, edit: (next: JsonObject) => void) => ReactNode;
}

/** One entry of the template as a form and as JSON over the same object; members unknown to the form survive. */
export function ItemEditor({ title, item, schema, check, onDone, onClose, children }: ItemEditorProps) {
  const { t } = useTranslation('core');
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false;
  const [useItem] = useState(() => createDraft(item));
  useHoldDraft();
  const state = useItem();
  const { draft, issues, typeText, change, refuse } = state;
  const isLoose = state.looseText !== null;
  const notice = useIntoView(issues);
  const handleClose = useLeaveGuard(isDirty(state), onClose);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const found = isLoose ? t('editor.loose') : check(draft);
    if (found === null) onDone(draft);
    else refuse([{ path: '', message: found, placed: found }]);
  };
  // Enter in an open list chooses from it, or nothing.
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.target as Element).matches('[aria-expanded="true"]')) event.preventDefault();
  };
  return (
    <Modal opened onClose={handleClose} title={title} size="lg" fullScreen={isPhone}>
      <Stack component="form" onSubmit={handleSubmit} onKeyDown={handleKeyDown}>
        <Tabs defaultValue="form" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="form" disabled={isLoose}>
              {t('editor.form')}
            </Tabs.Tab>
            <Tabs.Tab value="json">JSON</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="form">
            <Stack gap="sm">{children(draft, (next) => change(() => next))}</Stack>
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <JsonEditor
              label={title}
              value={textOf(state)}
              onChange={typeText}
              minHeight={320}
              {...(schema === undefined ? {} : { schema })}
            />
          </Tabs.Panel>
        </Tabs>
        {issues.map(({ message }) => (
          <Alert key={message} ref={notice} color="red" role="alert" className={classes['notice'] ?? ''}>
            {message}
          </Alert>
        ))}
        <DialogFooter onCancel={handleClose}>
          <Button type="submit">{t('editor.done')}</Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
