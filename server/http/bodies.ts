import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, badField, badRequest } from '../errors.ts'

/**
 * An empty body counts as none, so a DELETE may have a content type. Endpoints with `form` also accept URL-encoded
 * forms.
 */
export function acceptBodies(http: FastifyInstance): void {
  http.removeAllContentTypeParsers()
  const parse = jsonParser(http)
  http.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      // Decoding would silently replace invalid bytes.
      if (!isUtf8(body)) throw badField('body', 'must be valid UTF-8')
      return parse(request, body.toString())
    },
  )
  http.addContentTypeParser('*', (_request, _payload, done) =>
    done(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')),
  )
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body, done) => {
      if (!request.routeOptions.config.form)
        return done(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json'))
      const fields = fieldsOf(body as string)
      const duplicate = fields.find(([name], index) => fields.findIndex(([other]) => other === name) < index)
      // Without a field in the details, a repeated scope is invalid_request (RFC 6749).
      if (duplicate) done(badRequest(`body.${duplicate[0]} must not be sent twice`))
      else done(null, Object.fromEntries(fields))
    },
  )
}

export function jsonParser(http: FastifyInstance) {
  const parse = http.getDefaultJsonParser('error', 'error')
  return (request: FastifyRequest, text: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (text.length === 0) resolve(undefined)
      else
        void parse(request, text, (error, value) => {
          if (error) reject(isJson(text) ? badField('body', FORBIDDEN_KEYS) : error)
          else resolve(value)
        })
    })
}

/** Leaves the body unread, so the endpoint can stream it. */
export function acceptBytes(http: FastifyInstance): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** Valid JSON, but these could pollute Object.prototype. */
const FORBIDDEN_KEYS = 'must not have a key named __proto__, constructor or prototype'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Per RFC 6749, a parameter without a value is absent. */
const fieldsOf = (form: string) => [...new URLSearchParams(form)].filter(([, value]) => value !== '')

/** The largest upload, with a minute for slow connections. */
const DRAIN_BYTES_MAX = 134_217_728
const DRAIN_MS = 60_000

/** Stopping early must not close the connection, which the response still needs. */
export const streamBody = (request: IncomingMessage): AsyncIterable<Uint8Array> =>
  request.iterator({ destroyOnReturn: false })

/** Many clients read the response only after sending everything, so closing earlier would lose it. */
export function drain(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return
  let remaining = DRAIN_BYTES_MAX
  const timeout = setTimeout(() => request.destroy(), DRAIN_MS).unref()
  request.unpipe()
  request.once('close', () => clearTimeout(timeout))
  request.on('error', () => {})
  request.on('data', (chunk: Buffer) => {
    remaining -= chunk.length
    if (remaining < 0) request.destroy()
  })
  // The stream is paused if its reader stopped.
  request.resume()
}
