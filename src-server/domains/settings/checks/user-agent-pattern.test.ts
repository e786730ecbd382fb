import { describe, expect, it } from 'vitest';
import { compilePattern } from './user-agent-pattern.ts';

describe('compilePattern', () => {
  it.each([
    ['clash', 'Clash-verge', false],
    ['(?i)clash', 'Clash-verge', true],
    ['(?i)(clash|mihomo)', 'MIHOMO/1.19', true],
    ['(?im)^x$', 'a\nX\nb', true],
    [String.raw`^v2rayN/\d+\.\d+`, 'v2rayN/6.40', true],
    ['[(+*]{1,3}[)|]', '+)', true],
    [String.raw`\(a+\)+`, '(a))', true],
    ['(?:happ|hiddify)?/[0-9.]+', '/1.0', true],
    ['(ab){2,5}$', 'xabab', true],
    ['(?<name>x)y+', 'xyy', true],
  ])('%s on %s: %s', (source, userAgent, isMatch) => {
    const verdict = compilePattern(source);
    expect(verdict.ok && verdict.pattern.test(userAgent)).toBe(isMatch);
    expect(verdict.ok).toBe(true);
  });

  it.each([
    [String.raw`(a)\1`, 'backreferences are not supported'],
    [String.raw`(?<n>a)\k<n>`, 'backreferences are not supported'],
    ['a(?=b)', 'lookahead and lookbehind are not supported'],
    ['a(?!b)', 'lookahead and lookbehind are not supported'],
    ['(?<=a)b', 'lookahead and lookbehind are not supported'],
    ['(?<!a)b', 'lookahead and lookbehind are not supported'],
    ['(a+)+$', 'a repeated group must not repeat or choose inside'],
    ['(a*)*', 'a repeated group must not repeat or choose inside'],
    ['((a+)b)*', 'a repeated group must not repeat or choose inside'],
    ['(a|a)*$', 'a repeated group must not repeat or choose inside'],
    ['(?:x{2,}){3}', 'a repeated group must not repeat or choose inside'],
    ['(a?){30}a{30}', 'a repeated group must not repeat or choose inside'],
    ['a{1,100000}', 'a repetition count must be at most 1000'],
  ])('refuses %s: %s', (source, reason) => {
    expect(compilePattern(source)).toEqual({ ok: false, kind: 'invalid', reason });
  });

  it('refuses patterns that do not compile or are too long', () => {
    expect(compilePattern('[')).toMatchObject({ ok: false, kind: 'invalid' });
    expect(compilePattern('(?i')).toMatchObject({ ok: false, kind: 'invalid' });
    expect(compilePattern('a'.repeat(2048))).toMatchObject({ ok: true });
    expect(compilePattern('a'.repeat(2049))).toMatchObject({ ok: false, kind: 'tooLong' });
  });
});
