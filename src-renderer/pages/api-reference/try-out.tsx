import { Button, Group, PasswordInput, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { desktopBridge } from '../../api/desktop.ts';
import { useTransport } from '../../api/transport-context.tsx';
import type { RawResponse } from '../../api/transport.ts';
import { useConnection } from '../../stores/connection.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/notices/failure.tsx';
import { Hint } from '../../ui/layout/hint.tsx';
import type { ApiCall } from './api-document.ts';
import classes from './api-reference.module.css';
import { addressOf } from './request-address.ts';
import { sendWithToken } from './send-with-token.ts';
import { emptyForm, formDataOf, UploadFields, type FormValues } from './upload-fields.tsx';

/** What a header can carry; with anything else the browser sends nothing, and gives no reason. */
const SENDABLE = /^[\x21-\x7e]*$/;

export interface TokenProps {
  /** API token for trial calls, empty = the present session. */
  token: string;
  onToken: (token: string) => void;
}

/** Sends a call with the present session or a token and shows the raw response. */
export function TryOut({ call, example, token, onToken }: TokenProps & { call: ApiCall; example: string }) {
  const { t } = useTranslation(['apiReference', 'words']);
  const transport = useTransport();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(example);
  const [form, setForm] = useState<FormValues>(call.upload === null ? {} : emptyForm(call.upload));
  const [problem, setProblem] = useState('');
  const [tokenProblem, setTokenProblem] = useState('');
  const { method, parameters, upload, isFile } = call;
  const address = addressOf(call, values);
  const run = useMutation<RawResponse, Error, unknown>({
    mutationFn: (sent) => {
      const request = { method, path: address, ...(sent === undefined ? {} : { body: sent }) };
      return token === '' ? transport.send(request) : sendWithToken(transport, request, token);
    },
    onSuccess: ({ status }) => {
      if (status === 401 && token === '') useConnection.getState().setSignedOut(true);
    },
  });
  const handleSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem('');
    setTokenProblem('');
    if (!SENDABLE.test(token)) return setTokenProblem(t('try.badToken'));
    let sent: unknown;
    try {
      if (call.body !== null) sent = JSON.parse(body);
      else if (upload !== null) sent = formDataOf(form);
    } catch (error) {
      return setProblem(t('try.badBody', { reason: (error as Error).message }));
    }
    const isSure =
      method === 'GET' ||
      (await confirmAction({
        title: t('try.sureTitle'),
        text: t('try.sureText', { call: `${method} ${address}` }),
        action: t('try.send'),
      }));
    if (isSure) run.mutate(sent);
  };
  return (
    <form onSubmit={(event) => void handleSubmit(event)}>
      <Stack gap="sm">
        <Title order={3} size="h6">
          {t('try.title')}
        </Title>
        <Hint>{t('try.note')}</Hint>
        {desktopBridge() === null && (
          <PasswordInput
            label={t('words:apiToken')}
            description={t('try.tokenHint')}
            dir="ltr"
            autoComplete="off"
            data-1p-ignore
            error={tokenProblem}
            value={token}
            onChange={(event) => onToken(event.currentTarget.value.trim())}
          />
        )}
        {parameters.map(({ name, required }) => (
          <TextInput
            key={name}
            label={name}
            dir="ltr"
            required={required}
            value={values[name] ?? ''}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
        {call.body !== null && (
          <Textarea
            label={t('try.body')}
            dir="ltr"
            autosize
            minRows={3}
            maxRows={16}
            error={problem}
            classNames={{ input: classes['path'] ?? '' }}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        )}
        {upload !== null && <UploadFields schema={upload} values={form} onChange={setForm} />}
        <Group>
          {isFile && token === '' ? (
            <Button component="a" href={transport.fileUrl(address)} download variant="default">
              {t('try.file')}
            </Button>
          ) : (
            <Button type="submit" loading={run.isPending}>
              {isFile ? t('try.file') : t('try.send')}
            </Button>
          )}
        </Group>
        <Failure error={run.error} />
        {run.data !== undefined && (
          <Stack gap={4} role="status">
            <Text size="sm" fw={600}>
              {t('try.answer', { status: String(run.data.status) })}
            </Text>
            {run.data.body !== undefined && (
              <pre className={classes['code']} dir="ltr" tabIndex={0}>
                {JSON.stringify(run.data.body, null, 2)}
              </pre>
            )}
          </Stack>
        )}
      </Stack>
    </form>
  );
}
