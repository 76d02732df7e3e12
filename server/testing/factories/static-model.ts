import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface StaticModelOptions {
  /** By word. The rest of each vector is 0. */
  vectors: Record<string, number[]>
  type?: 'F32' | 'F16'
  dimensions?: number
}

/** In model2vec's format, with a vocabulary of whole words. */
export async function writeStaticModel(
  folder: string,
  { vectors, type = 'F32', dimensions = 8 }: StaticModelOptions,
): Promise<void> {
  const words = ['[UNK]', ...Object.keys(vectors)]
  const rows = words.flatMap((word) =>
    Array.from({ length: dimensions }, (_, index) => vectors[word]?.[index] ?? 0),
  )
  const data = Buffer.concat(rows.map(type === 'F32' ? toSingle : toHalf))
  const header = Buffer.from(
    JSON.stringify({
      embeddings: { dtype: type, shape: [words.length, dimensions], data_offsets: [0, data.length] },
    }),
  )
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  const tokenizer = {
    normalizer: { type: 'BertNormalizer', lowercase: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  }
  await writeFile(join(folder, 'model.safetensors'), Buffer.concat([length, header, data]))
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
  await writeFile(join(folder, 'config.json'), JSON.stringify({ model_type: 'model2vec', normalize: true }))
}

function toSingle(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

/** For small whole numbers. */
function toHalf(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  if (value === 0) return bytes
  const exponent = Math.floor(Math.log2(Math.abs(value)))
  const fraction = Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024)
  bytes.writeUInt16LE((value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction)
  return bytes
}
