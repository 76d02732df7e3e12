import { sha256 } from '../../../security/digest.ts'
import { randomToken } from '../../../security/random.ts'
import type { Vault } from '../../../security/vault.ts'
import type { Secret } from '../../../signatures/scheme.ts'

/** The header with the secret of a voice agent. */
export const TOOL_SECRET_HEADER = 'x-atrium-tool-secret'

export const makeToolSecret = () => `atrium_voice_${randomToken(32)}`

const locationOf = (id: string) => `voice_agents.webhook_secret:${id}`

export const sealWebhookSecret = (vault: Vault, id: string, secret: string): string =>
  vault.seal(locationOf(id), secret)

/** Null if it was sealed with another secret of this server: then nothing is accepted. */
export const openWebhookSecret = (vault: Vault, id: string, sealed: string): string | null =>
  vault.tryOpen(locationOf(id), sealed)

export const toSecret = (text: string): Secret => ({ text, hash: sha256(text) })
