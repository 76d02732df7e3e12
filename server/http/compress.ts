import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '../endpoint/etag.ts'
import { sha256 } from '../security/digest.ts'

const BYTES_MIN = 1024
/** Bounded: texts contain the server address, which clients choose through `Host`. */
const TEXTS_MAX = 200
const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]

const ENCODERS = {
  br: (bytes: Buffer) => compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => compressGzip(bytes),
}
type Encoding = keyof typeof ENCODERS

const compressed = new Map<string, Promise<Buffer>>()

export interface PreparedText {
  bytes: Buffer
  hash: string
}

export function prepareText(text: string): PreparedText {
  const bytes = Buffer.from(text)
  return { bytes, hash: sha256(bytes).toString('base64url') }
}

export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  { bytes, hash }: PreparedText,
): Promise<FastifyReply> {
  const encoding = bytes.length < BYTES_MIN ? null : encodingFor(request.headers['accept-encoding'])
  const etag = encoding ? `"${hash}-${encoding}"` : `"${hash}"`
  reply.headers({ etag, 'cache-control': 'no-cache', vary: varyOn(reply) })
  if (isNotModified(request, etag)) return reply.status(304).send()
  reply.type(`${type}; charset=utf-8`)
  if (!encoding) return reply.send(bytes)
  return reply
    .header('content-encoding', encoding)
    .send(await compress(`${hash} ${encoding}`, encoding, bytes))
}

function encodingFor(accepted = ''): Encoding | null {
  const accepts = (name: Encoding) =>
    accepted.split(',').some((item) => {
      const [coding, quality] = item.split(';').map((part) => part.trim().toLowerCase())
      return coding === name && !/^q=0(\.0*)?$/.test(quality ?? '')
    })
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : null
}

const varyOn = (reply: FastifyReply) =>
  [reply.getHeader('vary'), 'accept-encoding'].filter((value) => value !== undefined).join(', ')

function compress(key: string, encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  const known = compressed.get(key)
  if (known) return known
  const result = ENCODERS[encoding](bytes)
  compressed.set(key, result)
  result.catch(() => compressed.delete(key))
  const [oldest] = compressed.keys()
  if (compressed.size > TEXTS_MAX) compressed.delete(oldest!)
  return result
}

export function isNotModified({ method, headers }: FastifyRequest, etag: string): boolean {
  const ifNoneMatch = headers['if-none-match']
  return ifNoneMatch !== undefined && ['GET', 'HEAD'].includes(method) && matchesEtag(ifNoneMatch, etag)
}
