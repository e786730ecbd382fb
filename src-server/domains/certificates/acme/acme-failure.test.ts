import { describe, expect, test } from 'vitest';
import { challengeFailure, readProblem, requestFailure } from './acme-failure.ts';

const problem = (kind: string, more: object = {}) =>
  readProblem({ type: `urn:ietf:params:acme:error:${kind}`, detail: 'their words', ...more });

describe('a name that could not be validated', () => {
  test.each([
    ['connection', 'certificate.notReached', { name: 'a.example', port: 80, text: 'their words' }],
    ['unauthorized', 'certificate.wrongAnswer', { name: 'a.example', text: 'their words' }],
    ['incorrectResponse', 'certificate.wrongAnswer', { name: 'a.example', text: 'their words' }],
    ['dns', 'certificate.dns', { name: 'a.example', text: 'their words' }],
    ['caa', 'certificate.caa', { name: 'a.example', text: 'their words' }],
    ['tls', 'certificate.tls', { name: 'a.example', text: 'their words' }],
    ['somethingNew', 'certificate.refused', { text: 'their words' }],
  ])('%s', (kind, code, params) =>
    expect(challengeFailure(problem(kind), 'a.example', 80)).toMatchObject({ code, params }),
  );
});

describe('a refused request', () => {
  test.each([
    ['rateLimited', 429, 'certificate.rateLimited'],
    ['rejectedIdentifier', 400, 'certificate.rejectedName'],
    ['externalAccountRequired', 400, 'certificate.account'],
    ['accountDoesNotExist', 400, 'certificate.account'],
    ['serverInternal', 500, 'certificate.authority'],
    ['malformed', 400, 'certificate.refused'],
  ])('%s', (kind, status, code) =>
    expect(requestFailure(problem(kind), status, 60_000)).toMatchObject({ code, retryAfterMs: 60_000 }),
  );

  test('names the identifier that is refused', () => {
    const subproblems = [problem('caa', { identifier: { type: 'dns', value: 'b.example' }, detail: 'no' })];
    expect(requestFailure(problem('rejectedIdentifier', { subproblems }), 403, 0)).toMatchObject({
      code: 'certificate.caa',
      params: { name: 'b.example', text: 'no' },
    });
  });

  test('from something that is not an ACME authority', () => {
    expect(requestFailure(readProblem('<html>'), 404, 0)).toMatchObject({ code: 'certificate.directory' });
    expect(requestFailure(null, 503, 5_000)).toMatchObject({ code: 'certificate.authority', retryAfterMs: 5_000 });
  });

  test('is one line of text, without terminal control characters', () => {
    const { params } = requestFailure(problem('malformed', { detail: `a\n\u001b[31mb${'x'.repeat(900)}` }), 400, 0);
    expect(params['text']).toMatch(/^a \[31mbx{400,}$/);
  });
});
