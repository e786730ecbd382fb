import { describe, expect, it } from 'vitest';
import { readHeaders } from './header-block.ts';
import { decodeHuffman } from './huffman.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('coded strings', () => {
  // RFC 7541, appendix C.4 and C.6.
  it.each([
    ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
    ['a8eb10649cbf', 'no-cache'],
    ['25a849e95ba97d7f', 'custom-key'],
    ['25a849e95bb8e8b4bf', 'custom-value'],
    ['d07abe941054d444a8200595040b8166e082a62d1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
    ['9d29ad171863c78f0b97c8e9ae82ae43d3', 'https://www.example.com'],
    ['', ''],
  ])('%s is %j', (bytes, text) => expect(decodeHuffman(hex(bytes))).toBe(text));

  it.each([
    ['a padding of a whole byte', 'a8eb10649cbfff'],
    ['a padding that is not all ones', '20'],
    ['the mark of an end', 'fffffffc'],
  ])('refuses %s', (_, bytes) => expect(() => decodeHuffman(hex(bytes))).toThrow(RangeError));
});

describe('header blocks', () => {
  const wanted = ['grpc-status', 'grpc-message'];
  const plain = (text: string): string =>
    Buffer.from([text.length]).toString('hex') + Buffer.from(text).toString('hex');

  it('gives the wanted ones, however they are written', () => {
    // A confirmed size, a known pair, a known name with a value, then literals of all three kinds.
    const block = `20 88 5f ${plain('application/grpc')} 40 ${plain('grpc-status')}${plain('5')}
      00 ${plain('other')}${plain('x')} 10 ${plain('grpc-message')} 88 25a849e95ba97d7f`.replaceAll(/\s/g, '');
    expect([...readHeaders(hex(block), wanted)]).toEqual([
      ['grpc-status', '5'],
      ['grpc-message', 'custom-key'],
    ]);
  });

  it('reads numbers of several bytes', () => {
    const text = 'a'.repeat(300);
    const block = Buffer.concat([hex(`00 ${plain('grpc-message')} 7f ad 01`), Buffer.from(text)]);
    expect(readHeaders(block, wanted).get('grpc-message')).toBe(text);
  });

  it.each([
    ['a name that ends too early', '000b6772'],
    ['a value that is missing', `00${plain('grpc-status')}`],
    ['a number without an end', '007fffffffffffffff'],
  ])('refuses %s', (_, block) => expect(() => readHeaders(hex(block), wanted)).toThrow(RangeError));
});
