import { Button, Group, Stack, Switch, Table, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_NAME_LENGTH } from '#contract/clients';
import type { PlannedClient, PlannedInbound, TransferChoices, TransferPlan } from '../../../../src-main/bridge/jobs.ts';
import { plainDigits } from '../../../forms/plain-digits.ts';
import { useFormat } from '../../../i18n/format.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { useOutsideChange } from '../../../ui/use-outside-change.ts';
import { MessageList } from '../jobs/message-list.tsx';

interface PlanProps {
  plan: TransferPlan;
  isBusy: boolean;
  onChoose: (choices: TransferChoices) => void;
  onRun: () => void;
  onBack: () => void;
}

/** What will be created, changed and refused; conflicts can be decided here. */
export function PlanView({ plan, isBusy, onChoose, onRun, onBack }: PlanProps) {
  const { t } = useTranslation('works');
  const format = useFormat();
  const { choices, inbounds, clients, clientCount, inboundCount, hostCount, refusedCount, mode } = plan;
  const hidden = clientCount + refusedCount - clients.length;
  const counts = { inbounds: inboundCount, clients: clientCount };
  const setPort = (id: number, port: number): void => onChoose({ ...choices, ports: { ...choices.ports, [id]: port } });
  const setEmail = (email: string, newEmail: string): void =>
    onChoose({ ...choices, emails: { ...choices.emails, [email]: newEmail } });
  return (
    <TitledCard title={t('transfer.planTitle')}>
      <Text>{t('transfer.sums', { ...counts, hosts: hostCount, refused: format.number(refusedCount) })}</Text>
      <MessageList messages={plan.notes} label={t('transfer.notes')} />
      {inbounds.length > 0 && <PlannedInbounds inbounds={inbounds} onPort={setPort} />}
      {clients.length > 0 && <PlannedClients clients={clients} onEmail={setEmail} />}
      {hidden > 0 && <Text size="sm">{t('transfer.cut', { count: hidden })}</Text>}
      <div>
        <Text fw={600}>{t('transfer.fetchAgain')}</Text>
        <MessageList messages={plan.fetchAgain} label={t('transfer.fetchAgain')} />
      </div>
      <Stack>
        {mode === 'move' && (
          <Switch
            label={t('transfer.probe')}
            description={t('transfer.probeHint')}
            checked={choices.isProbed}
            onChange={(event) => onChoose({ ...choices, isProbed: event.currentTarget.checked })}
          />
        )}
        <Group>
          <Button loading={isBusy} disabled={inboundCount + clientCount === 0} onClick={onRun}>
            {mode === 'move' ? t('transfer.runMove', counts) : t('transfer.runCopy', counts)}
          </Button>
          <Button variant="default" onClick={onBack}>
            {t('verbs.change')}
          </Button>
        </Group>
      </Stack>
    </TitledCard>
  );
}

interface InboundsProps {
  inbounds: readonly PlannedInbound[];
  onPort: (id: number, port: number) => void;
}

function PlannedInbounds({ inbounds, onPort }: InboundsProps) {
  const { t } = useTranslation('works');
  const format = useFormat();
  return (
    <CardTable
      minWidth={640}
      columns={[t('transfer.inbound'), t('transfer.port'), t('transfer.clients'), t('transfer.notes')]}
    >
      {inbounds.map(({ id, name, protocol, port, clientCount, isRefused, notes }) => (
        <Table.Tr key={id} aria-label={name}>
          <Table.Th scope="row">
            <bdi>{name}</bdi>
            <Hint size="xs">{protocol}</Hint>
          </Table.Th>
          <Table.Td>
            <PlannedField
              aria-label={t('transfer.portOf', { name })}
              w={110}
              inputMode="numeric"
              error={isRefused}
              value={String(port)}
              read={readPort}
              onDecide={(next) => onPort(id, Number(next))}
            />
          </Table.Td>
          <Table.Td data-label={t('transfer.clients')}>{format.number(clientCount)}</Table.Td>
          <Table.Td>
            <MessageList messages={notes} />
          </Table.Td>
        </Table.Tr>
      ))}
    </CardTable>
  );
}

interface PlannedFieldProps extends TextInputProps {
  value: string;
  /** Null = not a valid value: the field reverts. */
  read: (text: string) => string | null;
  onDecide: (value: string) => void;
}

/** Applied on blur, so that half a number never counts as a port. */
function PlannedField({ value, read, onDecide, ...rest }: PlannedFieldProps) {
  const [text, setText] = useState(value);
  useOutsideChange(value, setText);
  const decide = (): void => {
    const next = read(text.trim());
    if (next === null) setText(value);
    else if (next !== value) onDecide(next);
  };
  return (
    <TextInput
      dir="ltr"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={decide}
      onKeyDown={(event) => event.key === 'Enter' && decide()}
      {...rest}
    />
  );
}

function readPort(text: string): string | null {
  const digits = plainDigits(text);
  return /^\d{1,5}$/.test(digits) && Number(digits) >= 1 && Number(digits) <= 65_535 ? String(Number(digits)) : null;
}

interface ClientsProps {
  clients: readonly PlannedClient[];
  onEmail: (email: string, newEmail: string) => void;
}

function PlannedClients({ clients, onEmail }: ClientsProps) {
  const { t } = useTranslation('works');
  const format = useFormat();
  return (
    <>
      <Text size="sm">{t('transfer.emptyStaysOut')}</Text>
      <CardTable
        minWidth={640}
        columns={[t('transfer.client'), t('transfer.newEmail'), t('transfer.used'), t('transfer.notes')]}
      >
        {clients.map(({ email, newEmail, usedBytes, isRefused, notes }) => (
          <Table.Tr key={email} aria-label={email}>
            <Table.Th scope="row">
              <bdi>{email}</bdi>
            </Table.Th>
            <Table.Td>
              <PlannedField
                aria-label={t('transfer.newEmailOf', { email })}
                maxLength={MAX_NAME_LENGTH}
                error={isRefused}
                value={newEmail}
                read={(text) => text}
                onDecide={(next) => onEmail(email, next)}
              />
            </Table.Td>
            <Table.Td data-label={t('transfer.used')}>{format.bytes(usedBytes)}</Table.Td>
            <Table.Td>
              <MessageList messages={notes} />
            </Table.Td>
          </Table.Tr>
        ))}
      </CardTable>
    </>
  );
}
