import { readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../../security/digest.ts'
import { DIMENSIONS, type Embedded } from '../embed.ts'
import { readTensors, type Tensor } from './safetensors.ts'
import { createTokenizer, type Tokenize } from './tokenize.ts'

const MODEL_BYTES_MAX = 1_073_741_824
const TOKENIZER_BYTES_MAX = 134_217_728
/** As model2vec cuts longer texts. */
const TOKENS_MAX = 512
/** Other requests run between these. */
const TEXTS_AT_ONCE = 8

const STATIC_PROVIDER = 'static'

/** A table with a vector per token, whose mean is the text's vector: no server, no cost, milliseconds. */
export interface StaticModel {
  /** Changes with the model's files. */
  id: string
  embed: (texts: readonly string[]) => Promise<Embedded>
}

const Config = z.object({ normalize: z.boolean().default(true) })

/** In model2vec's format: `model.safetensors`, `tokenizer.json` and maybe `config.json`. The operator's, so it is trusted. */
export async function loadStaticModel(folder: string): Promise<StaticModel> {
  const [weights, tokenizer, config] = await Promise.all([
    read(folder, 'model.safetensors', MODEL_BYTES_MAX),
    read(folder, 'tokenizer.json', TOKENIZER_BYTES_MAX),
    read(folder, 'config.json', TOKENIZER_BYTES_MAX).catch(() => Buffer.from('{}')),
  ])
  const name = basename(resolve(folder)).replace(/[^\w.-]+/g, '-')
  const version = sha256(Buffer.concat([sha256(weights), sha256(tokenizer)]))
    .toString('hex')
    .slice(0, 8)
  const table = within('model.safetensors', () => readTable(weights))
  const tokenize = within('tokenizer.json', () => createTokenizer(tokenizer.toString('utf8')))
  const { normalize } = within('config.json', () => Config.parse(JSON.parse(config.toString('utf8'))))
  return {
    id: `${STATIC_PROVIDER}/${name}@${version}`,
    async embed(texts) {
      const vectors: Float32Array[] = []
      for (const [index, text] of texts.entries()) {
        if (index > 0 && index % TEXTS_AT_ONCE === 0) await new Promise((done) => setImmediate(done))
        vectors.push(meanOf(text, tokenize, table, normalize))
      }
      return { vectors, tokens: null }
    },
  }
}

async function read(folder: string, name: string, bytesMax: number): Promise<Buffer> {
  const path = join(folder, name)
  const { size } = await stat(path)
  if (size > bytesMax) throw new Error(`${name} is larger than ${bytesMax / 1_048_576} MB`)
  return readFile(path)
}

function within<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Error(
      `${name} ${error instanceof z.ZodError ? 'is not a configuration' : (error as Error).message}`,
    )
  }
}

interface Table {
  dimensions: number
  rows: Float32Array
  /** Row and weight of a token. Null: its own row, weight 1. */
  mapping: Float32Array | null
  weights: Float32Array | null
}

function readTable(file: Buffer): Table {
  const tensors = readTensors(file)
  const rows: Tensor | undefined = (tensors.get('embeddings') ?? tensors.get('embedding.weight'))?.()
  const dimensions = rows?.shape[1]
  if (!rows || !dimensions || dimensions < DIMENSIONS.min || dimensions > DIMENSIONS.max)
    throw new Error(`has no table of vectors with ${DIMENSIONS.min} to ${DIMENSIONS.max} numbers`)
  const optional = (name: string) => tensors.get(name)?.().values ?? null
  return { dimensions, rows: rows.values, mapping: optional('mapping'), weights: optional('weights') }
}

function meanOf(text: string, tokenize: Tokenize, table: Table, normalize: boolean): Float32Array {
  const { dimensions, rows, mapping, weights } = table
  const vector = new Float32Array(dimensions)
  const tokens = tokenize(text).slice(0, TOKENS_MAX)
  for (const token of tokens) {
    const start = (mapping ? mapping[token]! : token) * dimensions
    if (!(start + dimensions <= rows.length)) continue
    const weight = weights ? weights[token]! : 1
    for (let index = 0; index < dimensions; index++) vector[index]! += rows[start + index]! * weight
  }
  const length = normalize ? Math.hypot(...vector) : tokens.length
  return length > 0 ? vector.map((value) => value / length) : vector
}
