import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ApiCall, Schemas } from './api-document.ts';
import classes from './api-reference.module.css';
import { exampleOf, schemaRows, typeOf } from './schema-view.ts';
import { SchemaTable } from './schema-table.tsx';
import { CallSamples } from './call-samples.tsx';
import { TryOut, type TokenProps } from './try-out.tsx';

interface CallDetailProps extends TokenProps {
  call: ApiCall;
  schemas: Schemas;
}

/** Parameters and result of one call, and a form to try it. */
export function CallDetail({ call, schemas, token, onToken }: CallDetailProps) {
  const { t } = useTranslation('apiReference');
  const { method, path, summary, parameters, body, upload, result } = call;
  const sent = body ?? upload;
  const example = body === null ? '' : JSON.stringify(call.example ?? exampleOf(body, schemas), null, 2);
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Anchor component={Link} to="?" size="sm" hiddenFrom="md">
          {t('back')}
        </Anchor>
        <Stack gap={4}>
          <Title order={2} size="h4" dir="ltr" ta="start">
            <Group gap="xs" component="span">
              <span className={classes['method']} data-method={method}>
                {method}
              </span>
              <span className={classes['path']}>{path}</span>
            </Group>
          </Title>
          <Text size="sm">
            <bdi>{summary}</bdi>
          </Text>
        </Stack>
        {parameters.length > 0 && (
          <Part title={t('parameters')}>
            <SchemaTable
              label={t('parameters')}
              rows={parameters.map(({ name, required, schema, in: place }) => ({
                name,
                type: `${typeOf(schema, schemas)} (${place})`,
                isRequired: required,
                note: schema.description ?? '',
              }))}
            />
          </Part>
        )}
        {sent !== null && (
          <Part title={t('body')}>
            <SchemaTable label={t('body')} rows={schemaRows(sent, schemas)} />
          </Part>
        )}
        {body !== null && (
          <Part title={t('example')}>
            <pre className={classes['code']} dir="ltr" tabIndex={0}>
              {example}
            </pre>
          </Part>
        )}
        {result !== null && (
          <Part title={t('result')}>
            <SchemaTable label={t('result')} rows={schemaRows(result, schemas)} />
          </Part>
        )}
        <Part title={t('sample.title')}>
          <CallSamples key={call.id} call={call} schemas={schemas} example={example} />
        </Part>
        <TryOut key={call.id} call={call} example={example} token={token} onToken={onToken} />
      </Stack>
    </Paper>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h6">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
