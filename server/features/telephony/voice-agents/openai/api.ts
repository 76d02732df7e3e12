import type { PublicContext } from '../../../../context.ts'
import { trustedFetch } from '../../../../language-models/trusted-fetch.ts'
import type { TelephonyOptions } from '../../dependencies.ts'

const TIMEOUT_MS = 10_000
const MESSAGE_MAX = 300

export type ApiResult =
  | { ok: true }
  /** `isRefused`: OpenAI certainly did not carry it out. `isGone`: the call no longer exists. */
  | { ok: false; isRefused: boolean; isGone: boolean; message: string }

type Action = 'accept' | 'reject' | 'refer' | 'hangup'

/** With the organization's `openai` key, or this server's. Returns failures as values. */
export async function requestOpenAi(
  { models }: Pick<TelephonyOptions, 'models'>,
  { outbound }: Pick<PublicContext<'outbound'>, 'outbound'>,
  orgId: string | null,
  { callId, action, body }: { callId: string; action: Action; body?: object },
): Promise<ApiResult> {
  const provider = await models.provider(orgId, 'openai')
  if (!provider) return refused('Neither the organization nor this server has the model provider "openai"')
  // Organization URLs are untrusted and must not reach this server's network.
  const send = provider.source === 'organization' ? outbound.fetch : trustedFetch
  try {
    const response = await send(`${provider.url}/realtime/calls/${encodeURIComponent(callId)}/${action}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(provider.apiKey !== null && { authorization: `Bearer ${provider.apiKey}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.ok) {
      await response.body?.cancel()
      return { ok: true }
    }
    const { status } = response
    const isRefused = status >= 300 && status < 500 && status !== 408 && status !== 429
    return { ok: false, isRefused, isGone: status === 404, message: await messageOf(response) }
  } catch {
    return { ok: false, isRefused: false, isGone: false, message: 'OpenAI could not be reached' }
  }
}

const refused = (message: string): ApiResult => ({ ok: false, isRefused: true, isGone: false, message })

async function messageOf(response: Response): Promise<string> {
  const { status } = response
  const text = await response.text().catch(() => '')
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } }
    if (typeof error?.message === 'string') return `OpenAI: ${error.message.slice(0, MESSAGE_MAX)}`
  } catch {
    // The body is not JSON.
  }
  return `OpenAI responded with status ${status}`
}
