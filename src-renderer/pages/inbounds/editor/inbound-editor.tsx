import { Button, NavLink } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Inbound, InboundOption } from '#contract/inbounds';
import { createDraft, isDirty, issuesOf } from '../../../forms/draft/draft-store.ts';
import { textAt } from '../../../forms/draft/json.ts';
import { SaveBar } from '../../../forms/draft/save-bar.tsx';
import { useLeaveConfirmation } from '../../../forms/draft/use-leave-confirmation.ts';
import { CallError } from '../../../api/transport.ts';
import { announceCoreWarnings, announceDone } from '../../../ui/notices/announce.ts';
import type { CertificateCheck } from '../../../ui/notices/use-certificate-check.ts';
import { ConflictNotice } from '../../../ui/notices/conflict-notice.tsx';
import { toForm, type Draft } from '../model/draft.ts';
import classes from './inbound-editor.module.css';
import { DraftContext, useDraftState } from './parts/draft-context.tsx';
import { RefusedList } from './refused-list.tsx';
import { AdvancedJsonSection } from './sections/advanced-json.tsx';
import { BasicsSection } from './sections/basics.tsx';
import { FallbacksSection, type FallbackRule } from './sections/fallbacks.tsx';
import { ProtocolSection } from './sections/protocol.tsx';
import { SECTIONS } from './sections/section-card.tsx';
import { SecuritySection } from './sections/security.tsx';
import { SniffingSection } from './sections/sniffing.tsx';
import { TransportSection } from './sections/transport.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { theirFields } from './their-fields.tsx';
import { certificatesText, useInboundCertificates } from './use-inbound-certificates.ts';
import { useInboundConflict } from './use-inbound-conflict.ts';
import { useSaveInbound } from './use-save-inbound.ts';

interface InboundEditorProps {
  /** 0 = a new inbound. */
  id: number;
  initial: Draft;
  storedRules: readonly FallbackRule[];
  options: readonly InboundOption[];
  onSaved: (inbound: Inbound) => void;
  onLeave: () => void;
}

/** The editor of one inbound: fields and JSON over one draft, saved as a whole. */
export function InboundEditor({ id: openedId, initial, storedRules, options, onSaved, onLeave }: InboundEditorProps) {
  const { t } = useTranslation('inboundEditor');
  const format = useFormat();
  const [store] = useState(() => createDraft(initial));
  // A new inbound may be stored while its fallback rules are refused: the next save must not make a second one.
  const [id, setId] = useState(openedId);
  // Another admin’s rules are fetched meanwhile, and are no edit of these.
  const [firstRules, setFirstRules] = useState(storedRules);
  const [rules, setRules] = useState(firstRules);
  const latestRules = useRef(rules);
  useEffect(() => {
    latestRules.current = rules;
  });
  const [isChecking, setChecking] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const isDraftChanged = useStore(store, isDirty);
  const save = useSaveInbound(id, (saved) => {
    setId(saved.id);
    store.getState().rebase(toForm(saved));
  });
  const conflict = useInboundConflict(store, id);
  const certificates = useInboundCertificates();
  const areRulesDirty = JSON.stringify(rules) !== JSON.stringify(firstRules);
  const letGo = useLeaveConfirmation((isDraftChanged || areRulesDirty) && !isLeaving);

  const handleSave = async (): Promise<void> => {
    const { draft, looseText, refuse } = store.getState();
    if (looseText !== null || isChecking || save.isPending || certificates.isChecking) return;
    refuse([]);
    setChecking(true);
    const isCurrent = await conflict.isCurrent();
    setChecking(false);
    if (!isCurrent || !(await certificates.isAccepted(certificatesText(draft)))) return;
    save.mutate(
      { draft, rules: areRulesDirty ? rules : null },
      {
        onSuccess: (inbound) => {
          announceDone(t('saved', { name: inbound.remark || inbound.tag }));
          announceCoreWarnings(inbound.coreWarnings);
          setFirstRules(rules);
          // What was typed during the save is not part of it.
          const now = store.getState();
          if ((now.draft !== draft && isDirty(now)) || latestRules.current !== rules) return;
          letGo();
          setLeaving(true);
          onSaved(inbound);
        },
        onError: (error) => refuse(issuesOf(error, isOfPort(error) ? 'port' : '')),
      },
    );
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    // A day that cannot be read is not in the draft, unlike a number that does not fit.
    if (event.currentTarget.querySelector<HTMLInputElement>('input[data-day]')?.reportValidity() === false) return;
    void handleSave();
  };
  return (
    <DraftContext value={store}>
      <div className={classes['layout']}>
        <nav aria-label={t('sections')} className={classes['nav']}>
          {SECTIONS.map((section) => (
            <NavLink key={section} href={`#${section}`} label={t(`section.${section}`)} />
          ))}
        </nav>
        <form onSubmit={handleSubmit} className={classes['main']} noValidate>
          <BasicsSection ownId={id} />
          <ProtocolSection />
          <TransportSection />
          <SecuritySection />
          <SniffingSection />
          <FallbacksSection ownId={id} rules={rules} options={options} onChange={setRules} />
          <AdvancedJsonSection isNew={id === 0} />
          <EditorBar isSaving={isChecking || save.isPending} certificates={certificates} onLeave={onLeave}>
            {conflict.fields.length > 0 && !save.isPending && !isLeaving && (
              <ConflictNotice
                title={t('conflict.title')}
                fields={theirFields(t, format, conflict.fields, conflict.theirs)}
                onTakeTheirs={conflict.takeTheirs}
                onKeepMine={conflict.keepMine}
              />
            )}
          </EditorBar>
        </form>
      </div>
    </DraftContext>
  );
}

interface EditorBarProps {
  isSaving: boolean;
  certificates: CertificateCheck;
  onLeave: () => void;
  /** Decisions to make before a save. */
  children: ReactNode;
}

function EditorBar({ isSaving, certificates, onLeave, children }: EditorBarProps) {
  const { t } = useTranslation(['inboundEditor', 'shell']);
  const issues = useDraftState((state) => state.issues);
  const isSavable = useDraftState(({ looseText, draft }) => looseText === null && textAt(draft, 'protocol') !== '');
  const subject = useDraftState(({ draft }) => certificatesText(draft));
  return (
    <SaveBar
      isSaving={isSaving || certificates.isChecking}
      isSavable={isSavable}
      certificates={certificates.warningsOf(subject)}
      notices={
        <>
          {children}
          {issues.length > 0 && <RefusedList issues={issues} />}
        </>
      }
      actions={
        <Button variant="default" onClick={onLeave}>
          {t('shell:cancel')}
        </Button>
      }
    />
  );
}

/** A port in use is refused for the inbound as a whole, but only one field can fix it. */
const isOfPort = (error: Error): boolean => error instanceof CallError && error.code.startsWith('inbound.port');
