import { Alert, Button, Modal, Stack, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import type { JsonSchema } from '../../../ui/json/json-editor-schema.ts';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { isSame } from '../model/json-edit.ts';
import { JsonText } from './json-text.tsx';

interface ItemEditorProps {
  title: string;
  item: JsonObject;
  /** Hints for the JSON. */
  schema?: JsonSchema;
  /** Why it cannot be taken over, in words; null = it can. */
  check: (item: JsonObject) => string | null;
  onDone: (item: JsonObject) => void;
  onClose: () => void;
  children: (item: JsonObject, edit: (next: JsonObject) => void) => ReactNode;
}

/** One entry of the template as a form and as JSON, both over the same object; members that the form does not know survive. */
export function ItemEditor({ title, item, schema, check, onDone, onClose, children }: ItemEditorProps) {
  const { t } = useTranslation(['core', 'shell']);
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false;
  const [value, setValue] = useState(item);
  const [isLoose, setLoose] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const handleClose = useLeaveGuard(isLoose || !isSame(value, item), onClose);
  const edit = (next: JsonObject): void => {
    setValue(next);
    setProblem(null);
  };
  const handleDone = (): void => {
    const found = isLoose ? t('editor.loose') : check(value);
    setProblem(found);
    if (found === null) onDone(value);
  };
  return (
    <Modal
      opened
      onClose={handleClose}
      title={title}
      size="lg"
      fullScreen={isPhone}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        <Tabs defaultValue="form" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="form" disabled={isLoose}>
              {t('editor.form')}
            </Tabs.Tab>
            <Tabs.Tab value="json">JSON</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="form">
            <Stack gap="sm">{children(value, edit)}</Stack>
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <JsonText label={title} value={value} schema={schema} onChange={edit} onLoose={setLoose} />
          </Tabs.Panel>
        </Tabs>
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <DialogFooter>
          <Button variant="default" onClick={handleClose}>
            {t('shell:cancel')}
          </Button>
          <Button onClick={handleDone}>{t('editor.done')}</Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
