import type { ReceiverDefinition } from '../../connectors/connectors.ts'

/** The remaining steps at the provider, with the URL and the secret of the endpoint. */
export function setupOf(
  { setup, proof, handshake }: ReceiverDefinition,
  { url, secret }: { url: string; secret: string },
) {
  const fill = (text: string) => text.replaceAll('{url}', url).replaceAll('{secret}', secret)
  const steps = (setup.steps ?? []).map(fill)
  const paste = setup.by === 'hand' ? setup.paste : undefined
  const isGenerated = proof.by !== 'google-token' && proof.secret.from === 'generated'
  const isChecked = handshake?.by === 'query-echo' && handshake.verify !== undefined
  const isShown = setup.by === 'hand' ? isGenerated || isChecked : steps.some((step) => step.includes(secret))
  return {
    steps,
    secret: isShown ? secret : null,
    paste: paste ? { label: paste.label, text: fill(paste.text) } : null,
  }
}
