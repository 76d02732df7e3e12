import type { z } from 'zod'
import type { Connector } from '../../../../contract/connections/connectors.ts'
import type { ReceiverDefinition } from './definition/receiver.ts'

type PresentedReceiver = NonNullable<z.output<typeof Connector>['receives']>

/** The choices and fields of an endpoint. */
export function presentReceiver({
  kind,
  events,
  proof,
  reply,
  sessionKey,
  setup,
}: ReceiverDefinition): PresentedReceiver {
  const source = proof.by === 'google-token' ? null : proof.secret
  return {
    kind,
    events: Object.entries(events).map(([key, description]) => ({ key, description })),
    setup: setup.by === 'api' ? 'register' : 'paste',
    replies: reply !== undefined,
    sessionKey,
    fields: (setup.by === 'api' ? (setup.fields ?? []) : []).map(
      ({ key, label, required, hint, pattern }) => ({
        key,
        label,
        required,
        secret: false,
        hint,
        pattern: pattern ?? null,
        placeholder: null,
      }),
    ),
    secret: source?.from === 'entered' ? { label: source.label, hint: source.hint } : null,
  }
}
