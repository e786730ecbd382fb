import { Alert, Button, Drawer, Stack, Text, TextInput } from '@mantine/core';
import { Failure } from '../../../ui/notices/failure.tsx';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type * as z from 'zod';
import { createEnrolment } from '#contract/nodes/enrolment';
import { keys } from '../../../api/keys.ts';
import { CallError } from '../../../api/transport.ts';
import { useChange } from '../../../api/use-change.ts';
import { FormFields } from '../../../forms/form-fields.tsx';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { CopyField } from '../../../ui/copy/copy-field.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { OpenLines } from './open-lines.tsx';
import { MovedForm } from './moved-form.tsx';
import { EnrolmentProgress } from './enrolment-progress.tsx';

type Made = z.output<typeof createEnrolment.result>;

interface EnrolmentDrawerProps {
  /** `new` = a new node, `node:5` = node 5 enrols again, `moved` = this panel moves, else a ticket's id. */
  what: string;
  onMade: (id: string) => void;
  onClose: () => void;
}

/** One command line turns a host into a node; the page follows its progress. */
export function EnrolmentDrawer({ what, onMade, onClose }: EnrolmentDrawerProps) {
  const { t } = useTranslation('nodes');
  // The server sends the ticket once: after a reload only its progress is left.
  const [made, setMade] = useState<Made | null>(null);
  const nodeId = what.startsWith('node:') ? Number(what.slice('node:'.length)) : 0;
  const isFormShown = what === 'new' || nodeId > 0;
  // Of the form on show: another one begins empty.
  const [typedIn, setTypedIn] = useState('');
  const handleTyped = (isTyped: boolean): void => setTypedIn(isTyped ? what : '');
  const handleClose = useLeaveGuard(typedIn === what, onClose);
  const handleMade = (created: Made): void => {
    setTypedIn('');
    setMade(created);
    onMade(created.enrolment.id);
  };
  return (
    <Drawer
      opened
      onClose={handleClose}
      title={t(what === 'moved' ? 'moved.title' : nodeId > 0 ? 'enrol.again' : 'add')}
    >
      {what === 'moved' && <MovedForm onTyped={handleTyped} />}
      {isFormShown && <EnrolmentForm nodeId={nodeId} onMade={handleMade} onTyped={handleTyped} />}
      {what !== 'moved' && !isFormShown && (
        <Stack>
          {made?.enrolment.id === what && <Lines made={made} />}
          <EnrolmentProgress id={what} isLineShown={made?.enrolment.id === what} />
        </Stack>
      )}
    </Drawer>
  );
}

interface EnrolmentFormProps {
  nodeId: number;
  onMade: (made: Made) => void;
  onTyped: (isTyped: boolean) => void;
}

/** The input for a ticket: a name, and this panel's address. */
function EnrolmentForm({ nodeId, onMade, onTyped }: EnrolmentFormProps) {
  const { t } = useTranslation(['nodes', 'words']);
  const create = useChange(createEnrolment, [keys.nodes]);
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const refused = create.error instanceof CallError ? create.error.issues : [];
  const refusalOf = (field: string) => refused.find((issue) => issue.field === field)?.message;
  const isAtFields =
    refused.length > 0 && refused.every(({ field }) => field === 'url' || (field === 'name' && nodeId === 0));
  const handleName = (typed: string): void => {
    setName(typed);
    onTyped(typed + url !== '');
  };
  const handleUrl = (typed: string): void => {
    setUrl(typed);
    onTyped(name + typed !== '');
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ body: { name, url: url.trim(), nodeId } }, { onSuccess: onMade });
  };
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack>
        <Text size="sm">{t(nodeId > 0 ? 'enrol.againText' : 'enrol.text')}</Text>
        <FormFields isSaving={create.isPending}>
          {nodeId === 0 && (
            <TextInput
              label={t('words:name')}
              description={t('enrol.nameText')}
              value={name}
              error={refusalOf('name')}
              onChange={(event) => handleName(event.currentTarget.value)}
              dir="auto"
              data-autofocus
            />
          )}
          <TextInput
            label={t('enrol.url')}
            description={t('enrol.urlText')}
            placeholder="https://panel.example.com/"
            value={url}
            error={refusalOf('url')}
            onChange={(event) => handleUrl(event.currentTarget.value)}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
          />
        </FormFields>
        {!isAtFields && <Failure error={create.error} />}
        <Button type="submit" loading={create.isPending}>
          {t('enrol.make')}
        </Button>
        {nodeId === 0 && (
          <>
            <Button variant="default" component={Link} to="/panel/nodes?node=new">
              {t('enrol.byToken')}
            </Button>
            <Button variant="subtle" component={Link} to="/panel/nodes?enrol=moved">
              {t('moved.title')}
            </Button>
            <OpenLines />
          </>
        )}
      </Stack>
    </form>
  );
}

const LOCAL = /^(localhost|127\.|\[::1\])/;

function Lines({ made: { ticket, installer, enrolment } }: { made: Made }) {
  const { t } = useTranslation('nodes');
  const isLocal = LOCAL.test(new URL(enrolment.url).host);
  return (
    <>
      {isLocal && (
        <Alert color="yellow" role="note">
          {t('enrol.local', { url: enrolment.url })}
        </Alert>
      )}
      {installer !== '' && (
        <CopyField label={t('enrol.bare')} value={`curl -fsSL ${installer} | sudo sh -s -- --enroll ${ticket}`} />
      )}
      <CopyField label={t('enrol.installed')} value={`sudo switchyard admin enroll ${ticket}`} />
      <Hint>{t('enrol.once')}</Hint>
    </>
  );
}
