import type { FastifyInstance } from 'fastify'
import { ApiError, badField } from '../errors.ts'

/**
 * JSON is what the API takes; an empty body counts as none, so a DELETE may carry the header. Endpoints that declare
 * it take a form too.
 */
export function acceptBodies(http: FastifyInstance): void {
  http.removeAllContentTypeParsers()
  const parse = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    return void parse(request, body as string, (error, value) =>
      done(error && isJson(body as string) ? badField('body', POISONED) : error, value),
    )
  })
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
      const twice = fields.find(([name], index) => fields.findIndex(([other]) => other === name) < index)
      if (twice) done(badField(`body.${twice[0]}`, 'must not be sent twice'))
      else done(null, Object.fromEntries(fields))
    },
  )
}

/** Where bytes are expected, any type will do, and none is read: they are passed on as they arrive. */
export function acceptBytes(http: FastifyInstance): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** What is JSON and is refused all the same would change how every object behaves. */
const POISONED = 'must not have a key named __proto__, constructor, prototype'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A field without a value counts as absent, as RFC 6749 has it. */
const fieldsOf = (form: string) => [...new URLSearchParams(form)].filter(([, value]) => value !== '')
