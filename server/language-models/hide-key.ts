import { limitResponse } from './limit-bytes.ts'

/** Shorter keys may be parts of ordinary words. */
const HIDDEN_FROM_LENGTH = 8

/**
 * Some servers and gateways repeat the key in a refusal, whose words members read. Answers stay as they are: a model
 * doesn't know the key.
 */
export const hideKey = (send: typeof fetch, apiKey: string | null): typeof fetch =>
  apiKey === null || apiKey.length < HIDDEN_FROM_LENGTH
    ? send
    : async (input, init) => {
        const response = await send(input, init)
        const { ok, body, status, statusText, headers } = response
        if (ok || body === null) return response
        const text = await limitResponse(response)
          .text()
          .catch(() => '')
        return new Response(text.replaceAll(apiKey, '[redacted]'), { status, statusText, headers })
      }
