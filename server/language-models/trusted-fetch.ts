import { refuseInTransaction, releaseClient } from '../concurrency/work-scope.ts'
import { traceHeaders } from '../observability/tracing.ts'

/** For URLs of the operator. Redirects are not followed: they would send the key to another server. */
export const trustedFetch: typeof fetch = async (input, init) => {
  refuseInTransaction('another server')
  releaseClient()
  return fetch(input, { ...init, redirect: 'manual' })
}

/** Adds trace headers, so that a gateway or model server of the operator can continue the trace of a model call. */
export const withTraceHeaders =
  (send: typeof fetch): typeof fetch =>
  (input, init) => {
    const { traceparent } = traceHeaders()
    if (traceparent === undefined) return send(input, init)
    const headers = new Headers(init?.headers)
    headers.set('traceparent', traceparent)
    return send(input, { ...init, headers: Object.fromEntries(headers) })
  }
