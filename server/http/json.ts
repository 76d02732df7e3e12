import type { FastifyInstance } from 'fastify'

/** JSON is the only body the API takes; an empty one counts as none, so a DELETE may carry the header. */
export function acceptJson(http: FastifyInstance): void {
  http.removeAllContentTypeParsers()
  const parse = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parse(request, body as string, done)
  })
}
