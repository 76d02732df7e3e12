import { refuseInTransaction, releaseClient } from '../concurrency/work-scope.ts'
import { traceHeaders } from '../observability/tracing.ts'

/** For operator URLs. Following redirects would send the key to another server. */
export const trustedFetch: typeof fetch = async (input, init) => {
  refuseInTransaction('another server')
  releaseClient()
  return fetch(input, { ...init, redirect: 'manual' })
}

/** The operator's gateway or model server can continue the trace. */
export const withTraceHeaders =
  (send: typeof fetch): typeof fetch =>
  (input, init) => {
    const { traceparent } = traceHeaders()
    if (traceparent === undefined) return send(input, init)
    const headers = new Headers(init?.headers)
    headers.set('traceparent', traceparent)
    return send(input, { ...init, headers: Object.fromEntries(headers) })
  }
