import { sha256 } from '../../../security/digest.ts'
import { randomToken } from '../../../security/random.ts'
import { UnsealError, type Vault } from '../../../security/vault.ts'
import type { Secret } from '../../../signatures/secret.ts'

/** The header with the secret of a voice agent. */
export const TOOL_SECRET_HEADER = 'x-atrium-tool-secret'

export const makeToolSecret = () => `atrium_voice_${randomToken(32)}`

const locationOf = (id: string) => `voice_agents.webhook_secret:${id}`

export const sealWebhookSecret = (vault: Vault, id: string, secret: string): string =>
  vault.seal(locationOf(id), secret)

/** Null if it was sealed with another secret of this server: then nothing is accepted. */
export function openWebhookSecret(vault: Vault, id: string, sealed: string): string | null {
  try {
    return vault.open(locationOf(id), sealed)
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}

export const toSecret = (text: string): Secret => ({ text, hash: sha256(text) })
