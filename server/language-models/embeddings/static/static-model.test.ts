import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeStaticModel } from '../../../testing/factories/static-model.ts'
import { loadStaticModel } from './static-model.ts'
import { createTokenizer } from './tokenize.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-static-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const VOCABULARY = { '[UNK]': 0, car: 1, auto: 2, '##mobile': 3, cafe: 4, '.': 5, 中: 6 }
const wordPiece = (lowercase: boolean) =>
  JSON.stringify({
    normalizer: { type: 'BertNormalizer', lowercase, strip_accents: null },
    model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', vocab: VOCABULARY },
  })

describe('a tokenizer', () => {
  test('cuts words into the longest known pieces, and leaves unknown words out', () => {
    const tokenize = createTokenizer(wordPiece(true))
    expect(tokenize('Car automobile, AUTO café.')).toEqual([1, 2, 3, 2, 4, 5])
    expect(tokenize('中中 automobiles zebra [UNK]')).toEqual([6, 6])
    expect(createTokenizer(wordPiece(false))('Car car')).toEqual([1])
  })

  test('cuts words into the most likely pieces if its type is Unigram', () => {
    const vocab = [
      ['<unk>', 0],
      ['▁', -2],
      ['▁straßen', -5],
      ['bahn', -4],
      ['▁straße', -4.5],
      ['n', -3],
      ['b', -6],
      ['a', -3],
      ['h', -5],
    ]
    const tokenize = createTokenizer(
      JSON.stringify({
        normalizer: { type: 'Sequence', normalizers: [{ type: 'Lowercase' }] },
        model: { type: 'Unigram', unk_id: 0, vocab },
      }),
    )
    expect(tokenize('Straßenbahn')).toEqual([2, 3])
    expect(tokenize('x a')).toEqual([1, 1, 7])
  })

  test('is refused if it has another type', () => {
    expect(() => createTokenizer('{"model":{"type":"BPE"}}')).toThrow(
      'must be of the type WordPiece or Unigram',
    )
  })
})

describe('a static model', () => {
  test.each(['F32', 'F16'] as const)('averages its tokens’ vectors, which are %s', async (type) => {
    await writeStaticModel(folder, { type, vectors: { car: [3, 0], auto: [0, 4] } })
    const { embed } = await loadStaticModel(folder)
    const { vectors } = await embed(['car', 'car auto auto', 'nothing'])
    expect([...vectors[0]!].slice(0, 2)).toEqual([1, 0])
    const [x, y] = vectors[1]!
    expect([x! / y!, Math.hypot(x!, y!)]).toEqual([expect.closeTo(3 / 8), expect.closeTo(1)])
    expect(vectors[2]!.every((value) => value === 0)).toBe(true)
  })

  test('has another id after its files change, and the same in another process', async () => {
    await writeStaticModel(folder, { vectors: { car: [1, 0] } })
    const first = (await loadStaticModel(folder)).id
    expect(first).toMatch(/^static\/atrium-static-\w+@[0-9a-f]{8}$/)
    expect((await loadStaticModel(folder)).id).toBe(first)
    await writeStaticModel(folder, { vectors: { car: [1, 1] } })
    expect((await loadStaticModel(folder)).id).not.toBe(first)
  })

  test('says which file is wrong', async () => {
    await writeStaticModel(folder, { vectors: { car: [1, 0] } })
    await writeFile(join(folder, 'tokenizer.json'), '{"model":{"type":"BPE"}}')
    await expect(loadStaticModel(folder)).rejects.toThrow(
      'tokenizer.json must be of the type WordPiece or Unigram',
    )
    await writeFile(join(folder, 'model.safetensors'), Buffer.alloc(40, 255))
    await expect(loadStaticModel(folder)).rejects.toThrow('model.safetensors has no header')
    await rm(join(folder, 'model.safetensors'))
    await expect(loadStaticModel(folder)).rejects.toThrow('model.safetensors')
  })
})
