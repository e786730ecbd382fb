import { Alert, Button, List, NavLink } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useEffect, useState, type FormEvent } from 'react';
import { useBlocker } from 'react-router';
import type { Inbound, InboundOption } from '#contract/inbounds';
import { announceDone } from '../../../ui/announce.ts';
import { confirmDeed } from '../../../ui/confirm.tsx';
import { textAt } from '../model/json-path.ts';
import type { Draft } from '../model/draft.ts';
import classes from './inbound-editor.module.css';
import { DraftContext } from './parts/draft-context.tsx';
import { AdvancedJsonSection } from './sections/advanced-json.tsx';
import { BasicsSection } from './sections/basics.tsx';
import { FallbacksSection, type FallbackRule } from './sections/fallbacks.tsx';
import { ProtocolSection } from './sections/protocol.tsx';
import { SECTIONS } from './sections/section-card.tsx';
import { SecuritySection } from './sections/security.tsx';
import { SniffingSection } from './sections/sniffing.tsx';
import { TransportSection } from './sections/transport.tsx';
import { namesClients, useInboundDraft } from './use-inbound-draft.ts';
import { usePlaceCheck } from './use-place-check.ts';
import { useSaveInbound } from './use-save-inbound.ts';

interface InboundEditorProps {
  /** 0 = a new one. */
  id: number;
  initial: Draft;
  storedRules: readonly FallbackRule[];
  options: readonly InboundOption[];
  onSaved: (inbound: Inbound) => void;
  onLeave: () => void;
}

/** The editor of one inbound: fields and JSON over one draft, saved as a whole. */
export function InboundEditor({ id, initial, storedRules, options, onSaved, onLeave }: InboundEditorProps) {
  const { t } = useTranslation(['inboundEditor', 'shell']);
  const state = useInboundDraft(initial);
  const [rules, setRules] = useState(storedRules);
  const [isLeaving, setLeaving] = useState(false);
  const place = usePlaceCheck(state.draft, id);
  const save = useSaveInbound(id);
  const areRulesDirty = JSON.stringify(rules) !== JSON.stringify(storedRules);
  const isDirty = state.isDirty || areRulesDirty;
  useLeaveQuestion(isDirty && !isLeaving && !save.isPending);
  const isLoose = state.looseText !== null;

  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    state.clearIssues();
    save.mutate(
      { draft: state.draft, rules: areRulesDirty ? rules : null },
      {
        onSuccess: (inbound) => {
          setLeaving(true);
          announceDone(t('saved', { name: inbound.remark || inbound.tag }));
          onSaved(inbound);
        },
        onError: state.refuse,
      },
    );
  };
  return (
    <DraftContext value={state.editing}>
      <div className={classes['layout']}>
        <nav aria-label={t('sections')} className={classes['nav']}>
          {SECTIONS.map((section) => (
            <NavLink key={section} href={`#${section}`} label={t(`section.${section}`)} />
          ))}
        </nav>
        <form onSubmit={handleSubmit} className={classes['main']} noValidate>
          <BasicsSection place={place} />
          <ProtocolSection lost={state.lost?.paths ?? []} onUndo={state.undoLoss} />
          <TransportSection />
          <SecuritySection />
          <SniffingSection />
          <FallbacksSection ownId={id} rules={rules} options={options} onChange={setRules} />
          <AdvancedJsonSection
            text={state.text}
            isLoose={isLoose}
            clients={namesClients(state.draft) ? (id === 0 ? 'add' : 'replace') : null}
            onType={state.typeText}
          />
          <div className={classes['bar']}>
            {state.issues.length > 0 && (
              <Alert color="red" role="alert" className={classes['refusal'] ?? ''} title={t('refused')}>
                <List size="sm" listStyleType={state.issues.length === 1 ? 'none' : 'disc'}>
                  {state.issues.map(({ path, message }) => (
                    <List.Item key={`${path} ${message}`}>
                      <bdi>{message}</bdi>
                    </List.Item>
                  ))}
                </List>
              </Alert>
            )}
            <Button variant="default" onClick={onLeave}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={isLoose || textAt(state.draft, 'protocol') === ''}>
              {t('shell:save')}
            </Button>
          </div>
        </form>
      </div>
    </DraftContext>
  );
}

/** Asks before typed text is lost, whichever way the page is left. */
function useLeaveQuestion(isGuarded: boolean): void {
  const { t } = useTranslation('shell');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isGuarded && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirmDeed({
      title: t('leave.title'),
      text: t('leave.text'),
      deed: t('leave.deed'),
      cancel: t('leave.stay'),
    }).then((isLeaving) => (isLeaving ? blocker.proceed() : blocker.reset()));
  }, [blocker, t]);
}
