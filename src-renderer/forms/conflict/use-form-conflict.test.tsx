import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { useFormConflict } from './use-form-conflict.ts';
import { useWireForm } from '../use-wire-form.ts';

const Form = z.object({ name: z.string(), port: z.number(), secret: z.string() });
type Row = { name: string; port: number };
const toForm = (row: Row) => ({ ...row, secret: '' });
const ROW: Row = { name: 'old', port: 1 };
const THEIRS: Row = { name: 'theirs', port: 2 };

function open() {
  const hook = renderHook(
    ({ stored }) => {
      const form = useWireForm(Form, toForm(ROW));
      const { isDirty } = form.formState;
      return { form, isDirty, conflict: useFormConflict({ stored, readAgain: async () => THEIRS, form, toForm }) };
    },
    { initialProps: { stored: ROW } },
  );
  return {
    now: () => hook.result.current,
    type: (name: 'name' | 'secret') =>
      act(() => hook.result.current.form.setValue(name, 'mine', { shouldDirty: true })),
    storeElsewhere: () => hook.rerender({ stored: THEIRS }),
  };
}

it('an untouched form is updated', async () => {
  const { now, storeElsewhere } = open();
  expect(await now().conflict.isCurrent()).toBe(false);
  storeElsewhere();
  expect(now().form.getValues()).toEqual(toForm(THEIRS));
  expect(now().conflict).toMatchObject({ base: THEIRS, fields: [] });
  expect(await now().conflict.isCurrent()).toBe(true);
});

it('a touched form keeps what was typed, also a secret, and stays unsaved', async () => {
  const { now, type, storeElsewhere } = open();
  type('name');
  type('secret');
  storeElsewhere();
  expect(now().form.getValues()).toEqual({ name: 'mine', port: 1, secret: 'mine' });
  expect(now().conflict.fields).toEqual(['name', 'port']);
  act(() => now().conflict.keepMine());
  expect(now().form.getValues()).toEqual({ name: 'mine', port: 2, secret: 'mine' });
  expect(now()).toMatchObject({ isDirty: true, conflict: { base: THEIRS, fields: [] } });
});

it('their version replaces what was typed', () => {
  const { now, type, storeElsewhere } = open();
  type('name');
  storeElsewhere();
  act(() => now().conflict.takeTheirs());
  expect(now().form.getValues()).toEqual(toForm(THEIRS));
  expect(now()).toMatchObject({ isDirty: false, conflict: { base: THEIRS, fields: [] } });
});
