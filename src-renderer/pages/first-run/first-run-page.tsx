import { Anchor, Button, Group, Paper, Stack, Title, UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { desktopBridge } from '../../api/desktop.ts';
import { bridgeEvents } from '../../api/event-bridge.ts';
import { useTransport } from '../../api/transport-context.tsx';
import { SignInAgain } from '../../app/account/sign-in-again.tsx';
import { AccountStep } from './account-step.tsx';
import { AddressStep } from './address-step.tsx';
import { ClientStep } from './client-step.tsx';
import { CoreStep } from './core-step.tsx';
import classes from './first-run.module.css';
import { InboundStep } from './inbound-step.tsx';
import { LookStep } from './look-step.tsx';
import { NetworkStep } from './network-step.tsx';
import { forgetStep, openStep, stepsOf, storeStep, type Step } from './steps.ts';

/** Steps whose own button leads on; continuing without it means skipping. */
const OWN_VERBS: ReadonlySet<Step> = new Set<Step>(['account', 'address', 'inbound', 'client']);

/** From the one-time link of the first start to a code for a phone. Each step can be skipped, left and resumed. */
export function FirstRunPage() {
  const { t } = useTranslation(['firstRun', 'words']);
  const navigate = useNavigate();
  const transport = useTransport();
  const cache = useQueryClient();
  const [params, setParams] = useSearchParams();
  const steps = stepsOf(desktopBridge() !== null);
  const step = openStep(params.get('step'), steps);
  const at = steps.indexOf(step);
  const isLast = at === steps.length - 1;
  useEffect(() => bridgeEvents(transport, cache), [transport, cache]);
  useEffect(() => storeStep(step), [step]);
  const content = useRef<HTMLElement>(null);
  const shown = useRef(step);
  // The button that led on has another meaning in the next step, or is gone.
  useEffect(() => {
    if (shown.current !== step) content.current?.focus();
    shown.current = step;
  }, [step]);
  useEffect(() => {
    document.title = `${t('title')} · Switchyard`;
  }, [t]);
  const open = (next: Step): void => setParams({ step: next });
  const handleNext = (): void => {
    if (!isLast) return open(steps[at + 1]!);
    forgetStep();
    void navigate('/panel');
  };
  return (
    <main className={classes['page']}>
      <Stack gap="lg">
        <Group justify="space-between">
          <Title order={1} size="h2">
            {t('title')}
          </Title>
          <Anchor component={Link} to="/panel" size="sm">
            {t('leave')}
          </Anchor>
        </Group>
        <nav aria-label={t('steps')}>
          <ol className={classes['steps']}>
            {steps.map((name, index) => (
              <li key={name}>
                <UnstyledButton
                  className={classes['step'] ?? ''}
                  aria-current={name === step ? 'step' : undefined}
                  data-passed={index < at || undefined}
                  onClick={() => open(name)}
                >
                  <span className={classes['stepName']}>{t(`step.${name}`)}</span>
                </UnstyledButton>
              </li>
            ))}
          </ol>
        </nav>
        <Paper ref={content} withBorder p="lg" component="section" aria-labelledby="step-title" tabIndex={-1}>
          <Stack>
            <Title order={2} size="h4" id="step-title">
              {t(`step.${step}`)}
            </Title>
            <StepContent step={step} onDone={handleNext} />
          </Stack>
        </Paper>
        <Group justify="space-between">
          <Button variant="default" disabled={at === 0} onClick={() => open(steps[at - 1]!)}>
            {t('back')}
          </Button>
          <Button variant={isLast || step === 'look' ? 'filled' : 'default'} onClick={handleNext}>
            {isLast ? t('words:openPanel') : OWN_VERBS.has(step) ? t('skip') : t('words:next')}
          </Button>
        </Group>
      </Stack>
      <SignInAgain />
    </main>
  );
}

function StepContent({ step, onDone }: { step: Step; onDone: () => void }) {
  switch (step) {
    case 'look':
      return <LookStep />;
    case 'account':
      return <AccountStep onDone={onDone} />;
    case 'core':
      return <CoreStep />;
    case 'network':
      return <NetworkStep />;
    case 'address':
      return <AddressStep onDone={onDone} />;
    case 'inbound':
      return <InboundStep onDone={onDone} />;
    default:
      return <ClientStep />;
  }
}
