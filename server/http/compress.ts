import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../security/digest.ts'
import { isNotModified } from './not-modified.ts'

/** A smaller text gains nothing. */
const BYTES_MIN = 1024
/** Texts contain the address of the server, which a client chooses by its `Host` header. */
const TEXTS_MAX = 200
const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]

const ENCODERS = {
  br: (text: string) => compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => compressGzip(text),
}
type Encoding = keyof typeof ENCODERS

const compressed = new Map<string, Promise<Buffer>>()

/** Sends a text that many clients read, compressed once for all of them. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  text: string,
): Promise<FastifyReply> {
  const hash = sha256(text).toString('base64url')
  const encoding = text.length < BYTES_MIN ? null : encodingFor(request.headers['accept-encoding'])
  const etag = encoding ? `"${hash}-${encoding}"` : `"${hash}"`
  reply.headers({ etag, 'cache-control': 'no-cache', vary: varyOn(reply) })
  if (isNotModified(request, etag)) return reply.status(304).send()
  reply.type(`${type}; charset=utf-8`)
  if (!encoding) return reply.send(text)
  return reply
    .header('content-encoding', encoding)
    .send(await compress(`${hash} ${encoding}`, encoding, text))
}

/** Null if the client accepts neither. */
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

function compress(key: string, encoding: Encoding, text: string): Promise<Buffer> {
  const known = compressed.get(key)
  if (known) return known
  const bytes = ENCODERS[encoding](text)
  compressed.set(key, bytes)
  bytes.catch(() => compressed.delete(key))
  const [oldest] = compressed.keys()
  if (compressed.size > TEXTS_MAX) compressed.delete(oldest!)
  return bytes
}
