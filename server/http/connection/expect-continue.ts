import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Sends `100 Continue` once the caller is admitted, so that a refused client does not have to send its body. */
export function continueOnceAdmitted(http: FastifyInstance): void {
  const waitingRequests = new WeakSet<IncomingMessage>()
  http.server.on('checkContinue', (request, response) => {
    waitingRequests.add(request)
    http.server.emit('request', request, response)
  })
  // Node refuses other expectations with an empty response. RFC 9110 permits ignoring them.
  http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response))
  // Runs after every `onRequest` hook, including that of the route.
  http.addHook('preParsing', (request, reply, payload, done) => {
    if (waitingRequests.delete(request.raw)) reply.raw.writeContinue()
    done(null, payload)
  })
}
