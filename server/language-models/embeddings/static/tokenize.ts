import { z } from 'zod'

/** Turns a text into numbers of a model's vocabulary. Unknown pieces are left out. */
export type Tokenize = (text: string) => number[]

const Normalizer: z.ZodType<object> = z.looseObject({})
const TokenizerFile = z.object({
  normalizer: Normalizer.nullish(),
  model: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('WordPiece'),
      vocab: z.record(z.string(), z.number().int().min(0)),
      unk_token: z.string().nullish(),
      continuing_subword_prefix: z.string().default('##'),
      max_input_chars_per_word: z.number().int().default(100),
    }),
    z.object({
      type: z.literal('Unigram'),
      vocab: z.array(z.tuple([z.string(), z.number()])),
      unk_id: z.number().int().nullish(),
    }),
  ]),
})

/** Of Hugging Face's `tokenizer.json`. Throws for other kinds than WordPiece and Unigram. */
export function createTokenizer(json: string): Tokenize {
  const parsed = TokenizerFile.safeParse(JSON.parse(json))
  if (!parsed.success) throw new Error('must be of the type WordPiece or Unigram')
  const { model, normalizer } = parsed.data
  return model.type === 'WordPiece'
    ? wordPiece(model, isLowercase(normalizer))
    : unigram(model, isLowercase(normalizer))
}

type Model = z.output<typeof TokenizerFile>['model']

/** `lowercase` of a BertNormalizer, or a Lowercase, which may be one of a sequence. */
const isLowercase = (normalizer: object | null | undefined): boolean =>
  /"lowercase":true|"type":"Lowercase"/.test(JSON.stringify(normalizer ?? {}))

const MARKS = /\p{Mn}+/gu
const SPACED = /[\p{sc=Han}]|[\p{P}\p{S}]/gu

function wordPiece(
  {
    vocab,
    unk_token: unknown,
    continuing_subword_prefix: prefix,
    max_input_chars_per_word: longest,
  }: Extract<Model, { type: 'WordPiece' }>,
  isLower: boolean,
): Tokenize {
  const ids = new Map(Object.entries(vocab))
  if (unknown != null) ids.delete(unknown)
  return (text) => {
    const plain = isLower ? text.toLowerCase().normalize('NFD').replace(MARKS, '') : text
    return plain
      .replace(SPACED, ' $& ')
      .split(/\s+/)
      .flatMap((word) => (word === '' || word.length > longest ? [] : pieces(word)))
  }

  /** The longest known beginning, again and again. None if a part is unknown. */
  function pieces(word: string): number[] {
    const found: number[] = []
    for (let from = 0; from < word.length; ) {
      let to = word.length
      let id: number | undefined
      for (; to > from; to--) {
        id = ids.get((from > 0 ? prefix : '') + word.slice(from, to))
        if (id !== undefined) break
      }
      if (id === undefined) return []
      found.push(id)
      from = to
    }
    return found
  }
}

const SPACE = '▁'
/** Below every known piece, so that an unknown letter is only chosen if nothing else fits. */
const UNKNOWN_PENALTY = 10

function unigram(
  { vocab, unk_id: unknownId }: Extract<Model, { type: 'Unigram' }>,
  isLower: boolean,
): Tokenize {
  const pieces = new Map(vocab.map(([piece, score], id) => [piece, { id, score }]))
  if (unknownId != null) pieces.delete(vocab[unknownId]?.[0] ?? '')
  let longest = 1
  let lowest = 0
  for (const [piece, score] of vocab) {
    longest = Math.max(longest, piece.length)
    lowest = Math.min(lowest, score)
  }
  return (text) => {
    // SentencePiece's own table of characters differs from NFKC in few of them.
    const plain = text.normalize('NFKC')
    return (isLower ? plain.toLowerCase() : plain)
      .split(/\s+/)
      .flatMap((word) => (word === '' ? [] : best(SPACE + word.slice(0, WORD_UNITS_MAX))))
  }

  /** The most likely way to cut a word (Viterbi). */
  function best(word: string): number[] {
    const ends: { score: number; from: number; id: number | null }[] = [{ score: 0, from: 0, id: null }]
    for (let to = 1; to <= word.length; to++) {
      let end = {
        score: ends[to - 1]!.score + lowest - UNKNOWN_PENALTY,
        from: to - 1,
        id: null as number | null,
      }
      for (let from = Math.max(0, to - longest); from < to; from++) {
        const piece = pieces.get(word.slice(from, to))
        const score = piece && ends[from]!.score + piece.score
        if (score !== undefined && score > end.score) end = { score, from, id: piece!.id }
      }
      ends.push(end)
    }
    const found: number[] = []
    for (let to = word.length; to > 0; to = ends[to]!.from)
      if (ends[to]!.id !== null) found.push(ends[to]!.id!)
    return found.reverse()
  }
}

/** The time grows with a word's length. */
const WORD_UNITS_MAX = 200
